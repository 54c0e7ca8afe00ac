import { Agent, request } from "node:http";

/** What one client got. */
export interface LoadResult {
  readonly requests: number;
  readonly errors: readonly string[];
  /** Replies that answer another question than was asked on that connection. */
  readonly crossed: number;
  /** Milliseconds of each request, sorted. */
  readonly ms: readonly number[];
  /** Milliseconds of each look at /healthz meanwhile, sorted. */
  readonly healthMs: readonly number[];
}

/** A question, and the documents of its right answer: what the server said when it was asked alone. */
export interface Probe {
  readonly query: string;
  readonly parents: string;
}

interface Reply {
  readonly id?: unknown;
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text: string }[];
    readonly structuredContent?: { readonly results?: readonly { readonly parent: string; readonly id: string }[] };
  };
}

const HEALTH_EVERY_MS = 50;
/** All clients number their requests alike, as real ones do: 1, 2, 3. */
const FIRST_ID = 1;

/** Asks each question once, alone. */
export async function learnAnswers(url: string, queries: readonly string[]): Promise<readonly Probe[]> {
  const agent = new Agent({ keepAlive: true });
  const probes: Probe[] = [];
  for (const query of queries) {
    const reply = await call(url, agent, query, FIRST_ID);
    probes.push({ query, parents: parentsOf(reply) });
  }
  agent.destroy();
  return probes;
}

/** Keeps so many clients asking, each one question after another, and looks at /healthz all the while. */
export async function load(
  url: string,
  probes: readonly Probe[],
  clients: number,
  seconds: number,
): Promise<LoadResult> {
  const end = performance.now() + seconds * 1000;
  const ms: number[] = [];
  const healthMs: number[] = [];
  const errors: string[] = [];
  let crossed = 0;

  async function client(number: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; performance.now() < end; i++) {
      const probe = probes[(number * 31 + i) % probes.length];
      if (probe === undefined) return;
      const start = performance.now();
      try {
        const reply = await call(url, agent, probe.query, FIRST_ID + i);
        ms.push(performance.now() - start);
        if (reply.result?.isError === true) errors.push(textOf(reply));
        else if (reply.id !== FIRST_ID + i || parentsOf(reply) !== probe.parents) crossed++;
      } catch (error) {
        errors.push(String(error));
      }
    }
    agent.destroy();
  }

  async function watch(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (performance.now() < end) {
      const start = performance.now();
      await send(new URL("healthz", url), agent, "GET", undefined).catch((error: unknown) =>
        errors.push(String(error)),
      );
      healthMs.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, HEALTH_EVERY_MS));
    }
    agent.destroy();
  }

  await Promise.all([watch(), ...Array.from({ length: clients }, (_, number) => client(number))]);
  const byTime = (a: number, b: number): number => a - b;
  return { requests: ms.length, errors, crossed, ms: ms.sort(byTime), healthMs: healthMs.sort(byTime) };
}

function textOf({ result }: Reply): string {
  return result?.content?.[0]?.text ?? "a failure without a text";
}

function parentsOf(reply: Reply): string {
  return (reply.result?.structuredContent?.results ?? []).map(({ parent, id }) => `${parent} ${id}`).join("\n");
}

async function call(url: string, agent: Agent, query: string, id: number): Promise<Reply> {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "search_documents", arguments: { query } },
  });
  const text = await send(new URL("mcp", url), agent, "POST", body);
  return JSON.parse(text) as Reply;
}

function send(url: URL, agent: Agent, method: string, body: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers =
      body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request(url, { agent, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`HTTP ${String(response.statusCode)}: ${text.slice(0, 200)}`));
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
