// Generates page data from Markdown. The site decides on the layout.

import type { GuideListData, GuideTextData } from "#site/guide/data.ts";

import type { Documents } from "./documents.ts";
import { withBaseUrl } from "./links.ts";
import { fragmentOf, renderMarkdown } from "./markdown.ts";
import type { HeadingIdFunction } from "./markdown.ts";
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
  const rendered = renderMarkdown(withBaseUrl(text, baseUrl));
  return { title, summary, ...rendered, source: `/docs/${name}.md`, guides, current: name };
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

/** Returns the changelog, newest release first. Null if the project has none. */
export function changelogText(
  { changelog, guides }: Pick<Documents, "changelog" | "guides">,
  baseUrl: string,
): GuideTextData | null {
  if (changelog === null) return null;
  const text = withBaseUrl(changelog.replace(EMPTY_SECTION, ""), baseUrl);
  return {
    title: "Changelog",
    summary: "Changes in each release, newest first.",
    ...renderMarkdown(text, releaseIds()),
    source: "/api/changelog",
    guides,
    current: null,
  };
}

/** Matches an Unreleased section without entries, as it is after a release. */
const EMPTY_SECTION = /^## Unreleased\n+(?=## )/m;

/**
 * Gives releases fragments such as `#v0.48.1`, and their sections `#v0.48.1-added`, because section
 * names repeat.
 */
function releaseIds(): HeadingIdFunction {
  let release = "";
  return (heading) => {
    if (CHANGELOG_SECTIONS.has(heading)) return `${release}-${fragmentOf(heading)}`;
    const version = /^v?(\d+\.\d+\.\d+)/.exec(heading)?.[1];
    release = version === undefined ? fragmentOf(heading) : `v${version}`;
    return release;
  };
}

const CHANGELOG_SECTIONS: ReadonlySet<string> = new Set([
  "Upgrade notes",
  "Added",
  "Changed",
  "Deprecated",
  "Removed",
  "Fixed",
  "Security",
]);
