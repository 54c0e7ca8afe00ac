import { parentPort, workerData } from "node:worker_threads";
import { fitMeaning, type FitRequest } from "./fit.ts";

/** A thread that makes the meaning of an index, so that whoever waits for it can do something else. */
parentPort?.postMessage(fitMeaning(workerData as FitRequest));
