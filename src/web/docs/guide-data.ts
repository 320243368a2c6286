// The content of the pages made from Markdown. How they look is up to the site.

import type { GuideListData, GuideTextData } from "#site/guide/data.ts";

import type { Documents } from "./documents.ts";
import { atOwnAddress } from "./links.ts";
import { fragmentOf, renderMarkdown } from "./markdown.ts";
import type { IdOf } from "./markdown.ts";
import { SCHEMA_NAMES } from "./schemas.ts";

/** The list of all guides, followed by the schemas. */
export const guideList = ({ guides }: Pick<Documents, "guides">): GuideListData => ({
  guides,
  schemas: SCHEMA_NAMES,
});

/** A guide as the ladder at `baseUrl` has it, or null if there is none of this name. */
export function guideText(
  { docs, guides }: Pick<Documents, "docs" | "guides">,
  name: string,
  baseUrl: string,
): GuideTextData | null {
  const guide = guides.find((one) => one.name === name);
  const text = docs.get(name);
  if (guide === undefined || text === undefined) return null;
  const { title, summary } = guide;
  const rendered = renderMarkdown(atOwnAddress(text, baseUrl));
  return { title, summary, ...rendered, source: `/docs/${name}.md`, guides, current: name };
}

/** The same for a name in any letter case: its own address is in lower case. */
export function guideNamed(
  documents: Pick<Documents, "docs" | "guides">,
  name: string,
  baseUrl: string,
): GuideTextData | { movedTo: string } | null {
  const lower = name.toLowerCase();
  const isElsewhere = lower !== name && documents.docs.has(lower);
  return isElsewhere ? { movedTo: `/guide/${lower}` } : guideText(documents, name, baseUrl);
}

/** The changelog, newest first; null if there is none. */
export function changelogText(
  { changelog, guides }: Pick<Documents, "changelog" | "guides">,
  baseUrl: string,
): GuideTextData | null {
  if (changelog === null) return null;
  const text = atOwnAddress(changelog.replace(EMPTY_SECTION, ""), baseUrl);
  return {
    title: "Changelog",
    summary: "Changes in each release, newest first.",
    ...renderMarkdown(text, releaseIds()),
    source: "/api/changelog",
    guides,
    current: null,
  };
}

/** Right after a release, nothing is unreleased. */
const EMPTY_SECTION = /^## Unreleased\n+(?=## )/m;

/**
 * A release has the fragment `#v0.48.1`, and its parts `#v0.48.1-added`, which other releases have
 * too.
 */
function releaseIds(): IdOf {
  let release = "";
  return (heading) => {
    if (PARTS.has(heading)) return `${release}-${fragmentOf(heading)}`;
    const version = /^v?(\d+\.\d+\.\d+)/.exec(heading)?.[1];
    release = version === undefined ? fragmentOf(heading) : `v${version}`;
    return release;
  };
}

const PARTS: ReadonlySet<string> = new Set([
  "Upgrade notes",
  "Added",
  "Changed",
  "Deprecated",
  "Removed",
  "Fixed",
  "Security",
]);
