import type { PageKind } from "../../domain/document.ts";
import type { Preset } from "../../domain/source.ts";
import type { TrailRule } from "../facts/breadcrumbs.ts";
import type { TitleRule } from "../facts/release.ts";

/** Pages that are no documentation. */
export interface SkipRule {
  /** Of their paths. */
  readonly path: RegExp;
  /** What else is in their HTML. */
  readonly html?: string;
  readonly what: string;
  /** They list what other pages explain, or repeat all of them: a pipeline may want them nevertheless. */
  readonly isIndex?: true;
}

/** Where a generator shows the product and its version. */
export interface ReleaseRule {
  readonly select: string;
  /** The attribute that holds them, in place of the text. */
  readonly attribute?: string;
  /** They stand behind these words. */
  readonly behind?: string;
  /** They are the product alone. */
  readonly isProduct?: true;
}

/** What is known of the pages of one documentation generator. */
export interface Generator {
  readonly id: Preset;
  readonly detect: {
    /** How the content of a `<meta name=generator>` begins, in lower case. */
    readonly meta?: readonly string[];
    /** Pieces of markup, of which one is in the HTML of every page: they begin with `<` or hold a quote, as text does not. */
    readonly html?: readonly string[];
    /** Selectors of elements that no other generator writes: they tell a piece of a page, which has nothing around it. */
    readonly parts?: readonly string[];
  };
  /** Selectors of the main content; the first that matches is taken, with all that it matches. */
  readonly content: readonly string[];
  /** Selectors of the title, where it stands outside of the content. */
  readonly title?: readonly string[];
  /** Selectors of elements in the content that are no part of it. */
  readonly drop?: readonly string[];
  /** Selectors of tables of contents: dropped, unless the page has nothing else. */
  readonly contents?: readonly string[];
  /** Classes of elements that are code blocks, though they are no `pre`. */
  readonly codeBlocks?: readonly string[];
  /** Classes of elements that are one line of code, such as a declaration. */
  readonly codeLines?: readonly string[];
  /** Classes of inline elements that stand on lines of their own. */
  readonly blocks?: readonly string[];
  /** Classes of lists that are there for the layout. */
  readonly layoutLists?: readonly string[];
  /** Tables made of boxes: the class of the table, and those of the first cell of a row. */
  readonly gridTable?: { readonly table: string; readonly firstCell: readonly string[] };
  /** Pages that are no documentation, by the path of their URL, and what they are. */
  readonly skip?: readonly SkipRule[];
  /** Where the trail of pages above a page is shown. */
  readonly trails?: readonly TrailRule[];
  /** Whether the head names the page above, and the first of all. */
  readonly trailInHead?: boolean;
  /** Elements that name the product and its version, or the version; the first that does counts. */
  readonly releases?: readonly ReleaseRule[];
  /** Where the title in the head names them. */
  readonly titleRelease?: TitleRule;
  /** Selectors of elements that say when the page was last changed: in words, or with a `datetime`. */
  readonly modified?: readonly string[];
  /** What its pages are, but for those that only list others. */
  readonly pageKind?: PageKind;
  /** Pieces of markup of pages that are a reference. */
  readonly referenceSigns?: readonly string[];
  /** The description in the head is the same for every page, or is made by a template. */
  readonly ignoreDescription?: boolean;
}
