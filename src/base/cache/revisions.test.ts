import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

import { openRevisions } from "./revisions.ts";
import type { Dependencies, Revisions } from "./revisions.ts";

function dependenciesOf({ collect }: Revisions, make: () => void): Dependencies {
  const dependencies: Dependencies = new Map();
  collect(dependencies, make);
  return dependencies;
}

describe("revisions", () => {
  it("accept a value read after its last change", () => {
    const revisions = openRevisions();
    const read = (subject: string) => new Map([[subject, revisions.newestRevision()]]);
    const before = read("x");
    revisions.invalidate(["x"]);
    const after = read("x");
    revisions.invalidate(["y"]);
    assert.deepEqual([before, after, read("never")].map(revisions.isFresh), [false, true, true]);
  });

  it("keep the earlier of two reads", () => {
    const revisions = openRevisions();
    const dependencies = dependenciesOf(revisions, () => {
      revisions.track(["x"], 0);
      revisions.invalidate(["x"]);
      revisions.track(["x"], revisions.newestRevision());
    });
    assert.equal(revisions.isFresh(dependencies), false);
  });

  it("never accept an outdated value after evicting subjects", () => {
    const maxSubjects = 10;
    const revisions = openRevisions(maxSubjects);
    const expectedRevision = new Map<string, number>();
    const trackedValue: { subject: string; revision: number }[] = [];
    let seed = 1;
    const draw = (lowerBound: number) => (seed = (seed * 48_271) % 2_147_483_647) % lowerBound;
    for (let step = 0; step < 5000; step += 1) {
      const subject = `subject ${draw(40)}`;
      if (draw(2) === 0) {
        revisions.invalidate([subject]);
        expectedRevision.set(subject, revisions.newestRevision());
      } else trackedValue.push({ subject, revision: revisions.newestRevision() });
      const { subject: oldValue, revision } = trackedValue[draw(trackedValue.length)] ?? {
        subject,
        revision: revisions.newestRevision(),
      };
      if (revisions.isFresh(new Map([[oldValue, revision]])))
        assert.ok((expectedRevision.get(oldValue) ?? 0) <= revision);
    }
  });

  it("keep an unchanged value valid until the limit of tracked subjects is exceeded", () => {
    const revisions = openRevisions(10);
    const dependencies = new Map([["quiet", revisions.newestRevision()]]);
    for (let number = 0; number < 10; number += 1) revisions.invalidate([`busy ${number}`]);
    assert.equal(revisions.isFresh(dependencies), true);
    revisions.invalidate(["one more"]);
    assert.equal(revisions.isFresh(dependencies), false);
    assert.equal(revisions.isFresh(new Map([["quiet", revisions.newestRevision()]])), true);
  });
});

describe("a watched subject", () => {
  it("counts as changed when its value differs", async () => {
    const revisions = openRevisions();
    let rows = ["a"];
    const sameValue = (a: string[], b: string[]) => String(a) === String(b);
    const read = revisions.watch("rows", () => rows, sameValue);
    const dependencies = dependenciesOf(revisions, () => void read());
    const first = read();
    await nextTurn();
    rows = ["a"];
    assert.equal(revisions.isFresh(dependencies), true);
    assert.equal(read(), first, "the very list of before");
    await nextTurn();
    rows = ["b"];
    assert.equal(revisions.isFresh(dependencies), false);
    assert.deepEqual(read(), ["b"]);
  });

  it("is read at most once per event loop job", async () => {
    const revisions = openRevisions();
    let readCount = 0;
    const read = revisions.watch("looks", () => (readCount += 1));
    assert.deepEqual([read(), read(), read()], [1, 1, 1]);
    await nextTurn();
    assert.equal(read(), 2);
  });
});
