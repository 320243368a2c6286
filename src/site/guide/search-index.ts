// Searches the sections of all guides. Loaded when a reader first uses the search field.

import MiniSearch from "minisearch";

import type { GuideSection } from "./data.ts";

/** `excerpt` alternates between text and matched words, beginning with text. */
export type GuideResult = {
  href: string;
  title: string;
  /** Empty for the part before the first section. */
  heading: string;
  excerpt: readonly string[];
};

export type GuideIndex = (query: string) => GuideResult[];

export const MAX_RESULTS = 20;
/** Sections indexed per task, so that typing isn't delayed. */
const CHUNK_SECTIONS = 50;
const EXCERPT_BEFORE = 60;
const EXCERPT_CHARS = 180;
/** Shorter words have too many similar ones. */
const FUZZY_MIN_CHARS = 5;
const FUZZINESS = 0.2;
/** Words that a section is about count more than words that it contains. */
const BOOST = { title: 3, heading: 4 };

export async function indexSections(sections: readonly GuideSection[]): Promise<GuideIndex> {
  const index = new MiniSearch<GuideSection & { number: number }>({
    idField: "number",
    fields: ["title", "heading", "text"],
    tokenize: wordsAndParts,
    searchOptions: {
      tokenize: wordsIn,
      boost: BOOST,
      prefix: true,
      fuzzy: (term) => (term.length >= FUZZY_MIN_CHARS ? FUZZINESS : false),
    },
  });
  const documents = sections.map((section, number) => ({ ...section, number }));
  await index.addAllAsync(documents, { chunkSize: CHUNK_SECTIONS });
  return (query) => {
    const withAllWords = index.search(query, { combineWith: "AND" });
    const results = withAllWords.length > 0 ? withAllWords : index.search(query);
    return results.slice(0, MAX_RESULTS).flatMap(({ id, terms }) => {
      const section = sections[id as number];
      return section === undefined ? [] : [resultOf(section, terms)];
    });
  };
}

const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}_]+/gu) ?? [];

/** Finds `no_such_bot` by its name and by `bot`. */
const wordsAndParts = (text: string): string[] =>
  wordsIn(text).flatMap((word) => (word.includes("_") ? [word, ...word.split("_")] : [word]));

function resultOf(section: GuideSection, terms: readonly string[]): GuideResult {
  const { guide, title, heading, id, text } = section;
  const isTop = heading === title;
  return {
    href: isTop ? `/guide/${guide}` : `/guide/${guide}#${id}`,
    title,
    heading: isTop ? "" : heading,
    excerpt: excerptOf(text, terms),
  };
}

/** Returns the text around the first match. Terms contain only letters, digits and `_`. */
export function excerptOf(text: string, terms: readonly string[]): string[] {
  const longestFirst = terms.toSorted((a, b) => b.length - a.length);
  const match = new RegExp(
    `(?<![\\p{L}\\p{N}])(${longestFirst.join("|")})(?![\\p{L}\\p{N}])`,
    "iu",
  );
  const found = Math.max(text.search(match), 0);
  const start = found <= EXCERPT_BEFORE ? 0 : text.lastIndexOf(" ", found - EXCERPT_BEFORE) + 1;
  const rest = text.slice(start);
  const end = rest.length <= EXCERPT_CHARS ? rest.length : rest.lastIndexOf(" ", EXCERPT_CHARS);
  const excerpt = `${start > 0 ? "…" : ""}${rest.slice(0, end)}${end < rest.length ? "…" : ""}`;
  return excerpt.split(new RegExp(match, "giu"));
}
