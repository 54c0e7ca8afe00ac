import { parentPort } from "node:worker_threads";
import type { ConversionInput } from "../domain/conversion.ts";
import { convertPage } from "./convert-page.ts";

// One page at a time: the pool sends the next when this one is answered.
parentPort?.on("message", (input: ConversionInput) => {
  void convertPage(input).then((conversion) => parentPort?.postMessage(conversion));
});
