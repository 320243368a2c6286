import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it, test } from "node:test";

import { drawLayers } from "./layer-diagram.ts";
import { WINGS } from "./wings.ts";

const ROOT = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");
const architecture = read("ARCHITECTURE.md");

/** Returns the cells of each table row whose first cell matches, without the outer bars. */
const rowsOf = (markdown: string, firstCell: RegExp): string[][] =>
  markdown
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
    .filter(([first = ""]) => firstCell.test(first));

describe("ARCHITECTURE.md", () => {
  const wingRows = rowsOf(architecture, /^`(?:\w+)`$/);

  it("lists the wings in the order of the import table", () => {
    const names = wingRows.map(([name = ""]) => name.replaceAll("`", ""));
    assert.deepEqual(names, Object.keys(WINGS));
  });

  for (const wing of ["base", "core", "data", "adapters", "live", "site"])
    it(`names what ${wing} may import`, () => {
      const row = wingRows.find(([name]) => name === `\`${wing}\``)!;
      const listed = [...row[2]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
      assert.deepEqual(listed, WINGS[wing]!.mayImport);
    });

  it("names files that exist", () => {
    const paths = [...architecture.matchAll(/`((?:src|bin|scripts|docs)\/[\w/.-]+)`/g)];
    assert.ok(paths.length > 30);
    for (const [, path = ""] of paths)
      if (path.endsWith("/")) assert.ok(readdirSync(new URL(path, ROOT)).length > 0, path);
      else assert.ok(read(path).length > 0, path);
  });

  it("shows the current layer diagram", () => {
    assert.ok(architecture.includes("(docs/development/layers.svg)"));
    assert.equal(read("docs/development/layers.svg"), drawLayers(), "run scripts/write-docs.ts");
  });
});

test("the index of decision records matches the records", () => {
  const index = read("docs/decisions/README.md");
  const files = readdirSync(new URL("docs/decisions/", ROOT)).filter((name) => /^\d/.test(name));
  const expectedRows = files.map((file) => {
    const record = read(`docs/decisions/${file}`);
    const title = /^# (?:\d+\. )?(.+)$/m.exec(record)![1]!;
    const status = /^- \*{0,2}Status:?\*{0,2}:? (\w+)/m.exec(record)![1]!.toLowerCase();
    const date = /\d{4}-\d\d-\d\d/.exec(record)![0];
    return [String(Number(file.slice(0, 4))), `[${title}](${file})`, status, date];
  });
  assert.deepEqual(rowsOf(index, /^\d+$/), expectedRows);
});
