// Data of the guide pages. The site renders the Markdown.

import type { GuideListData, GuideTextData } from "#site/guide/data.ts";

import type { Documents } from "./documents.ts";
import { withBaseUrl } from "./links.ts";
import { SCHEMA_NAMES } from "./schemas.ts";

export const guideList = ({ guides }: Pick<Documents, "guides">): GuideListData => ({
  guides,
  schemas: SCHEMA_NAMES,
});

/** Returns a guide with the server's URL inserted. Null if unknown. */
export function guideText(
  { docs, guides }: Pick<Documents, "docs" | "guides">,
  name: string,
  baseUrl: string,
): GuideTextData | null {
  const guide = guides.find((item) => item.name === name);
  const text = docs.get(name);
  if (guide === undefined || text === undefined) return null;
  const { title, summary } = guide;
  const markdown = withBaseUrl(text, baseUrl);
  const source = `/docs/${name}.md`;
  return { title, summary, markdown, fragments: "text", source, guides, current: name };
}

/** Finds a guide case-insensitively. Its canonical address is lower case. */
export function findGuide(
  documents: Pick<Documents, "docs" | "guides">,
  name: string,
  baseUrl: string,
): GuideTextData | { movedTo: string } | null {
  const lowerName = name.toLowerCase();
  const isRedirect = lowerName !== name && documents.docs.has(lowerName);
  return isRedirect ? { movedTo: `/guide/${lowerName}` } : guideText(documents, name, baseUrl);
}
