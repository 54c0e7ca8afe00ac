/** What a pipeline leaves out. Each is named in data/manual, and a test holds them together. */
export const DEFAULTS = {
  scopeType: "prefix",
  maxPages: 20_000,
  maxDepth: 50,
  maxPageBytes: 20_000_000,
  maxSiteBytes: 10_737_418_240,
  concurrency: 8,
  delayMs: 0,
  obeyRobots: true,
  followLinks: true,
  markdown: "off",
  render: "off",
  maxRecheckDays: 7,
  maxLoss: 0.2,
} as const;
