import type { OpenedAccess } from "../domain/access.ts";

/** Of a public site that is asked directly. */
export const NO_ACCESS: OpenedAccess = {
  proxies: { http: undefined, https: undefined, except: [] },
  tls: { ca: [], verify: true },
  headers: {},
  origins: new Set(),
  secrets: [],
};
