import type { IncomingMessage, ServerResponse } from "node:http";
import type { Run } from "../domain/run.ts";
import { callerError } from "./errors.ts";
import type { Front } from "./front.ts";
import { ONLY_WHOLE_KEYS } from "./gate.ts";
import { sendError, sendJson, sendPlain } from "./http-reply.ts";
import type { Reading, Sample } from "./metrics.ts";

/** Runs of a source among which the last complete one is looked for. */
const LOOKED_AT_RUNS = 50;

export function isWatchPath(path: string): boolean {
  return path === "/healthz" || path === "/readyz" || path === "/metrics";
}

/** Answers those who watch the server: whether it is alive, whether it can answer, and how it does. */
export function sendWatch(front: Front, path: string, request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return sendError(response, 405, "Only GET is answered here.", { allow: "GET, HEAD" });
  }
  if (path === "/healthz") return sendJson(response, 200, { status: "ok" });
  try {
    if (path === "/readyz") sendReadiness(front, request, response);
    else sendMetrics(front, request, response);
  } catch (thrown) {
    const { status, message } = callerError(thrown, front.options.logger);
    sendError(response, status, message);
  }
}

/**
 * Whether there is anything to ask: documents, and an index that knows of them, if perhaps not yet of the newest. Where keys
 * are wanted, how many documents there are is told to those who have one, and counts what that one may see.
 */
function sendReadiness({ options, gate }: Front, request: IncomingMessage, response: ServerResponse): void {
  const { documents, revision, indexRevision } = options.queries.status();
  const ready = documents > 0 && indexRevision > 0;
  const status = ready ? "ready" : documents === 0 ? "no documents yet" : "the index is being built";
  const code = ready ? 200 : 503;
  const caughtUp = indexRevision === revision;
  if (!gate.areKeysWanted) return sendJson(response, code, { status, caughtUp, documents, revision, indexRevision });
  const entry = gate.enter(request);
  if (entry.kind === "out" || entry.caller.isAnonymous) return sendJson(response, code, { status, caughtUp });
  const seen = entry.caller.queries.status().documents;
  return sendJson(response, code, { status, caughtUp, documents: seen, revision, indexRevision });
}

/** Where keys are wanted, whoever has one that is not limited to sources may read the metrics: they name all sources. */
function sendMetrics(front: Front, request: IncomingMessage, response: ServerResponse): void {
  const entry = front.gate.enterWithKey(request);
  const refusal = entry.kind === "out" ? entry.refusal : entry.caller.isLimited ? ONLY_WHOLE_KEYS : undefined;
  if (refusal !== undefined) {
    return sendError(response, refusal.status, refusal.message, refusal.headers, refusal.details);
  }
  const readings = [...processReadings(front), ...corpusReadings(front)];
  sendPlain(response, front.metrics.render(readings), "text/plain; version=0.0.4; charset=utf-8");
}

function gauge(name: string, help: string, samples: readonly Sample[]): Reading {
  return { name, help, type: "gauge", samples };
}

function processReadings(front: Front): readonly Reading[] {
  const { user, system } = process.cpuUsage();
  return [
    gauge("carrel_info", "Which Carrel this is.", [{ labels: { version: front.options.version }, value: 1 }]),
    gauge("carrel_requests_in_flight", "Requests that are being answered.", [{ value: front.inFlight }]),
    {
      name: "process_cpu_seconds_total",
      help: "User and system time, in seconds.",
      type: "counter",
      samples: [{ value: (user + system) / 1e6 }],
    },
    gauge("process_resident_memory_bytes", "Memory in use.", [{ value: process.memoryUsage.rss() }]),
    gauge("process_start_time_seconds", "When the server started.", [
      { value: Math.round(Date.now() / 1000 - process.uptime()) },
    ]),
    gauge("carrel_event_loop_delay_seconds", "How late the event loop was since the last reading.", [
      { labels: { quantile: "0.5" }, value: front.delay.percentile(50) / 1e9 },
      { labels: { quantile: "0.99" }, value: front.delay.percentile(99) / 1e9 },
      { labels: { quantile: "1" }, value: front.delay.max / 1e9 },
    ]),
  ];
}

function corpusReadings({ options, delay }: Front): readonly Reading[] {
  delay.reset();
  const { documents, revision, indexRevision, sources } = options.queries.status();
  const latest = sources.map(({ source }) => ({
    labels: { source },
    runs: options.runs?.(LOOKED_AT_RUNS, source).filter(({ status }) => status !== "running") ?? [],
  }));
  const ofLast = (value: (run: Run) => number): readonly Sample[] =>
    latest.flatMap(({ labels, runs: [last] }) => (last === undefined ? [] : [{ labels, value: value(last) }]));
  const secondsOf = (run: Run): number => Date.parse(run.endedAt ?? run.startedAt) / 1000;
  return [
    gauge("carrel_documents", "Documents in all.", [{ value: documents }]),
    gauge(
      "carrel_source_documents",
      "Documents of a source.",
      sources.map(({ source, documents: value }) => ({ labels: { source }, value })),
    ),
    gauge("carrel_corpus_revision", "Revision of the corpus.", [{ value: revision }]),
    gauge("carrel_index_revision", "Revision that searches see.", [{ value: indexRevision }]),
    gauge(
      "carrel_source_last_complete_run_timestamp_seconds",
      "When the last run of a source that is complete ended.",
      latest.flatMap(({ labels, runs }) => {
        const complete = runs.find(({ status }) => status === "complete");
        return complete === undefined ? [] : [{ labels, value: secondsOf(complete) }];
      }),
    ),
    gauge("carrel_source_last_run_timestamp_seconds", "When the last run of a source ended.", ofLast(secondsOf)),
    gauge(
      "carrel_source_last_run_complete",
      "Whether that one was complete.",
      ofLast(({ status }) => (status === "complete" ? 1 : 0)),
    ),
    gauge(
      "carrel_source_last_run_failures",
      "Pages that failed in it.",
      ofLast(({ counts }) => counts.failed),
    ),
  ];
}
