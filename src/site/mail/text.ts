// A letter for readers that show no HTML.

import type { LetterPart, Content, Fact } from "./words.ts";

/** Lines are as long as their sentences: mail readers wrap them. */
export function letterText({ subject, parts, foot, refusal }: Content): string {
  const below = refusal === undefined ? foot : [...foot, `${refusal.label}:`, refusal.href];
  const texts = [subject, ...parts.map(partText), `-- \n${below.join("\n")}`];
  return `${texts.join("\n\n")}\n`;
}

function partText(part: LetterPart): string {
  switch (part.kind) {
    case "words":
      return part.text;
    case "step":
      return `${part.label}:\n${part.href}`;
    case "digits":
      return `    ${part.text}`;
    case "facts":
      return part.rows.map(factText).join("\n");
  }
}

/** What follows a line break is set in, so that it cannot pass for another fact. */
const factText = ([name, value]: Fact): string =>
  `${name}: ${value.replaceAll(/\r\n|\r|\n/g, "\n    ")}`;
