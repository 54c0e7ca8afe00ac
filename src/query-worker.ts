import { parentPort, workerData } from "node:worker_threads";
import { createApp } from "./app.ts";
import type { Settings } from "./config/settings.ts";
import { warmUp } from "./flow/warm-up.ts";
import { answerThrough } from "./server/query-thread.ts";
import type { ThreadReply } from "./server/query-thread.ts";

/** A thread of the server that answers queries, with connections of its own to the stores. */

if (parentPort !== null) {
  const port = parentPort;
  const warn = (message: string): void => port.postMessage({ kind: "warning", message } satisfies ThreadReply);
  const app = createApp(workerData as Settings, { info: warn, warn });
  const reading = app.openReading();
  answerThrough(port, (sources) => (sources === undefined ? reading.queries : reading.queriesOf(sources)));
  void warmUp(reading.queries);
}
