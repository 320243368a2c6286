// Draws the wings of `src` as layers. ARCHITECTURE.md shows the picture.

import { ABOVE, WINGS } from "./wings.ts";

const WIDTH = 760;
const MARGIN = 12;
const LABEL_WIDTH = 110;
const IMPORTS_X = 500;
const LINE_HEIGHT = 18;
const PADDING = 14;
const GAP = 8;
const CHARACTERS = { rooms: 52, imports: 34 };

const STYLE = [
  "text{font:13px system-ui,sans-serif;fill:#24292f}.wing{font-weight:600;font-size:15px}",
  ".head{fill:#57606a;font-size:12px}rect{fill:#0969da;fill-opacity:.07;stroke:#8c959f;stroke-opacity:.5}",
  "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.head{fill:#8d96a0}rect{fill-opacity:.16}}",
].join("\n");

/**
 * Returns an SVG with one box per wing: its rooms, and what it may import. The wing that may import
 * everything comes first; `base` comes last.
 */
export function drawLayers(): string {
  const parts: string[] = [];
  let y = MARGIN + LINE_HEIGHT;
  parts.push(textAt(MARGIN + LABEL_WIDTH, y, "Rooms", "head"));
  parts.push(textAt(IMPORTS_X, y, "May import", "head"));
  y += GAP;
  for (const [wing, { rooms, mayImport }] of Object.entries(WINGS).toReversed()) {
    const roomLines = wrap(rooms, CHARACTERS.rooms);
    const importLines = wrap(shorten(mayImport), CHARACTERS.imports);
    const lineCount = Math.max(roomLines.length, importLines.length);
    const height = PADDING + lineCount * LINE_HEIGHT;
    parts.push(
      `<rect x="${MARGIN}" y="${y}" width="${WIDTH - 2 * MARGIN}" height="${height}" rx="6"/>`,
      textAt(MARGIN + PADDING, y + LINE_HEIGHT + 2, wing, "wing"),
      ...roomLines.map((line, i) => textAt(MARGIN + LABEL_WIDTH, lineY(y, i), line)),
      ...importLines.map((line, i) => textAt(IMPORTS_X, lineY(y, i), line)),
    );
    y += height + GAP;
  }
  const title = "The wings of src, their rooms, and what each wing may import";
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + MARGIN - GAP}" role="img" aria-label="${title}">`,
    `<style>${STYLE}</style>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

const lineY = (top: number, index: number): number => top + LINE_HEIGHT + 2 + index * LINE_HEIGHT;

const textAt = (x: number, y: number, text: string, className?: string): string =>
  `<text x="${x}" y="${y}"${className === undefined ? "" : ` class="${className}"`}>${text}</text>`;

/** Replaces single files with their wing, and "all above" with the order in the picture. */
function shorten(mayImport: readonly string[]): readonly string[] {
  if (mayImport.length === 0) return ["nothing"];
  const targets = mayImport.map((target) =>
    target === ABOVE ? "everything below" : target.replace(/^(\w+)\/.*\.ts$/, "parts of $1"),
  );
  return [...new Set(targets)];
}

function wrap(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const [index, word] of words.entries()) {
    const item = index === words.length - 1 ? word : `${word},`;
    const lastLine = lines.at(-1);
    if (lastLine !== undefined && `${lastLine} ${item}`.length <= width)
      lines[lines.length - 1] = `${lastLine} ${item}`;
    else lines.push(item);
  }
  return lines;
}
