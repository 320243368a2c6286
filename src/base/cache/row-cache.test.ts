import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { openCache } from "./cache.ts";
import { openRevisions } from "./revisions.ts";
import { openRowCache } from "./row-cache.ts";

type Row = { id: string; text: string };

function openTestRows() {
  const revisions = openRevisions();
  const cache = openCache(revisions, 100_000);
  const table = new Map<string, string>();
  const reads: number[] = [];
  const world = { isReadFailing: false };
  const rows = openRowCache<Row>(cache, "rows", {
    read: async (ids) => {
      reads.push(ids.length);
      if (world.isReadFailing) throw new Error("away");
      return ids.flatMap((id) => {
        const text = table.get(id);
        return text === undefined ? [] : [{ id, text }];
      });
    },
    idOf: ({ id }) => id,
    subjectsOf: (id) => [`row ${id}`],
    batchSize: 3,
  });
  const textsOf = async (...ids: string[]) => (await rows(ids)).map(({ text }) => text);
  const setText = (id: string, text: string) => {
    table.set(id, text);
    revisions.invalidate([`row ${id}`]);
  };
  for (const id of "abcdefgh") table.set(id, id.toUpperCase());
  return { revisions, cache, rows, textsOf, set: setText, reads, world };
}

describe("cached rows", () => {
  it("are read in batches, in the requested order", async () => {
    const { textsOf, reads } = openTestRows();
    assert.deepEqual(await textsOf("c", "a", "x", "h", "b"), ["C", "A", "H", "B"]);
    assert.deepEqual(reads, [3, 2]);
  });

  it("are read once for all callers, including missing rows", async () => {
    const { textsOf, reads } = openTestRows();
    await Promise.all([textsOf("a", "b"), textsOf("b", "x")]);
    assert.deepEqual(await textsOf("x", "b", "a"), ["B", "A"]);
    assert.deepEqual(reads, [3]);
  });

  it("are read again individually when they change", async () => {
    const { textsOf, set: setText, reads } = openTestRows();
    await textsOf("a", "b", "x");
    setText("b", "other");
    setText("x", "new");
    assert.deepEqual(await textsOf("a", "b", "x"), ["A", "other", "new"]);
    assert.deepEqual(reads, [3, 2]);
  });

  it("are read again when they change during the read", async () => {
    const { textsOf, set: setText } = openTestRows();
    const firstRead = textsOf("a");
    setText("a", "other");
    assert.deepEqual(await textsOf("a"), ["other"]);
    await firstRead;
  });

  it("are read again after a failure", async () => {
    const { textsOf, world } = openTestRows();
    world.isReadFailing = true;
    await assert.rejects(textsOf("a", "b", "c", "d"), /away/);
    world.isReadFailing = false;
    assert.deepEqual(await textsOf("a", "d"), ["A", "D"]);
  });

  it("aren't tracked individually as dependencies", async () => {
    const { rows, cache, set: setText } = openTestRows();
    const namespace = cache.namespace<Row[]>("lists");
    await namespace.get("list", () => rows(["a", "b"]));
    setText("a", "other");
    assert.notEqual(namespace.peek("list"), null);
  });

  it("can't be modified by callers", async () => {
    const { rows } = openTestRows();
    const [row] = await rows(["a"]);
    assert.throws(() => (row!.text = "other"), TypeError);
  });
});
