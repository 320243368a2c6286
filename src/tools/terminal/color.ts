// Colors of the output. Texts of others are escaped before they are colored.

import { printable } from "./printable.ts";

/** SGR parameters that begin and end each style. */
const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;
export type TextStyle = keyof typeof CODES;

export type Output = { isTTY?: boolean };
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns whether to color what goes to an output. NO_COLOR wins over FORCE_COLOR, as in the help
 * that commander prints; without either, terminals get colors.
 */
export function wantsColor(output: Output, env: Environment = process.env): boolean {
  const { NO_COLOR: no = "", FORCE_COLOR: force = "", TERM: term } = env;
  if (no !== "" || force === "0" || force === "false") return false;
  return force !== "" || (output.isTTY === true && term !== "dumb");
}

/** Returns the text in these styles, or as it is for an output without colors. */
export function paint(
  styles: readonly TextStyle[],
  text: string,
  output: Output = process.stdout,
): string {
  if (!wantsColor(output)) return text;
  return styles.reduce((painted, style) => {
    const [begin, end] = CODES[style];
    return `\u001B[${begin}m${painted}\u001B[${end}m`;
  }, text);
}

/** A part of a line that has a style. */
export type StyledPart = { readonly styles: readonly TextStyle[]; readonly text: string };

/** A line of output, whole or in parts. */
export type Line = string | readonly (string | StyledPart)[];

export const styled = (text: string, ...styles: TextStyle[]): StyledPart => ({ text, styles });

/** Returns a line for an output, escaped so that a terminal obeys none of its texts. */
export function lineText(line: Line, output: Output): string {
  if (typeof line === "string") return printable(line);
  const parts = line.map((part) =>
    typeof part === "string" ? printable(part) : paint(part.styles, printable(part.text), output),
  );
  return parts.join("");
}
