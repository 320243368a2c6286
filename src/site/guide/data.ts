// What the guides' pages are made of.

/** A guide as lists of guides show it. */
export type Guide = { name: string; group: string; title: string; summary: string };

/** A heading of a text; `id` is the fragment that leads to it. */
export type Heading = { level: number; id: string; text: string };

/** A text beside the list of its neighbours. */
export type GuideTextData = {
  title: string;
  summary: string;
  /** Made of Markdown whose raw HTML stayed text: safe as it is. */
  html: string;
  /** In the order of the text. */
  headings: readonly Heading[];
  /** Where programs find the same text. */
  source: string;
  /** All guides, in reading order. */
  guides: readonly Guide[];
  /** Name of the guide among them that this text is; null for another text. */
  current: string | null;
};

export type GuideListData = {
  /** In reading order. */
  guides: readonly Guide[];
  /** Names below /docs/schema/. */
  schemas: readonly string[];
};
