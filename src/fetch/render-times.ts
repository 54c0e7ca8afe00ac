/** How long the browser may take, in milliseconds. */
export interface RenderTimes {
  /** Of one page, the time in which its requests are answered not counted: sites may be slow, and are asked slowly. */
  readonly pageMs: number;
  /** Of one page, all in all. */
  readonly totalMs: number;
  /** Nothing is asked for and nothing changes for this long: the page is there. */
  readonly quietMs: number;
  /** A page that goes on changing, by a clock say, is there after so long without a request. */
  readonly restlessMs: number;
  /** A page that does not answer for so long is busy. */
  readonly evaluateMs: number;
  /** A page without text is given this long. */
  readonly emptyMs: number;
}

export const DEFAULT_RENDER_TIMES: RenderTimes = {
  pageMs: 30_000,
  totalMs: 300_000,
  quietMs: 400,
  restlessMs: 3_000,
  evaluateMs: 5_000,
  emptyMs: 5_000,
};
