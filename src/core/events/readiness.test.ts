import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { HOUSE_KINDS } from "#core/ids/house-bots.ts";
import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";

import type { EventDefinition } from "./event.ts";
import {
  approvedOpponents,
  earningObstacle,
  missingRequirements,
  unavailableOpponents,
} from "./readiness.ts";
import type { EventEnvironment } from "./readiness.ts";

const approved = { kiter: "v1", brawler: "v1", "ts-starter": "v1", champion: "v2" };
const ENVIRONMENT: EventEnvironment = {
  ladder: PUBLIC_LADDER,
  running: new Map(HOUSE_KINDS.map((kind) => [kind, approved[kind]])),
  hasAccounts: true,
  flagsMissing: [],
};

const MISSING_CASES: [
  name: string,
  event: Pick<EventDefinition, "approved">,
  around: Partial<EventEnvironment>,
  lack: string[],
][] = [
  ["nothing when everything is available", { approved }, {}, []],
  ["accounts", { approved }, { hasAccounts: false }, ["the server runs without accounts"]],
  [
    "an approved version",
    { approved: { ...approved, kiter: "v0" } },
    {},
    ["kiter runs version v1, but v0 is approved"],
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
    { ladder: { ...PUBLIC_LADDER, house: ["kiter", "ts-starter", "champion"] } },
    ["brawler is not on the ladder"],
  ],
  [
    "running house bots",
    { approved },
    { running: new Map([["kiter", "v1"]]) },
    ["brawler", "ts-starter", "champion"].map((kind) => `${kind} is not running`),
  ],
  ["flags", { approved }, { flagsMissing: ["first"] }, ["the flag of first is missing"]],
];

describe("missing requirements", () => {
  for (const [name, event, changes, missingText] of MISSING_CASES)
    it(name, () => {
      const environment = { ...ENVIRONMENT, ...changes };
      assert.deepEqual(missingRequirements(event, environment), missingText);
      const isAboutOpponents =
        missingText.length > 0 && changes.hasAccounts !== false && !changes.flagsMissing;
      assert.equal(unavailableOpponents(event, environment).length > 0, isAboutOpponents);
    });

  it("lists approved opponents in the usual order", () => {
    assert.deepEqual(approvedOpponents({ approved: { champion: "v1", kiter: "v1" } }), [
      "kiter",
      "champion",
    ]);
  });
});

describe("what keeps an event from awarding achievements", () => {
  const at = (hour: number) => `2026-01-05T${hour}:00:00.000Z`;
  const event = { enabled: true, opensAt: at(12), closesAt: at(18) } as EventDefinition;
  const closed = { ...PUBLIC_LADDER, closesAt: at(13) };
  const ROWS = [
    [{ ...event, enabled: false }, PUBLIC_LADDER, at(11), "disabled"],
    [event, closed, at(11), "upcoming"],
    [event, PUBLIC_LADDER, at(12), null],
    [event, closed, at(13), "ladder_closed"],
    [event, { ...PUBLIC_LADDER, enabled: false }, at(13), "ladder_closed"],
    [event, closed, at(18), "closed"],
  ] as const;
  for (const [singleCase, ladder, instant, obstacle] of ROWS)
    it(`is ${obstacle ?? "nothing, while the event is open"}, at ${instant}`, () => {
      assert.equal(earningObstacle(singleCase, ladder, instant), obstacle);
    });
});
