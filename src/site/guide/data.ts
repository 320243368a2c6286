// Data of the guide pages.

/** A guide as it appears in lists of guides. */
export type Guide = { name: string; group: string; title: string; summary: string };

/** A heading of a text; `id` is its URL fragment. */
export type Heading = { level: number; id: string; text: string };

/** A text shown next to the list of guides. */
export type GuideTextData = {
  title: string;
  summary: string;
  /** Rendered from Markdown with raw HTML escaped, so it is safe to insert. */
  html: string;
  /** In the order of the text. */
  headings: readonly Heading[];
  /** The same text as Markdown. */
  source: string;
  /** All guides, in reading order. */
  guides: readonly Guide[];
  /** The name of this guide, or null if it isn't one. */
  current: string | null;
};

export type GuideListData = {
  /** In reading order. */
  guides: readonly Guide[];
  /** Names below /docs/schema/. */
  schemas: readonly string[];
};
