// Reads the guides in docs/ the way their tests want them: blocks of code, links, words, table rows.

import { readFileSync, readdirSync } from "node:fs";

const FOLDER = new URL("../../docs/", import.meta.url);

/** A fenced block; `info` is what follows the language, such as a schema's or a file's name. */
type Block = { language: string; info: string; text: string };

export type DocPage = {
  readonly name: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  /** The text outside of blocks. */
  readonly prose: string;
};

const FENCED = /^```(\S*)(?: ([^\n]*))?\n(.*?)^```$/gms;

/** The drawings that the pages show. */
export function drawingFiles(): string[] {
  return readdirSync(FOLDER).filter((file) => file.endsWith(".svg"));
}

/** Every guide, by name without extension. */
export function docPages(): DocPage[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".md"));
  return files.map((file) => pageOf(file.slice(0, -".md".length)));
}

export function pageOf(name: string): DocPage {
  const text = readFileSync(new URL(`${name}.md`, FOLDER), "utf8");
  const blocks = [...text.matchAll(FENCED)].map(([, language, info = "", body]) => {
    return { language, info, text: body };
  });
  return { name, text, blocks, prose: text.replaceAll(FENCED, "") };
}

/** The one block of a page with this info, such as the file it is to be saved as. */
export function blockOf({ name, blocks }: DocPage, info: string): string {
  const found = blocks.filter((block) => block.info === info);
  if (found.length !== 1) throw new Error(`${name} has ${found.length} blocks '${info}'`);
  return found[0].text;
}

/** The commands of a page that are run as they stand. */
export function runnable({ blocks }: DocPage): string[] {
  return blocks.filter(({ info }) => info === "run").map(({ text }) => text);
}

/** Targets of links, without those that lead to other sites. */
export function linksOf({ prose }: DocPage): string[] {
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** Headings as the fragments that lead to them. */
export function anchorsOf({ prose }: DocPage): string[] {
  const headings = [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .trim()
      .replaceAll(" ", "-"),
  );
}

/** Every word that stands in backticks. */
export function markedWords({ prose }: DocPage): Set<string> {
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span);
  return new Set(spans.flatMap((span) => span.split(/\W+/)));
}

/** Cells of all table rows, header rows included. */
export function rowsOf({ prose }: DocPage): string[][] {
  const lines = [...prose.matchAll(/^\| (.*) \|$/gm)].map(([, line]) => line);
  return lines.map((line) => line.split(/ ?\| ?/).map((cell) => cell.trim()));
}
