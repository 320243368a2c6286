export type Guide = { name: string; group: string; title: string; summary: string };

export type GuideTextData = {
  title: string;
  summary: string;
  /** Rendered by the page, off the thread that serves matches. */
  markdown: string;
  /**
   * How heading fragments are formed: from the heading's text, or from the release in the
   * changelog.
   */
  fragments: "text" | "release";
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

/** A part of a guide that its search finds. */
export type GuideSection = {
  guide: string;
  title: string;
  heading: string;
  /** The heading's URL fragment. */
  id: string;
  /** Without Markdown. */
  text: string;
};
