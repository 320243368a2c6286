import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { openCache } from "./cache.ts";
import { openRevisions } from "./revisions.ts";
import { openRows } from "./rows.ts";

type Row = { id: string; text: string };

/** Rows of a table that a test can change, and the number of rows in each read. */
function watched() {
  const revisions = openRevisions();
  const cache = openCache(revisions, 100_000);
  const table = new Map<string, string>();
  const reads: number[] = [];
  const world = { isBroken: false };
  const rows = openRows<Row>(cache, "rows", {
    read: async (ids) => {
      reads.push(ids.length);
      if (world.isBroken) throw new Error("away");
      return ids.flatMap((id) => {
        const text = table.get(id);
        return text === undefined ? [] : [{ id, text }];
      });
    },
    idOf: ({ id }) => id,
    subjectsOf: (id) => [`row ${id}`],
    portion: 3,
  });
  const textsOf = async (...ids: string[]) => (await rows(ids)).map(({ text }) => text);
  const set = (id: string, text: string) => {
    table.set(id, text);
    revisions.move([`row ${id}`]);
  };
  for (const id of "abcdefgh") table.set(id, id.toUpperCase());
  return { revisions, cache, rows, textsOf, set, reads, world };
}

describe("kept rows", () => {
  it("are read together, in portions, in the order requested", async () => {
    const { textsOf, reads } = watched();
    assert.deepEqual(await textsOf("c", "a", "x", "h", "b"), ["C", "A", "H", "B"]);
    assert.deepEqual(reads, [3, 2]);
  });

  it("are read once, missing ones too, for all callers", async () => {
    const { textsOf, reads } = watched();
    await Promise.all([textsOf("a", "b"), textsOf("b", "x")]);
    assert.deepEqual(await textsOf("x", "b", "a"), ["B", "A"]);
    assert.deepEqual(reads, [3]);
  });

  it("are read again one by one as they change", async () => {
    const { textsOf, set, reads } = watched();
    await textsOf("a", "b", "x");
    set("b", "other");
    set("x", "new");
    assert.deepEqual(await textsOf("a", "b", "x"), ["A", "other", "new"]);
    assert.deepEqual(reads, [3, 2]);
  });

  it("are read again when they change during the read", async () => {
    const { textsOf, set } = watched();
    const early = textsOf("a");
    set("a", "other");
    assert.deepEqual(await textsOf("a"), ["other"]);
    await early;
  });

  it("are requested again after a failure", async () => {
    const { textsOf, world } = watched();
    world.isBroken = true;
    await assert.rejects(textsOf("a", "b", "c", "d"), /away/);
    world.isBroken = false;
    assert.deepEqual(await textsOf("a", "d"), ["A", "D"]);
  });

  it("are not single parts of what is made of them", async () => {
    const { rows, cache, set } = watched();
    const shelf = cache.shelf<Row[]>("lists");
    await shelf.get("list", () => rows(["a", "b"]));
    set("a", "other");
    assert.notEqual(shelf.peek("list"), null);
  });

  it("cannot be changed by a reader", async () => {
    const { rows } = watched();
    const [row] = await rows(["a"]);
    assert.throws(() => (row!.text = "other"), TypeError);
  });
});
