export type Guide = { name: string; group: string; title: string; summary: string };

/** `id` is the heading's URL fragment. */
export type Heading = { level: number; id: string; text: string };

export type GuideTextData = {
  title: string;
  summary: string;
  /** Rendered from Markdown with raw HTML escaped, so it's safe to insert. */
  html: string;
  headings: readonly Heading[];
  source: string;
  guides: readonly Guide[];
  current: string | null;
};

export type GuideListData = {
  /** All guides, in reading order. */
  guides: readonly Guide[];
  /** File names under /docs/schema/. */
  schemas: readonly string[];
};
