import { CarrelError } from "../domain/errors.ts";

/** Gives up on work that takes too long. @throws CarrelError `unavailable` then. */
export async function inTime<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(new CarrelError("unavailable", `This took longer than ${deadlineMs / 1000} seconds and was given up.`)),
      deadlineMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
