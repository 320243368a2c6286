import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";

import type { NewEvent } from "#core/api/event.ts";

import { configIssues } from "./config-issues.ts";

const EXAMPLE = join(import.meta.dirname, "../../../docs/examples/event.json");
const example = async () =>
  JSON.parse(await readFile(EXAMPLE, "utf8")) as { ladders: object[]; events: NewEvent[] };

const CUP = { id: "cup", name: "Cup" };
const PASSWORDS = { WORD: "open sesame", SHORT: "sesame" };
const issueLines = (value: unknown) =>
  configIssues(value, PASSWORDS).map(({ path, problem }) => `${path}: ${problem}`);

type Condition = NewEvent["conditions"][number];

/** Issues for an event that is invalid throughout: schema issues first, then semantic issues. */
const SHAPE_ISSUES = [
  "opens_at: must be a string",
  "conditions[0].name: must be a string",
  "conditions[1].condition.wins: must be a whole number from 1 to 10000",
  "conditions[2].condition: must be an object",
  "conditions: must have 5 entries",
  "approved.nobody: is unknown",
];
const MEANING_ISSUES = [
  "closes_at: must be an instant with its UTC offset",
  "timezone: must be an IANA time zone name in its exact spelling, such as Europe/Berlin",
  "conditions[2].id: is already the id of another achievement",
  "approved.kiter: is not a valid version label",
];
/** Issues for a second event with the same id on an unknown ladder. */
const UNKNOWN_LADDER_ISSUES = [
  "id: is already used by an earlier entry",
  "ladder_id: must be public or a ladder in this file",
];
const TOO_MANY_MAPS = [1, 3].map(
  (at) => `conditions[${at}].condition.maps: must not exceed the number of maps on the ladder: 1`,
);

