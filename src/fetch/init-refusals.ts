import { CarrelError } from "../domain/errors.ts";
import { isWorthReading, mediaRule, mediaType, mediaOf } from "./media.ts";
import { richnessOfHtml } from "./richness.ts";
import { statusText } from "./visit.ts";

/** What the addresses of logins have in them. */
const LOGIN_PATH =
  /\/(?:log-?in|sign-?in|sso|saml2?|oauth2?|authorize|authenticate|users\/sign_in|session\/new|cas)(?:[/.?]|$)/i;
const LOGIN_HOST = /^(?:login|signin|accounts?|auth|sso|idp)\.|\.(?:okta|auth0|onelogin)\.com$/i;

/** A page with a password field that has little more to say than this is a login. */
const LOGIN_TEXT_CHARACTERS = 1_500;

const PRIVATE =
  'If it is private documentation, write a pipeline with "auth"; see data/manual/pipelines.md. Where it is on disk, name the folder.';

/** Why an address that readers are sent to is a login rather than the documentation. */
export function loginWall(asked: string, to: string): CarrelError | undefined {
  const { hostname, pathname } = new URL(to);
  if (!LOGIN_PATH.test(pathname) && !LOGIN_HOST.test(hostname)) return undefined;
  return new CarrelError("denied", `${asked} sends its readers to a login, ${withoutQuery(to)}. ${PRIVATE}`);
}

/** Why an answer is nothing to begin a crawl with; undefined when it is a page. */
export function refusedStatus(
  url: string,
  asked: string,
  status: number,
  contentType: string,
  body: Buffer,
): CarrelError | undefined {
  const what = url === asked ? url : `${url}, where ${asked} leads,`;
  if (status === 401 || status === 403 || status === 407) {
    return new CarrelError("denied", `${what} answered ${statusText(status)}: it is not for everyone. ${PRIVATE}`);
  }
  if (status === 404 || status === 410) {
    const { origin, pathname } = new URL(url);
    const above =
      pathname === "/" ? "" : `, or begin further up: carrel init ${origin}${pathname.replace(/[^/]*\/?$/, "")}`;
    return new CarrelError(
      "not-found",
      `${what} answered ${statusText(status)}: there is no such page. Check the address${above}.`,
    );
  }
  if (status !== 200) return new CarrelError("not-found", `${what} answered ${statusText(status)}, which is no page.`);
  if (isSitemap(body)) {
    return new CarrelError(
      "invalid",
      `${what} is a sitemap. Name the page at which readers begin, such as ${new URL("/", url).href}; sitemaps are found by themselves, and one that is not is listed under "sitemaps".`,
    );
  }
  const isRead = isWorthReading(contentType, url, mediaRule({}), true) && mediaOf(contentType, url, body) !== undefined;
  if (!isRead) {
    return new CarrelError(
      "invalid",
      `${what} is ${mediaType(contentType) || "of no type"}, which is no documentation that Carrel reads: HTML, Markdown, reStructuredText, AsciiDoc, PDF, notebooks, text.`,
    );
  }
  return isLoginPage(body.toString("utf8"))
    ? new CarrelError(
        "denied",
        `${what} is a page to log in at, with a field for a password and little else. ${PRIVATE}`,
      )
    : undefined;
}

const SITEMAP_HEAD_BYTES = 1_000;

function isSitemap(body: Buffer): boolean {
  return (
    /<(?:urlset|sitemapindex)\b/.test(body.toString("latin1", 0, SITEMAP_HEAD_BYTES).trimStart()) &&
    /^\s?</.test(body.toString("latin1", 0, 2))
  );
}

function isLoginPage(html: string): boolean {
  if (!/<input\b[^>]{0,500}\btype\s?=\s?["']?password/i.test(html)) return false;
  return richnessOfHtml(html).characters < LOGIN_TEXT_CHARACTERS;
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, "");
}
