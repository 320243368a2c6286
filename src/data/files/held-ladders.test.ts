import assert from "node:assert/strict";
import { it } from "node:test";

import { heldLadders } from "./held-ladders.ts";

const OPENS = "2026-05-04T09:00:00.000Z";
const ladder = (id: string, opensAt: string | null, closesAt: string | null) => {
  return { id, opensAt, closesAt };
};
const LADDERS = [
  ladder("public", null, null),
  ladder("evening", OPENS, "2026-05-04T22:00:00.000Z"),
  ladder("fortnight", OPENS, "2026-05-18T09:00:00.000Z"),
  ladder("longer", OPENS, "2026-05-18T09:00:00.001Z"),
  ladder("endless", OPENS, null),
  ladder("from-the-first-day", null, OPENS),
];
const idsOf = (archived: string[]) =>
  heldLadders(LADDERS, new Set(archived), 9).map(({ ladderId }) => ladderId);

it("ladders of at most fourteen days keep their replays", () => {
  assert.deepEqual(idsOf([]), ["evening", "fortnight"]);
  assert.deepEqual(heldLadders(LADDERS.slice(1, 2), new Set(), 9), [
    { ladderId: "evening", keep: 9 },
  ]);
});

it("until they are in an archive", () => {
  assert.deepEqual(idsOf(["evening", "public"]), ["fortnight"]);
});
