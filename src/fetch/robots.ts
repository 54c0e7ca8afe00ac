/**
 * robots.txt as RFC 9309 has it, with Crawl-delay and Sitemap as common extensions. Pure: text in, verdicts out.
 * Where the RFC and Google's parser differ, the RFC counts.
 */
export interface Robots {
  /** Whether a path with its query, as a URL has them, may be asked for; and the line that says so. */
  verdict(pathAndQuery: string): RobotsVerdict;
  /** Seconds between two requests that the group asks for; undefined when it does not. */
  readonly crawlDelayS: number | undefined;
  /** Addresses of sitemaps as written; they belong to no group. */
  readonly sitemaps: readonly string[];
}

export interface RobotsVerdict {
  readonly allowed: boolean;
  /** `Disallow: /private/`; "" when no line speaks of the path. */
  readonly rule: string;
}

/** RFC 9309 section 2.5: at least this much is read; what comes after is ignored. */
export const MAX_ROBOTS_BYTES = 500 * 1024;

/** No robots.txt, or none that may be read: everything is allowed. Source: RFC 9309 section 2.3.1.3. */
export const NO_ROBOTS: Robots = { verdict: () => ({ allowed: true, rule: "" }), crawlDelayS: undefined, sitemaps: [] };

interface Rule {
  readonly allow: boolean;
  readonly line: string;
  /** What stands between the stars. */
  readonly pieces: readonly string[];
  /** Whether the last piece must end the path. */
  readonly anchored: boolean;
  /** The longest pattern wins. */
  readonly length: number;
}

interface Group {
  readonly agents: string[];
  readonly rules: Rule[];
  /** Seconds, by agent. */
  readonly delays: Map<string, number>;
}

/** Keys as they are spelt in the wild; the misspellings are those that Google's parser accepts. */
const KEYS: Readonly<Record<string, "agent" | "allow" | "disallow" | "delay" | "sitemap">> = {
  "user-agent": "agent",
  useragent: "agent",
  "user agent": "agent",
  allow: "allow",
  disallow: "disallow",
  dissallow: "disallow",
  dissalow: "disallow",
  disalow: "disallow",
  diasllow: "disallow",
  disallaw: "disallow",
  "crawl-delay": "delay",
  crawldelay: "delay",
  sitemap: "sitemap",
  "site-map": "sitemap",
};

/**
 * @param text at most MAX_ROBOTS_BYTES of it are of use.
 * @param product the product token of our user agent, such as "Carrel".
 */
export function parseRobots(text: string, product: string): Robots {
  const { groups, sitemaps } = parseGroups(text);
  const agent = product.toLowerCase();
  const own = groups.filter(({ agents }) => agents.includes(agent));
  // Several groups for one agent are one group; the star speaks only to those who have none.
  const chosen = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes("*"));
  const rules = chosen.flatMap((group) => group.rules);
  const delays = chosen.flatMap((group) => group.delays.get(own.length > 0 ? agent : "*") ?? []);
  return {
    sitemaps,
    crawlDelayS: delays.length === 0 ? undefined : Math.max(...delays),
    verdict(pathAndQuery) {
      const path = normalise(pathAndQuery);
      // RFC 9309 section 2.2.2: the file itself is always allowed.
      if (path === "/robots.txt") return { allowed: true, rule: "" };
      let best: Rule | undefined;
      for (const rule of rules) {
        const beats = best === undefined || rule.length > best.length || (rule.length === best.length && rule.allow);
        if (beats && matches(rule, path)) best = rule;
      }
      return best === undefined ? { allowed: true, rule: "" } : { allowed: best.allow, rule: best.line };
    },
  };
}

function parseGroups(text: string): { groups: readonly Group[]; sitemaps: readonly string[] } {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let group: Group | undefined;
  let inAgents = false;
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/)) {
    const record = parseLine(line);
    if (record === undefined) continue;
    const { key, value } = record;
    switch (key) {
      case "agent":
        if (!inAgents || group === undefined) {
          group = { agents: [], rules: [], delays: new Map() };
          groups.push(group);
        }
        inAgents = true;
        group.agents.push(agentToken(value));
        break;
      case "allow":
      case "disallow":
        inAgents = false;
        if (value !== "") group?.rules.push(toRule(key === "allow", value));
        break;
      case "delay":
        if (group !== undefined && /^\d{1,9}(\.\d{1,9})?$/.test(value)) delay(group, Number(value));
        break;
      case "sitemap":
        sitemaps.push(value);
        break;
    }
  }
  return { groups, sitemaps };
}

/**
 * By the RFC this is no rule and does not end the list of agents, so the agents named after it share the group's rules; but
 * whoever writes it means the agents named before.
 */
function delay(group: Group, seconds: number): void {
  const unset = group.agents.filter((agent) => !group.delays.has(agent));
  for (const agent of unset.length > 0 ? unset : group.agents) group.delays.set(agent, seconds);
}

function parseLine(line: string): { key: (typeof KEYS)[string]; value: string } | undefined {
  const comment = line.indexOf("#");
  const text = (comment === -1 ? line : line.slice(0, comment)).trim();
  let split = text.indexOf(":");
  // "Disallow /x" is understood as well, but only when there are two words.
  if (split === -1) {
    split = text.search(/[ \t]/);
    if (split === -1 || /[ \t]/.test(text.slice(split).trim())) return undefined;
  }
  const key = KEYS[text.slice(0, split).trim().toLowerCase()];
  return key === undefined ? undefined : { key, value: text.slice(split + 1).trim() };
}

/** "Carrel/1.0 (x)" speaks to "carrel": a product token is letters, "-" and "_". */
function agentToken(value: string): string {
  return value.startsWith("*") ? "*" : (/^[a-z_-]*/i.exec(value)?.[0] ?? "").toLowerCase();
}

function toRule(allow: boolean, value: string): Rule {
  const pattern = normalise(value);
  const anchored = pattern.endsWith("$");
  const pieces = (anchored ? pattern.slice(0, -1) : pattern).split("*");
  return { allow, line: `${allow ? "Allow" : "Disallow"}: ${value}`, pieces, anchored, length: pattern.length };
}

/** Each piece is searched once, from where the one before ended: linear in the path, whatever the pattern. */
function matches({ pieces, anchored }: Rule, path: string): boolean {
  const [first = "", ...rest] = pieces;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = anchored ? rest.pop() : undefined;
  if (anchored && last === undefined) return at === path.length;
  for (const piece of rest) {
    const found = path.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return last === undefined || (path.endsWith(last) && path.length - last.length >= at);
}

/**
 * One spelling for both sides: what is not ASCII is escaped, escapes are in upper case, and those that need not be are
 * undone. Source: RFC 9309 section 2.2.2.
 */
function normalise(path: string): string {
  return path.replace(/[^\0-\x7F]+/g, escapeAll).replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : escape.toUpperCase();
  });
}

function escapeAll(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase()}`).join("");
}
