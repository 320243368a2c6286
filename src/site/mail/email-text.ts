import type { EmailPart, EmailContent, EmailFact } from "./transactional-content.ts";

/** Returns an email's plain-text version. Lines aren't wrapped, because email clients wrap them. */
export function emailText({ subject, parts, footer, unsubscribeLink }: EmailContent): string {
  const footerLines =
    unsubscribeLink === undefined
      ? footer
      : [...footer, `${unsubscribeLink.label}:`, unsubscribeLink.href];
  const texts = [subject, ...parts.map(emailPartText), `-- \n${footerLines.join("\n")}`];
  return `${texts.join("\n\n")}\n`;
}

function emailPartText(part: EmailPart): string {
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

/** Indents continuation lines, so user-supplied text can't imitate another fact. */
const factText = ([name, value]: EmailFact): string =>
  `${name}: ${value.replaceAll(/\r\n|\r|\n/g, "\n    ")}`;
