// The entry point of the built letters: facts in, a subject and the same words twice out.

import { h } from "preact";
import { renderToString } from "preact-render-to-string";

import type { WriteLetter } from "#core/accounts/letter.ts";

import { LetterDocument } from "./letter.tsx";
import { letterText } from "./text.ts";
import { contentOf } from "./words.ts";

export const writeLetter: WriteLetter = (letter, sender) => {
  const content = contentOf(letter, sender);
  const html = `<!doctype html>${renderToString(h(LetterDocument, content))}`;
  return { subject: content.subject, text: letterText(content), html };
};
