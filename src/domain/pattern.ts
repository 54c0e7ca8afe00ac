import { RE2JS, RE2JSException } from "re2js";
import { CarrelError } from "./errors.ts";
import { compileGlob, type Matcher } from "./glob.ts";

/**
 * What chooses URLs in a pipeline: a glob over the whole URL, or, between slashes (`/…/`), a regular expression that is
 * searched for in the URL. Both take time linear in the URL: expressions are those of RE2, which has neither back-references
 * nor look-around, for these cannot be matched so.
 */
export type UrlPattern = string;

/** Whether a pattern is a regular expression. No glob begins with a slash, for it could match no URL. */
export function isExpression(pattern: UrlPattern): boolean {
  return pattern.length > 2 && pattern.startsWith("/") && pattern.endsWith("/");
}

/** Prepares a pattern. @throws CarrelError `config` for an expression that cannot be used; see `expressionProblem`. */
export function compilePattern(pattern: UrlPattern): Matcher {
  if (!isExpression(pattern)) return compileGlob(pattern);
  const expression = compileExpression(pattern);
  return (url) => expression.test(url);
}

/**
 * Prepares the replacement of every match of an expression in a URL. `$1` in the replacement is what the first pair of
 * parentheses matched, `$&` all of it, `$$` a dollar sign.
 * @throws CarrelError `config` as `compilePattern` does.
 */
export function compileReplacement(pattern: UrlPattern, replacement: string): (url: string) => string {
  const expression = compileExpression(pattern);
  return (url) => (expression.test(url) ? expression.matcher(url).replaceAll(replacement) : url);
}

/** Why a regular expression between slashes cannot be used; undefined when it can. */
export function expressionProblem(pattern: UrlPattern): string | undefined {
  try {
    compileExpression(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof CarrelError) return error.message;
    throw error;
  }
}

/**
 * Why a replacement cannot be used with its expression: it names a pair of parentheses that there is not. Undefined when it
 * can, and for an expression that is wrong itself.
 */
export function replacementProblem(pattern: UrlPattern, replacement: string): string | undefined {
  if (expressionProblem(pattern) !== undefined) return undefined;
  const groups = compileExpression(pattern).groupCount();
  // As many digits are read as make the number of a group, so the first one decides.
  const named = [...replacement.matchAll(/\$\$|\$(\d)/g)].flatMap(([, digit]) =>
    digit === undefined ? [] : [Number(digit)],
  );
  const missing = named.find((number) => number === 0 || number > groups);
  if (missing === undefined) return undefined;
  const has = groups === 0 ? "no parentheses" : `${groups} pair${groups === 1 ? "" : "s"} of parentheses`;
  return `"${replacement}" names $${missing}, and ${pattern} has ${has}; write $$ for a dollar sign.`;
}

function compileExpression(pattern: UrlPattern): RE2JS {
  if (!isExpression(pattern)) {
    throw new CarrelError("config", `"${pattern}" is not a regular expression: these stand between slashes, /…/.`);
  }
  const source = pattern.slice(1, -1);
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const feature = /\(\?<?[=!]/.test(source) ? "look-around" : /\\[1-9]/.test(source) ? "a back-reference" : undefined;
    const reason = error.message.replace(/^error parsing regexp: /, "").replaceAll("`", "");
    throw new CarrelError(
      "config",
      feature === undefined
        ? `${pattern} is no regular expression that is understood: ${reason}.`
        : `${pattern} has ${feature}, which cannot be matched in linear time (${reason}); write it without.`,
    );
  }
}
