// Phrases that comments and docs avoid because native readers stumble over them.

import type { SourceFile } from "./wings.ts";

type Phrase = readonly [phrase: RegExp, instead: string];

/** Translated syntax and archaic words. Each pattern leaves good English with the same words alone. */
const PHRASES: readonly Phrase[] = [
  [/\bso (?:many|few)\b(?!(?: \w+)? (?:as|that)\b)/, "this many, N, or the name of the number"],
  [/\bbeside\b(?! (?:you|(?:a |the )?(?:walls?|tiles?|path))\b)/, "next to, in addition to"],
  [
    /(?<!\b(?:all|any|both|each|half|many|most|much|none|one|two|some|several|\d+)) of (?:which|whom)\b/,
    "whose, or a sentence of its own",
  ],
  [/\b(?:is|are) to be\b/, "must be, will be"],
  [/(?<!, )\bwho(?:m)?ever\b/, "the caller, a client that, anybody who"],
  [/\bwhat (?:is|are) (?:not there|none|no)\b/, "what is missing, anything but"],
  [/\b(?:that|which) (?:is|are) none\b(?! of)/, "that is not one"],
  [/\bdear(?:er|est)\b/, "more expensive, slowest"],
  [/, be it\b/, "whether"],
  [/\banew\b/, "again, from scratch"],
  [/\bfor want of\b/, "for lack of"],
  [/\bis no matter of\b/, "is not about"],
  [/\bh(?:e|o)ld (?:it |them )?against\b/, "compare with, check against"],
].map(([phrase, instead]) => [new RegExp(phrase as RegExp, "i"), instead as string]);

/** Banned phrases in the comments of a source file or in the prose of a Markdown page. */
export function stumbles({ path, text }: SourceFile): string[] {
  const prose = path.endsWith(".md") ? proseOf(text) : commentsOf(text);
  return PHRASES.flatMap(([phrase, instead]) => {
    const found = phrase.exec(prose);
    return found === null ? [] : [`${path}: "${found[0].trim()}": ${instead}`];
  });
}

/** Comments as running text, so that a phrase is found across a line break. */
function commentsOf(text: string): string {
  const comments = text.match(/\/\*[^]*?\*\/|(?<=^|\s)\/\/ .*$/gm) ?? [];
  return comments
    .join("\n")
    .replaceAll(/^\s*(?:\/\/|\/?\*+\/?)|\*\/$/gm, "")
    .replaceAll(/\s+/g, " ");
}

/** A page without its code. */
function proseOf(text: string): string {
  return text
    .replaceAll(/^```[^]*?^```$/gm, "")
    .replaceAll(/`[^`\n]*`/g, "`")
    .replaceAll(/\s+/g, " ");
}
