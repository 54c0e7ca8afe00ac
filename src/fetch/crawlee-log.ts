import type * as Crawlee from "@crawlee/basic";
import type { Logger } from "../domain/ports.ts";

/** Said by the crawl itself, shorter and with the reason; or of no concern to the person who watches. */
const SAID_OTHERWISE = [
  "Reclaiming failed request",
  "Request failed and reached maximum retries",
  // Ctrl-C is handled by the command; Crawlee's advice on how to go on is wrong here.
  "Pausing...",
];

/** Crawlee's log, by way of ours. It writes to standard output otherwise, which belongs to results and to MCP. */
export function createCrawleeLog(crawlee: typeof Crawlee, logger: Logger): Crawlee.Log {
  class Bridge extends crawlee.Logger {
    override log(_level: number, message: string, _data?: unknown, exception?: unknown): void {
      if (SAID_OTHERWISE.some((start) => message.startsWith(start))) return;
      const reason = exception instanceof Error ? `: ${exception.message}` : "";
      logger.warn(`crawlee: ${message}${reason}`);
    }
  }
  return new crawlee.Log({ level: crawlee.LogLevel.WARNING, logger: new Bridge({}) });
}
