// Splits guides into the sections that the search of the site finds.

import { setImmediate as nextTurn } from "node:timers/promises";

import { fragmentOf } from "#core/api/guide-links.ts";
import type { GuideSection } from "#site/guide/data.ts";

import type { Documents } from "./documents.ts";
import { withBaseUrl } from "./links.ts";

const HEADING = /^#{1,6} (.*)$/;
const FENCE = /^\s*```/;

/** Splits one guide per turn of the event loop. */
export async function guideSections(
  { docs, guides }: Pick<Documents, "docs" | "guides">,
  baseUrl: string,
): Promise<GuideSection[]> {
  const sections: GuideSection[] = [];
  for (const { name, title } of guides) {
    const parts = splitSections(withBaseUrl(docs.get(name) ?? "", baseUrl));
    sections.push(...parts.map((part) => ({ guide: name, title: stripInline(title), ...part })));
    await nextTurn();
  }
  return sections;
}

type Section = Pick<GuideSection, "id" | "heading" | "text">;

export function splitSections(markdown: string): Section[] {
  const sections: { heading: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    const heading = isCode ? undefined : HEADING.exec(line)?.[1];
    if (FENCE.test(line)) isCode = !isCode;
    else if (heading !== undefined) sections.push({ heading: stripInline(heading), lines: [] });
    else sections.at(-1)?.lines.push(isCode ? line : stripLine(line));
  }
  return sections.map(({ heading, lines }) => ({
    id: fragmentOf(heading),
    heading,
    text: lines.join(" ").replaceAll(/\s+/g, " ").trim(),
  }));
}

/** Removes marks that readers don't see: targets of links, emphasis, code marks. */
const stripInline = (text: string): string =>
  text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\*\*|`|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])/g, "");

/** Removes marks of lists, quotes and tables too. */
const stripLine = (line: string): string =>
  stripInline(line)
    .replace(/^[|\s:-]+$/, "")
    .replace(/^\s*(?:[-*>]|\d+\.) /, "")
    .replaceAll(/(?<!\\)\|/g, " ");
