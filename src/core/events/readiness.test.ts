import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { PUBLIC } from "#core/ladder/ladder.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";

import type { EventDefinition } from "./event.ts";
import { approvedOpponents, earningObstacle, lacks, unavailableOpponents } from "./readiness.ts";
import type { EventSurroundings } from "./readiness.ts";

const approved = { kiter: "v1", brawler: "v1", "ts-starter": "v1", champion: "v2" };
const AROUND: EventSurroundings = {
  ladder: PUBLIC,
  running: new Map(HOUSE_KINDS.map((kind) => [kind, approved[kind]])),
  hasAccounts: true,
  flagsMissing: [],
};

const LACKS: [
  name: string,
  event: Pick<EventDefinition, "approved">,
  around: Partial<EventSurroundings>,
  lack: string[],
][] = [
  ["nothing when all is there", { approved }, {}, []],
  ["accounts", { approved }, { hasAccounts: false }, ["the server runs without accounts"]],
  [
    "a version that is approved",
    { approved: { ...approved, kiter: "v0" } },
    {},
    ["kiter runs as v1, and v0 is approved"],
  ],
  [
    "an approval of each",
    { approved: {} },
    {},
    HOUSE_KINDS.map((kind) => `no version of ${kind} is approved`),
  ],
  [
    "a house bot on its ladder",
    { approved },
    { ladder: { ...PUBLIC, house: ["kiter", "ts-starter", "champion"] } },
    ["brawler does not play on the ladder"],
  ],
  [
    "house bots that run",
    { approved },
    { running: new Map([["kiter", "v1"]]) },
    ["brawler", "ts-starter", "champion"].map((kind) => `${kind} is not running`),
  ],
  ["flags", { approved }, { flagsMissing: ["first"] }, ["the flag of first is missing"]],
];

describe("an event lacks", () => {
  for (const [name, event, changes, lack] of LACKS)
    it(name, () => {
      const around = { ...AROUND, ...changes };
      assert.deepEqual(lacks(event, around), lack);
      const isAboutOpponents =
        lack.length > 0 && changes.hasAccounts !== false && !changes.flagsMissing;
      assert.equal(unavailableOpponents(event, around).length > 0, isAboutOpponents);
    });

  it("no more approvals than it has", () => {
    assert.deepEqual(approvedOpponents({ approved: { champion: "v1", kiter: "v1" } }), [
      "kiter",
      "champion",
    ]);
  });
});

describe("nothing is earned", () => {
  const at = (hour: number) => `2026-01-05T${hour}:00:00.000Z`;
  const event = { enabled: true, opensAt: at(12), closesAt: at(18) } as EventDefinition;
  const closed = { ...PUBLIC, closesAt: at(13) };
  const ROWS = [
    [{ ...event, enabled: false }, PUBLIC, at(11), "disabled"],
    [event, closed, at(11), "upcoming"],
    [event, PUBLIC, at(12), null],
    [event, closed, at(13), "ladder_closed"],
    [event, { ...PUBLIC, enabled: false }, at(13), "ladder_closed"],
    [event, closed, at(18), "closed"],
  ] as const;
  for (const [one, ladder, instant, obstacle] of ROWS)
    it(`while it is ${obstacle ?? "anything but open"}, at ${instant}`, () => {
      assert.equal(earningObstacle(one, ladder, instant), obstacle);
    });
});