describe("configuration file issues", () => {
  const ROWS: [value: unknown, faults: string[]][] = [
    [{}, []],
    [{ ladders: [CUP, { ...CUP, id: "dusk", access: "password" }] }, []],
    [{ ladders: [{ ...CUP, access: "password", password_env: "WORD" }] }, []],
    [[], [': is not a JSON object {"ladders": [...], "events": [...]}']],
    [{ ladder: [] }, ["ladder: is unknown"]],
    [{ ladders: {} }, ["ladders: must be a list"]],
    [
      {
        ladders: [
          { id: "X", maps: ["nowhere"], house: "all" },
          { ...CUP, password: "open sesame" },
        ],
      },
      [
        "ladders[0].name: is required",
        "ladders[0].id: is malformed",
        "ladders[0].maps[0]: must be one of",
        "ladders[0].house: must be a list",
        "ladders[1].password: is unknown",
      ],
    ],
    [{ ladders: [{ ...CUP, maps: [] }] }, ["ladders[0].maps: must not be empty"]],
    [
      { ladders: [CUP, CUP, { ...CUP, id: "public" }] },
      [
        "ladders[1].id: is already used by an earlier entry",
        "ladders[2].id: is reserved for the built-in ladder",
      ],
    ],
    [
      {
        ladders: [
          { ...CUP, opens_at: "soon" },
          { ...CUP, id: "dusk", password_env: "WORD" },
        ],
      },
      [
        "ladders[0].opens_at: must be an instant with its UTC offset",
        "ladders[1].password_env: names a password that is only allowed with access 'password'",
      ],
    ],
    [
      { ladders: [{ ...CUP, access: "password", password_env: "NONE" }] },
      ["ladders[0].password_env: names the variable NONE, which is not set"],
    ],
    [
      { ladders: [{ ...CUP, access: "password", password_env: "SHORT" }] },
      ["ladders[0].password_env: names a password that must have 8 to 72 bytes"],
    ],
    [
      { ladders: [{ ...CUP, opens_at: "2027-01-01T12:00Z", closes_at: "2027-01-01T12:00Z" }] },
      ["ladders[0].closes_at: must be after opens_at"],
    ],
    [
      { ladders: [{ ...CUP, maps: ["nowhere"], opens_at: "soon", password_env: "NONE" }, CUP, 5] },
      [
        "ladders[0].maps[0]: must be one of",
        "ladders[0].opens_at: must be an instant with its UTC offset",
        "ladders[0].password_env: names the variable NONE, which is not set",
        "ladders[1].id: is already used by an earlier entry",
        "ladders[2]: must be an object",
      ],
    ],
    [
      { ladders: [{ ...CUP, access: "locked", password_env: "SHORT" }] },
      [
        "ladders[0].access: must be one of open, approval, invite, password",
        "ladders[0].password_env: names a password that must have 8 to 72 bytes",
      ],
    ],
    [{ ladders: [{ ...CUP, access: "locked", password_env: "WORD" }] }, ["ladders[0].access:"]],
    [
      { ladders: [{ name: "Cup" }, { name: "Cup" }, { ...CUP, closes_at: 5, opens_at: "soon" }] },
      [
        "ladders[0].id: is required",
        "ladders[1].id: is required",
        "ladders[2].closes_at: must be a string",
        "ladders[2].opens_at: must be an instant with its UTC offset",
      ],
    ],
    [
      { ladders: [CUP], events: [5, {}], odd: 1 },
      [
        "odd: is unknown",
        "events[0]: must be an object",
        "events[1].id: is required",
        "events[1].ladder_id: is required",
        "events[1].opens_at: is required",
        "events[1].closes_at: is required",
        "events[1].name: is required",
        "events[1].conditions: is required",
      ],
    ],
  ];
  for (const [value, issues] of ROWS)
    it(`in ${JSON.stringify(value)}: ${issues.length}`, () => {
      const lines = issueLines(value);
      assert.equal(lines.length, issues.length, lines.join("\n"));
      for (const issue of issues)
        assert.ok(
          lines.some((line) => line.startsWith(issue)),
          `${issue}\n${lines.join("\n")}`,
        );
    });

  it("cover all events", async () => {
    const { ladders, events } = await example();
    const [event] = events as [NewEvent];
    const conditions = event.conditions.with(1, event.conditions[0]!);
    const invalidEvents = [
      { ...event, ladder_id: "nowhere" },
      { ...event, closes_at: "2027-03-05T21:00:00+01:00" },
      { ...event, id: "third", opens_at: "soon", timezone: "Mars/Olympus", conditions },
    ];
    assert.deepEqual(issueLines({ ladders, events: invalidEvents }), [
      "events[0].ladder_id: must be public or a ladder in this file",
      "events[1].id: is already used by an earlier entry",
      "events[1].closes_at: must be after opens_at, and both within the ladder's window",
      "events[2].opens_at: must be an instant with its UTC offset",
      "events[2].timezone: must be an IANA time zone name in its exact spelling, such as Europe/Berlin",
      "events[2].conditions[1].id: is already the id of another achievement",
    ]);
    const [one, twinId] = ["aa--b", "aa"];
    const eventsSharingFlag = [
      {
        ...event,
        id: one,
        conditions: event.conditions.with(0, { ...event.conditions[0]!, id: "xx" }),
      },
      {
        ...event,
        id: twinId,
        conditions: event.conditions.with(0, { ...event.conditions[0]!, id: "b--xx" }),
      },
    ];
    assert.deepEqual(issueLines({ ladders, events: eventsSharingFlag }), [
      "events[1].conditions: use BOUT_FLAG_AA__B__XX, the flag variable of another achievement",
    ]);
  });

  it("cover both the schema and the semantics of events", async () => {
    const { events } = await example();
    const [event] = events as [NewEvent];
    const [first, second, ...rest] = event.conditions as [Condition, Condition, ...Condition[]];
    const invalidEvents = {
      ...event,
      ladder_id: "cup",
      opens_at: 5,
      closes_at: "soon",
      timezone: "Mars/Olympus",
      approved: { kiter: "a/b", nobody: "v1" },
      conditions: [
        { ...first, name: 5 },
        { ...second, condition: { kind: "defeat", opponent: "kiter", wins: 0, maps: 9 } },
        { ...rest[0]!, id: first.id, condition: "luck" },
        rest[1],
      ],
    };
    const smallLadder = { ...CUP, maps: ["keep"], house: 5 };
    assert.deepEqual(
      issueLines({
        ladders: [smallLadder],
        events: [invalidEvents, { ...invalidEvents, ladder_id: "" }],
      }),
      [
        "ladders[0].house: must be a list",
        ...[...SHAPE_ISSUES, ...MEANING_ISSUES, ...TOO_MANY_MAPS].map((one) => `events[0].${one}`),
        ...[...SHAPE_ISSUES, ...UNKNOWN_LADDER_ISSUES, ...MEANING_ISSUES].map(
          (one) => `events[1].${one}`,
        ),
      ],
    );
    assert.deepEqual(issueLines({ ladders: 5, events: [event] }), ["ladders: must be a list"]);
  });

  const CHANGES: [name: string, change: (event: NewEvent) => object, faults: string[]][] = [
    [
      "four achievements",
      ({ conditions }) => ({ conditions: conditions.slice(1) }),
      ["conditions: must have 5 entries"],
    ],
    [
      "a count out of range",
      ({ conditions: [one, ...rest] }) => ({
        conditions: [{ ...one, condition: { kind: "games", count: 0 } }, ...rest],
      }),
      ["conditions[0].condition.count: must be a whole number from 1 to 10000"],
    ],
    [
      "a condition with a missing and an unknown field",
      ({ conditions }) => ({
        conditions: conditions.with(2, {
          ...conditions[2]!,
          condition: { kind: "streak", count: 3 } as never,
        }),
      }),
      ["conditions[2].condition.wins: is required", "conditions[2].condition.count: is unknown"],
    ],
    [
      "conditions of an unknown kind or type",
      ({ conditions }) => ({
        conditions: conditions
          .with(1, { ...conditions[1]!, condition: { kind: "luck" } as never })
          .with(3, { ...conditions[3]!, condition: "luck" as never }),
      }),
      [
        "conditions[1].condition.kind: must be one of games, wins, defeat, streak, clean, score",
        "conditions[3].condition: must be an object",
      ],
    ],
    [
      "an unknown opponent, too many maps and a malformed id",
      ({ conditions }) => ({
        conditions: conditions.map((one, at) =>
          at === 0
            ? { ...one, id: "Ten" }
            : at === 1
              ? { ...one, condition: { kind: "defeat", opponent: "house", wins: 1, maps: 99 } }
              : one,
        ),
      }),
      [
        "conditions[0].id: is malformed",
        "conditions[1].condition.opponent: must be one of kiter, brawler, ts-starter, champion",
        "conditions[1].condition.maps: must be a whole number from 1 to 9",
      ],
    ],
    [
      "metadata of an unknown kind and without a purpose",
      ({ metadata }) => ({ metadata: { ...metadata, kind: "party", purpose: undefined } }),
      ["metadata.purpose: is required", "metadata.kind: must be one of precon, main, community"],
    ],
    [
      "metadata that isn't an object",
      () => ({ metadata: "party" }),
      ["metadata: must be an object, or null"],
    ],
    [
      "an approved bot that doesn't exist",
      () => ({ approved: { nobody: "v1" } }),
      ["approved.nobody: is unknown"],
    ],
    [
      "a field named __proto__",
      () => JSON.parse('{"__proto__": 1}') as object,
      ["__proto__: is unknown"],
    ],
    [
      "a label with a slash",
      () => ({ approved: { kiter: "a/b" } }),
      ["approved.kiter: is not a valid version label"],
    ],
    [
      "a URL without TLS",
      () => ({ submission_url: "http://example.org" }),
      ["submission_url: must be an https address, or null"],
    ],
    [
      "instructions that are a number",
      () => ({ submission_instructions: 5 }),
      ["submission_instructions: must be a string"],
    ],
  ];
  for (const [name, change, issues] of CHANGES)
    it(`cover an event with ${name}`, async () => {
      const { ladders, events } = await example();
      const [event] = events as [NewEvent];
      const lines = issueLines({ ladders, events: [{ ...event, ...change(event) }] });
      assert.deepEqual(
        lines,
        issues.map((issue) => `events[0].${issue}`),
      );
    });
});
