// The entry point of the built letters: facts in, a subject and the same words twice out.

import { h } from "preact";
import { renderToString } from "preact-render-to-string";

import type { WriteLetter, WrittenLetter } from "#core/accounts/letter.ts";
import type { WriteNotice } from "#core/mail/notice.ts";

import { LetterDocument } from "./letter.tsx";
import { noticeContent } from "./notice-words.ts";
import { letterText } from "./text.ts";
import { contentOf } from "./words.ts";
import type { Content } from "./words.ts";

/** Letters that nobody can refuse. */
export const writeLetter: WriteLetter = (letter, sender) => written(contentOf(letter, sender));

/** Letters that their readers may refuse. */
export const writeNotice: WriteNotice = (notice, sender, unsubscribe) =>
  written(noticeContent(notice, sender, unsubscribe));

function written(content: Content): WrittenLetter {
  const html = `<!doctype html>${renderToString(h(LetterDocument, content))}`;
  return { subject: content.subject, text: letterText(content), html };
}
