// What stands between masthead and footer of the pages made of Markdown.

import type { Documents } from "./documents.ts";
import type { Guide } from "./guides.ts";
import { escapeHtml, fragmentOf, renderMarkdown } from "./markdown.ts";
import type { Heading, IdOf } from "./markdown.ts";

/** The inside of a page; the site puts its frame around it. */
export type PageContent = { title: string; description: string; html: string };

/** What stands where there is no page. */
export const NO_PAGE: PageContent = {
  title: "Not found",
  description: "There is no such page.",
  html:
    '<div class="missing"><h1>Not found</h1><p class="lead">There is no such page.</p>' +
    '<p><a class="button" href="/">To the ladder</a> <a class="button quiet" href="/guide">To the guides</a></p></div>',
};

/** Depth of headings in the list of a page's parts. */
const LISTED_LEVEL = 2;
/** A list of so few parts helps nobody. */
const LISTED_LEAST = 3;

/** A guide; null when there is none of this name. */
export function guidePage({ docs, guides }: Documents, name: string): PageContent | null {
  const guide = guides.find((one) => one.name === name);
  const text = docs.get(name);
  if (guide === undefined || text === undefined) return null;
  return {
    title: guide.title,
    description: guide.summary,
    html: layout(guides, name, text, `/docs/${name}.md`),
  };
}

/** The list of all guides, with the schemas behind it. */
export function guideIndex({ guides }: Documents, schemas: readonly string[]): PageContent {
  const groups = [...Map.groupBy(guides, ({ group }) => group)].map(
    ([group, own]) => `<h2>${escapeHtml(group)}</h2><dl>${own.map(entry).join("")}</dl>`,
  );
  const links = schemas.map(
    (name) => `<li><a href="/docs/schema/${name}.json">${escapeHtml(name)}</a></li>`,
  );
  const html =
    `<div class="guide"><article class="prose"><h1>Guides</h1>${groups.join("")}` +
    `<h2>For programs</h2><p>The guides as Markdown are listed at <a href="/docs">/docs</a>, ` +
    `the HTTP API is described by <a href="/openapi.json">/openapi.json</a>, and ` +
    `<a href="/llms.txt">/llms.txt</a> is a list for language models. Schemas:</p>` +
    `<ul class="columns">${links.join("")}</ul></article></div>`;
  return { title: "Guides", description: "Everything there is to read about Bout.", html };
}

function entry({ name, title, summary }: Guide): string {
  return `<dt><a href="/guide/${name}">${escapeHtml(title)}</a></dt><dd>${escapeHtml(summary)}</dd>`;
}

/** What changed, newest first; null when nothing was written down. */
export function changelogPage({
  changelog,
  guides,
}: Pick<Documents, "changelog" | "guides">): PageContent | null {
  if (changelog === null) return null;
  return {
    title: "Changes",
    description: "What changed from release to release.",
    html: layout(guides, null, changelog.replace(EMPTY_SECTION, ""), "/api/changelog", releaseId),
  };
}

/** Right after a release nothing is unreleased. */
const EMPTY_SECTION = /^## Unreleased\n+(?=## )/m;

/** A release is found as `#v0.48.1`, whatever else its heading says. */
const releaseId: IdOf = (heading) => {
  const version = /^v?(\d+\.\d+\.\d+)/.exec(heading)?.[1];
  return version === undefined ? fragmentOf(heading) : `v${version}`;
};

function layout(
  guides: readonly Guide[],
  current: string | null,
  text: string,
  source: string,
  idOf: IdOf = fragmentOf,
): string {
  const { html, headings } = renderMarkdown(text, idOf);
  const asData = `<p class="sub"><a href="${source}">This page for programs</a></p>`;
  return (
    `<div class="guide"><article class="prose">${html}${asData}</article>` +
    `${partsOf(headings)}${shelf(guides, current)}</div>`
  );
}

function partsOf(headings: readonly Heading[]): string {
  const listed = headings.filter(({ level }) => level === LISTED_LEVEL);
  if (listed.length < LISTED_LEAST) return "";
  const links = listed.map(
    ({ id, text }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="guide-parts" aria-label="On this page"><h2>On this page</h2><ul>${links.join("")}</ul></nav>`;
}

function shelf(guides: readonly Guide[], current: string | null): string {
  const groups = [...Map.groupBy(guides, ({ group }) => group)].map(([group, own]) => {
    const links = own.map(({ name, title }) => {
      const mark = name === current ? ' aria-current="page"' : "";
      return `<li><a href="/guide/${name}"${mark}>${escapeHtml(title)}</a></li>`;
    });
    return `<h3>${escapeHtml(group)}</h3><ul>${links.join("")}</ul>`;
  });
  return `<nav class="guide-shelf" aria-label="Guides"><h2><a href="/guide">Guides</a></h2>${groups.join("")}</nav>`;
}
