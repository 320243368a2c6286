// The guide is true: its examples run against the built files and print what is shown below them.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createContext, runInContext } from "node:vm";

import { bothOf } from "#base/units/sure.ts";
import { MODULE, SCRIPT, SIMULATOR_FILES, SIMULATOR_PREFIX } from "#core/resources/download.ts";
import { joinedPage, rowsOf } from "#testing/fixtures/doc-page.ts";
import { temporaryFolder } from "#testing/harness/bout-process.ts";

import * as face from "./index.ts";

const run = promisify(execFile);
const BUILT = fileURLToPath(new URL("../../../dist/simulator/", import.meta.url));
const page = joinedPage(["simulator", "simulator-state"]);
const folder = temporaryFolder();
const IN_PAGE = "in-page";

/** Runs the examples in order and returns what each prints. */
async function followExamples(): Promise<[text: string, printed: string][]> {
  await copyFile(join(BUILT, MODULE.name), join(folder, MODULE.name));
  const printed: [string, string][] = [];
  for (const { language, info, text } of page.blocks) {
    if (language !== "js" || info === IN_PAGE) continue;
    const file = join(folder, info === "" ? `example-${printed.length}.mjs` : info);
    await writeFile(file, text);
    if (info !== "") continue;
    const { stdout } = await run(process.execPath, [file], { cwd: folder });
    printed.push([text, stdout]);
  }
  return printed;
}

it("has examples that print what is shown below them", async () => {
  const examples = await followExamples();
  assert.ok(examples.length >= 6);
  for (const [text, printed] of examples) {
    const at = page.blocks.findIndex((block) => block.text === text);
    assert.equal(printed, page.blocks[at + 1]!.text, text);
  }
});

it("has a page that plays a match", async () => {
  const [html, script] = bothOf(page.blocks.filter(({ info }) => info === IN_PAGE));
  const sources = [...html.text.matchAll(/<script src="(.*?)">/g)].map(([, source]) => source);
  assert.deepEqual(sources, [SCRIPT.name, "page.js"]);
  const document = { title: "" };
  const context = createContext({ document, TextEncoder });
  runInContext(await readFile(join(BUILT, SCRIPT.name), "utf8"), context);
  runInContext(script.text, context);
  assert.match(document.title, /^[AB] after \d+ ticks$/);
});

it("names every file, where it is served", () => {
  const rows = rowsOf(page).map(([first]) => first!.replaceAll("`", ""));
  for (const { name } of SIMULATOR_FILES) assert.ok(rows.includes(name), name);
  for (const [, name] of page.text.matchAll(new RegExp(`${SIMULATOR_PREFIX}([\\w.-]+)`, "g")))
    assert.ok(
      SIMULATOR_FILES.some((file) => file.name === name),
      name!,
    );
});

it("names everything in the public interface, and nothing else", () => {
  const table = page.text.split("\n## API\n")[1]!.split("\n# ")[0]!;
  const cells = [...table.matchAll(/^\| (.*?) \|/gm)].map(([, cell]) => cell);
  const names = cells.flatMap((cell) => [...cell!.matchAll(/`(\w+)/g)].map(([, name]) => name));
  assert.deepEqual(names.toSorted(), Object.keys(face).toSorted());
});
