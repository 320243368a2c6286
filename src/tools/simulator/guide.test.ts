// Runs the guide's examples against the built files and compares their output with the page.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createContext, runInContext } from "node:vm";

import { firstTwo } from "#base/util/assert-defined.ts";
import {
  SIMULATOR_MODULE,
  SIMULATOR_SCRIPT,
  SIMULATOR_FILES,
  SIMULATOR_PATH_PREFIX,
} from "#core/api/download.ts";
import { readJoinedPages, tableCells } from "#testing/fixtures/doc-page.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";

import * as face from "./index.ts";

const run = promisify(execFile);
const BUILT = fileURLToPath(new URL("../../../dist/simulator/", import.meta.url));
const page = readJoinedPages(["simulator", "simulator-state"]);
const folder = temporaryTestFolder();
const IN_PAGE = "in-page";

async function runExamples(): Promise<[text: string, printed: string][]> {
  await copyFile(join(BUILT, SIMULATOR_MODULE.name), join(folder, SIMULATOR_MODULE.name));
  const printedOutput: [string, string][] = [];
  for (const { language, info, text } of page.blocks) {
    if (language !== "js" || info === IN_PAGE) continue;
    const file = join(folder, info === "" ? `example-${printedOutput.length}.mjs` : info);
    await writeFile(file, text);
    if (info !== "") continue;
    const { stdout } = await run(process.execPath, [file], { cwd: folder });
    printedOutput.push([text, stdout]);
  }
  return printedOutput;
}

it("the guide shows the output of its examples", async () => {
  const examples = await runExamples();
  assert.ok(examples.length >= 6);
  for (const [text, printedOutput] of examples) {
    const index = page.blocks.findIndex((block) => block.text === text);
    assert.equal(printedOutput, page.blocks[index + 1]!.text, text);
  }
});

it("the guide has a page that plays a match", async () => {
  const [html, script] = firstTwo(page.blocks.filter(({ info }) => info === IN_PAGE));
  const sources = [...html.text.matchAll(/<script src="(.*?)">/g)].map(([, source]) => source);
  assert.deepEqual(sources, [SIMULATOR_SCRIPT.name, "page.js"]);
  const document = { title: "" };
  const context = createContext({ document, TextEncoder });
  runInContext(await readFile(join(BUILT, SIMULATOR_SCRIPT.name), "utf8"), context);
  runInContext(script.text, context);
  assert.match(document.title, /^[AB] after \d+ ticks$/);
});

it("the guide lists every file with its URL", () => {
  const rows = tableCells(page).map(([first]) => first!.replaceAll("`", ""));
  for (const { name } of SIMULATOR_FILES) assert.ok(rows.includes(name), name);
  for (const [, name] of page.text.matchAll(new RegExp(`${SIMULATOR_PATH_PREFIX}([\\w.-]+)`, "g")))
    assert.ok(
      SIMULATOR_FILES.some((file) => file.name === name),
      name!,
    );
});

it("the guide documents the whole public interface and nothing else", () => {
  const table = page.text.split("\n## API\n")[1]!.split("\n# ")[0]!;
  const cells = [...table.matchAll(/^\| (.*?) \|/gm)].map(([, cell]) => cell);
  const names = cells.flatMap((cell) => [...cell!.matchAll(/`(\w+)/g)].map(([, name]) => name));
  assert.deepEqual(names.toSorted(), Object.keys(face).toSorted());
});
