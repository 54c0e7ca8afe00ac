/** Upper bounds of the histogram's buckets, in seconds: a search takes milliseconds, a written answer seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Labels = Readonly<Record<string, string>>;

interface Histogram {
  readonly counts: number[];
  sum: number;
  count: number;
}

/** One sample of a metric. */
export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

/** A metric that is read when it is asked for. */
export interface Reading {
  readonly name: string;
  readonly help: string;
  readonly type: "gauge" | "counter";
  readonly samples: readonly Sample[];
}

/**
 * What was answered since the server started, in Prometheus' text format. Written by hand: it is three kinds of lines, and
 * a package for it brings others along.
 * Source: https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4.
 */
export class Metrics {
  readonly #requests = new Map<string, { readonly labels: Labels; value: number }>();
  readonly #durations = new Map<string, { readonly labels: Labels; readonly histogram: Histogram }>();
  readonly #failures = new Map<string, { readonly labels: Labels; value: number }>();

  /** Notes one request that is over. */
  observe(surface: string, call: string, status: number, seconds: number): void {
    add(this.#requests, { surface, call, status: String(status) });
    const labels = { surface, call };
    const key = JSON.stringify(labels);
    const { histogram } = this.#durations.get(key) ?? { histogram: { counts: BUCKETS.map(() => 0), sum: 0, count: 0 } };
    this.#durations.set(key, { labels, histogram });
    const bucket = BUCKETS.findIndex((bound) => seconds <= bound);
    if (bucket !== -1) histogram.counts[bucket] = (histogram.counts[bucket] ?? 0) + 1;
    histogram.sum += seconds;
    histogram.count++;
  }

  /** Notes that a tool could not do what it was called for. */
  fail(surface: string, call: string): void {
    add(this.#failures, { surface, call });
  }

  /** @param readings what else there is to say. */
  render(readings: readonly Reading[]): string {
    const lines = [
      ...metric({
        name: "carrel_requests_total",
        help: "Requests that were answered.",
        type: "counter",
        samples: [...this.#requests.values()],
      }),
      ...metric({
        name: "carrel_failed_calls_total",
        help: "Calls that were answered with an error.",
        type: "counter",
        samples: [...this.#failures.values()],
      }),
      "# HELP carrel_request_duration_seconds From the head of a request to the end of its answer.",
      "# TYPE carrel_request_duration_seconds histogram",
      ...[...this.#durations.values()].flatMap(({ labels, histogram }) => histogramLines(labels, histogram)),
      ...readings.flatMap(metric),
    ];
    return `${lines.join("\n")}\n`;
  }
}

function add(counters: Map<string, { readonly labels: Labels; value: number }>, labels: Labels): void {
  const key = JSON.stringify(labels);
  const counter = counters.get(key) ?? { labels, value: 0 };
  counter.value++;
  counters.set(key, counter);
}

function metric({ name, help, type, samples }: Reading): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map((sample) => sampleLine(name, sample))];
}

function histogramLines(labels: Labels, { counts, sum, count }: Histogram): readonly string[] {
  const name = "carrel_request_duration_seconds";
  let below = 0;
  const buckets = BUCKETS.map((bound, i) => {
    below += counts[i] ?? 0;
    return sampleLine(`${name}_bucket`, { labels: { ...labels, le: String(bound) }, value: below });
  });
  return [
    ...buckets,
    sampleLine(`${name}_bucket`, { labels: { ...labels, le: "+Inf" }, value: count }),
    sampleLine(`${name}_sum`, { labels, value: sum }),
    sampleLine(`${name}_count`, { labels, value: count }),
  ];
}

function sampleLine(name: string, { labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
