/** What lines of blocks begin with. Source: docutils, "reStructuredText Markup Specification". */

export const BULLET = /^[-*+•‣⁃](?: +|$)/;
export const ENUMERATOR = /^(?:(\()?(\d{1,9}|[a-zA-Z]|[ivxlcdm]{2,8}|[IVXLCDM]{2,8}|#)(?:\)|\.(?!\S)))(?: +|$)/;
export const FIELD = /^:((?:\\.|[^:\\\s`]|[ :`](?=\S)){1,200}):(?: +|$)/;
export const OPTION =
  /^(?:-\w(?: ?[<\w][\w<>-]*)?|--?[\w-]+(?:[ =][<\w][^\s,]*)?|\/\w+)(?:, (?:-\w(?: ?[<\w][\w<>-]*)?|--?[\w-]+(?:[ =][<\w][^\s,]*)?))*(?: {2,}|$)/;
export const EXPLICIT = /^\.\.(?: |$)/;
export const DIRECTIVE = /^\.\. ((?:[\w-]+:)?[\w.+-]+) ?::(?: +|$)/;
export const NOTE = /^\.\. \[(#?[\w.-]*|\*)\](?: +|$)/;
export const ANONYMOUS_TARGET = /^__ \S/;
