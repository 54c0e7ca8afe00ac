/** The kinds of notes that a rule may name. */
export const NOTE_KINDS = ["note", "tip", "important", "warning", "caution", "danger", "info", "example"] as const;

export type NoteKind = (typeof NOTE_KINDS)[number];

/** What certain elements of a site's pages are, where their markup does not say it; the first rule that matches wins. */
export type ConvertRule = {
  /** CSS selector of the elements that are meant. */
  readonly match: string;
} & ElementMeaning;

export type ElementMeaning =
  /** A block of code. */
  | { readonly as: "code"; readonly language?: string | undefined }
  /** A note that is set off from the text. */
  | {
      readonly as: NoteKind;
      /** What is written in place of the word for the kind. */
      readonly label?: string | undefined;
      /** CSS selector of its title within it. */
      readonly title?: string | undefined;
    }
  /** Panels of which one is seen at a time, all of them kept under their labels. */
  | {
      readonly as: "tabs";
      /** CSS selector of the panels within. */
      readonly panels: string;
      /** CSS selector of the labels within, in the order of the panels. */
      readonly labels?: string | undefined;
      /** The attribute of each panel that holds its label. */
      readonly labelAttribute?: string | undefined;
    }
  /** Terms, each with what is said of it after it. */
  | {
      readonly as: "definitions";
      /** CSS selector of the terms within. */
      readonly terms: string;
    }
  | { readonly as: "heading"; readonly level: number }
  /** A paragraph; a quotation; or only what is in it, whatever the element would mean otherwise. */
  | { readonly as: "paragraph" | "quote" | "text" };
