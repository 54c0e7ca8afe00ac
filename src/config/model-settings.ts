import { resolve } from "node:path";
import { CarrelError } from "../domain/errors.ts";

/** Settings of the models that a search may use, and of the engine that it runs on. */
export const MODEL_SETTINGS = {
  embeddingsEndpoint: {
    variable: "CARREL_EMBEDDINGS_ENDPOINT",
    default: "",
    about:
      "URL of an OpenAI-compatible server on your network that makes vectors of passages; without it words find them",
  },
  embeddingsModel: {
    variable: "CARREL_EMBEDDINGS_MODEL",
    default: "",
    about: "model that makes vectors, as the server calls it",
  },
  embeddingsKeyFile: {
    variable: "CARREL_EMBEDDINGS_KEY_FILE",
    default: "",
    about: "file that holds the key of the server that makes vectors",
  },
  embeddingsQueryPrefix: {
    variable: "CARREL_EMBEDDINGS_QUERY_PREFIX",
    default: "",
    about: "what the model wants before a query, such as `search_query: `",
  },
  embeddingsDocumentPrefix: {
    variable: "CARREL_EMBEDDINGS_DOCUMENT_PREFIX",
    default: "",
    about: "what the model wants before a passage, such as `search_document: `",
  },
  embeddingsTimeout: {
    variable: "CARREL_EMBEDDINGS_TIMEOUT",
    default: "300",
    about: "longest time in milliseconds that a search waits for the vector of its query",
  },
  rerankEndpoint: {
    variable: "CARREL_RERANK_ENDPOINT",
    default: "",
    about: "URL of a server on your network that orders the best passages (/v1/rerank)",
  },
  rerankModel: {
    variable: "CARREL_RERANK_MODEL",
    default: "",
    about: "model that orders them, as the server calls it",
  },
  rerankKeyFile: {
    variable: "CARREL_RERANK_KEY_FILE",
    default: "",
    about: "file that holds the key of the server that orders them",
  },
  rerankTimeout: {
    variable: "CARREL_RERANK_TIMEOUT",
    default: "1000",
    about: "longest time in milliseconds that a search waits for their order",
  },
  indexEngine: {
    variable: "CARREL_INDEX_ENGINE",
    default: "postings",
    about: "engine of the index: postings, or orama-memory for Orama as it comes, in memory, for small corpora",
  },
} as const;

/** A model that is served. */
interface ModelEndpoint {
  /** An http or https URL. */
  readonly endpoint: string;
  readonly model: string;
  /** Absolute path; "" for a server without keys. */
  readonly keyFile: string;
}

export interface ModelSettings {
  /** An http or https URL; "" when there is no such model. */
  readonly embeddingsEndpoint: string;
  /** Not empty when there is an endpoint. */
  readonly embeddingsModel: string;
  /** Absolute path; "" for an endpoint without keys. */
  readonly embeddingsKeyFile: string;
  readonly embeddingsQueryPrefix: string;
  readonly embeddingsDocumentPrefix: string;
  /** Milliseconds. */
  readonly embeddingsTimeout: number;
  readonly rerankEndpoint: string;
  readonly rerankModel: string;
  readonly rerankKeyFile: string;
  readonly rerankTimeout: number;
  readonly indexEngine: "postings" | "orama-memory";
}

type Pick = (key: keyof typeof MODEL_SETTINGS) => string;

const MAX_TIMEOUT_MS = 60_000;

/** @throws CarrelError `invalid` for a value that cannot be. */
export function modelSettings(pick: Pick): ModelSettings {
  const engine = pick("indexEngine");
  if (engine !== "postings" && engine !== "orama-memory") {
    throw new CarrelError(
      "invalid",
      `${MODEL_SETTINGS.indexEngine.variable} is "${engine}"; give postings or orama-memory.`,
    );
  }
  const embeddings = endpointSettings(pick, "embeddingsEndpoint", "embeddingsModel", "embeddingsKeyFile");
  if (engine === "orama-memory" && embeddings.endpoint !== "") {
    throw new CarrelError(
      "invalid",
      `${MODEL_SETTINGS.indexEngine.variable} is orama-memory, which keeps no vectors, and ${MODEL_SETTINGS.embeddingsEndpoint.variable} is set; unset one of them.`,
    );
  }
  const rerank = endpointSettings(pick, "rerankEndpoint", "rerankModel", "rerankKeyFile");
  return {
    embeddingsEndpoint: embeddings.endpoint,
    embeddingsModel: embeddings.model,
    embeddingsKeyFile: embeddings.keyFile,
    embeddingsQueryPrefix: pick("embeddingsQueryPrefix"),
    embeddingsDocumentPrefix: pick("embeddingsDocumentPrefix"),
    embeddingsTimeout: milliseconds(pick, "embeddingsTimeout"),
    rerankEndpoint: rerank.endpoint,
    rerankModel: rerank.model,
    rerankKeyFile: rerank.keyFile,
    rerankTimeout: milliseconds(pick, "rerankTimeout"),
    indexEngine: engine,
  };
}

function endpointSettings(
  pick: Pick,
  endpointKey: keyof typeof MODEL_SETTINGS,
  modelKey: keyof typeof MODEL_SETTINGS,
  fileKey: keyof typeof MODEL_SETTINGS,
): ModelEndpoint {
  const [endpoint, model, keyFile] = [pick(endpointKey), pick(modelKey), pick(fileKey)];
  const [endpointName, modelName] = [MODEL_SETTINGS[endpointKey].variable, MODEL_SETTINGS[modelKey].variable];
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isHttp = (url?.protocol === "http:" || url?.protocol === "https:") && url.username === "" && url.search === "";
  if (endpoint !== "" && !isHttp) {
    throw new CarrelError(
      "invalid",
      `${endpointName} is no http or https URL without user and parameters; a key goes into a file, which ${MODEL_SETTINGS[fileKey].variable} names.`,
    );
  }
  if ((endpoint === "") !== (model === "")) {
    const [missing, given] = model === "" ? [modelName, endpointName] : [endpointName, modelName];
    throw new CarrelError("invalid", `${given} is set and ${missing} is not; it takes a server and a model.`);
  }
  return { endpoint, model, keyFile: keyFile === "" ? "" : resolve(keyFile) };
}

function milliseconds(pick: Pick, key: keyof typeof MODEL_SETTINGS): number {
  const value = Number(pick(key));
  if (Number.isSafeInteger(value) && value >= 1 && value <= MAX_TIMEOUT_MS) return value;
  throw new CarrelError(
    "invalid",
    `${MODEL_SETTINGS[key].variable} is "${pick(key)}"; give a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}.`,
  );
}
