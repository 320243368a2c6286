import assert from "node:assert/strict";
import { it } from "node:test";

import { ladderRetentions } from "./ladder-retention.ts";

const OPENS_AT = "2026-05-04T09:00:00.000Z";
const ladder = (id: string, opensAt: string | null, closesAt: string | null) => {
  return { id, opensAt, closesAt };
};
const LADDERS = [
  ladder("public", null, null),
  ladder("evening", OPENS_AT, "2026-05-04T22:00:00.000Z"),
  ladder("fortnight", OPENS_AT, "2026-05-18T09:00:00.000Z"),
  ladder("longer", OPENS_AT, "2026-05-18T09:00:00.001Z"),
  ladder("endless", OPENS_AT, null),
  ladder("from-the-first-day", null, OPENS_AT),
];
const idsOf = (archived: string[]) =>
  ladderRetentions(LADDERS, new Set(archived), 9).map(({ ladderId }) => ladderId);

it("retains all replays of ladders that last up to 14 days", () => {
  assert.deepEqual(idsOf([]), ["evening", "fortnight"]);
  assert.deepEqual(ladderRetentions(LADDERS.slice(1, 2), new Set(), 9), [
    { ladderId: "evening", keep: 9 },
  ]);
});

it("stops retaining replays once a ladder is archived", () => {
  assert.deepEqual(idsOf(["evening", "public"]), ["fortnight"]);
});
