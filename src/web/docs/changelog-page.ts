// Page data of `/changelog` and `/changelog/all`. Players' changes come before upgrade notes, which
// are for operators.

import type { GuideTextData } from "#site/guide/data.ts";

import type { Documents } from "./documents.ts";
import { withBaseUrl } from "./links.ts";

/** Releases on `/changelog`, in addition to unreleased changes. */
const LATEST_COUNT = 3;

const SHOW_ALL = "\n[Show all releases](/changelog/all)\n";

const RELEASE_START = /^(?=## )/m;
const SECTION_START = /^(?=### )/m;

type ChangelogScope = "latest" | "all";

/** Returns the newest releases, or all, newest first. Null if the project has no changelog. */
export function changelogText(
  { changelog, guides }: Pick<Documents, "changelog" | "guides">,
  baseUrl: string,
  scope: ChangelogScope = "latest",
): GuideTextData | null {
  if (changelog === null) return null;
  const [intro = "", ...releases] = changelog.replace(EMPTY_SECTION, "").split(RELEASE_START);
  const shown = selectReleases(releases, scope);
  const end = shown.length < releases.length ? SHOW_ALL : "";
  const markdown = [intro, ...shown.map(moveUpgradeNotes), end].join("");
  return {
    title: "Changelog",
    summary: "Changes in each release, newest first.",
    markdown: withBaseUrl(markdown, baseUrl),
    fragments: "release",
    source: "/api/changelog",
    guides,
    current: null,
  };
}

function selectReleases(releases: readonly string[], scope: ChangelogScope): readonly string[] {
  if (scope === "all") return releases;
  const unreleasedCount = releases.filter((text) => !isRelease(text)).length;
  return releases.slice(0, unreleasedCount + LATEST_COUNT);
}

const isRelease = (text: string): boolean => RELEASE_VERSION.test(text.replace(/^## /, ""));

function moveUpgradeNotes(release: string): string {
  const [heading = "", ...sections] = release.split(SECTION_START);
  const isForOperators = (section: string) => section.startsWith("### Upgrade notes");
  const ordered = [
    ...sections.filter((section) => !isForOperators(section)),
    ...sections.filter(isForOperators),
  ];
  return [heading, ...ordered.map((section) => `${section.trimEnd()}\n\n`)].join("");
}

/** Matches an Unreleased section without entries, as it is after a release. */
const EMPTY_SECTION = /^## Unreleased\n+(?=## )/m;
const RELEASE_VERSION = /^v?(\d+\.\d+\.\d+)/;
