// Colors output. Untrusted text is escaped before it is colored.

import { escapeUnprintable } from "./printable.ts";

const SGR_CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;
export type TextStyle = keyof typeof SGR_CODES;

export type OutputStream = { isTTY?: boolean };
type ColorEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Returns whether to color an output. NO_COLOR wins over FORCE_COLOR, as in commander's help. If
 * neither is set, only terminals get colors.
 */
export function wantsColor(output: OutputStream, env: ColorEnvironment = process.env): boolean {
  const { NO_COLOR: noColor = "", FORCE_COLOR: forceColor = "", TERM: term } = env;
  if (noColor !== "" || forceColor === "0" || forceColor === "false") return false;
  return forceColor !== "" || (output.isTTY === true && term !== "dumb");
}

/** Returns the text in these styles. Unchanged if the output has no colors. */
export function paint(
  styles: readonly TextStyle[],
  text: string,
  output: OutputStream = process.stdout,
): string {
  if (!wantsColor(output)) return text;
  return styles.reduce((paintedText, style) => {
    const [begin, end] = SGR_CODES[style];
    return `\u001B[${begin}m${paintedText}\u001B[${end}m`;
  }, text);
}

export type StyledPart = { readonly styles: readonly TextStyle[]; readonly text: string };

export type OutputLine = string | readonly (string | StyledPart)[];

export const createStyledPart = (text: string, ...styles: TextStyle[]): StyledPart => ({
  text,
  styles,
});

/** Returns a line for an output, with control characters escaped. */
export function formatLine(line: OutputLine, output: OutputStream): string {
  if (typeof line === "string") return escapeUnprintable(line);
  const parts = line.map((part) =>
    typeof part === "string"
      ? escapeUnprintable(part)
      : paint(part.styles, escapeUnprintable(part.text), output),
  );
  return parts.join("");
}
