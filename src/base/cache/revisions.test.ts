import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

import { openRevisions } from "./revisions.ts";
import type { Parts, Revisions } from "./revisions.ts";

function partsOf({ collect }: Revisions, make: () => void): Parts {
  const parts: Parts = new Map();
  collect(parts, make);
  return parts;
}

describe("revisions", () => {
  it("call fresh what was read after its last change", () => {
    const revisions = openRevisions();
    const read = (subject: string) => new Map([[subject, revisions.now()]]);
    const before = read("x");
    revisions.move(["x"]);
    const after = read("x");
    revisions.move(["y"]);
    assert.deepEqual([before, after, read("never")].map(revisions.isFresh), [false, true, true]);
  });

  it("keep the earlier of two readings", () => {
    const revisions = openRevisions();
    const parts = partsOf(revisions, () => {
      revisions.note(["x"], 0);
      revisions.move(["x"]);
      revisions.note(["x"], revisions.now());
    });
    assert.equal(revisions.isFresh(parts), false);
  });

  it("forget subjects, and then never call a value fresh that is not", () => {
    const remembered = 10;
    const revisions = openRevisions(remembered);
    const truth = new Map<string, number>();
    const kept: { subject: string; at: number }[] = [];
    let seed = 1;
    const draw = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let step = 0; step < 5000; step += 1) {
      const subject = `subject ${draw(40)}`;
      if (draw(2) === 0) {
        revisions.move([subject]);
        truth.set(subject, revisions.now());
      } else kept.push({ subject, at: revisions.now() });
      const { subject: old, at } = kept[draw(kept.length)] ?? { subject, at: revisions.now() };
      if (revisions.isFresh(new Map([[old, at]]))) assert.ok((truth.get(old) ?? 0) <= at);
    }
  });

  it("let a value of unchanged subjects outlive as many changes as are remembered", () => {
    const revisions = openRevisions(10);
    const parts = new Map([["quiet", revisions.now()]]);
    for (let number = 0; number < 10; number += 1) revisions.move([`busy ${number}`]);
    assert.equal(revisions.isFresh(parts), true);
    revisions.move(["one more"]);
    assert.equal(revisions.isFresh(parts), false);
    assert.equal(revisions.isFresh(new Map([["quiet", revisions.now()]])), true);
  });
});

describe("a watched subject", () => {
  it("has changed when it looks different", async () => {
    const revisions = openRevisions();
    let rows = ["a"];
    const same = (one: string[], other: string[]) => String(one) === String(other);
    const read = revisions.watch("rows", () => rows, same);
    const parts = partsOf(revisions, () => void read());
    const first = read();
    await nextTurn();
    rows = ["a"];
    assert.equal(revisions.isFresh(parts), true);
    assert.equal(read(), first, "the very list of before");
    await nextTurn();
    rows = ["b"];
    assert.equal(revisions.isFresh(parts), false);
    assert.deepEqual(read(), ["b"]);
  });

  it("is looked at once per job of the event loop", async () => {
    const revisions = openRevisions();
    let looks = 0;
    const read = revisions.watch("looks", () => (looks += 1));
    assert.deepEqual([read(), read(), read()], [1, 1, 1]);
    await nextTurn();
    assert.equal(read(), 2);
  });
});
