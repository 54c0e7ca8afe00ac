// What `urls.state` means. 0, 1 and 3 stand in the partial indexes of the schema too.
export const URL_WAITING = 0;
export const URL_IN_FLIGHT = 1;
/** Something came of it: see `urls.outcome`. */
export const URL_DONE = 2;
/** Known, and not asked for: beyond the limit that `urls.detail` names. */
export const URL_LEFT_OUT = 3;
/** Known, and out of scope as the source is listed today. */
export const URL_OUT_OF_SCOPE = 4;
/** Known, and so long the same that it need not be asked for yet. */
export const URL_NOT_DUE = 5;
