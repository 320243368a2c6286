import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";

import type { NewEvent } from "#core/resources/event.ts";

import { configFaults } from "./config-faults.ts";

const EXAMPLE = join(import.meta.dirname, "../../../docs/examples/event.json");
const example = async () =>
  JSON.parse(await readFile(EXAMPLE, "utf8")) as { ladders: object[]; events: NewEvent[] };

const CUP = { id: "cup", name: "Cup" };
const WORDS = { WORD: "open sesame", SHORT: "sesame" };
const told = (value: unknown) =>
  configFaults(value, WORDS).map(({ path, problem }) => `${path}: ${problem}`);

type Goal = NewEvent["conditions"][number];

/** Those of an event with something wrong everywhere, of its shape and then of the rest. */
const SHAPE_FAULTS = [
  "opens_at: must be text",
  "conditions[0].name: must be text",
  "conditions[1].condition.wins: must be a whole number from 1 to 10000",
  "conditions[2].condition: must be an object",
  "conditions: must have 5 entries",
  "approved.nobody: is not known here",
];
const MEANING_FAULTS = [
  "closes_at: must be an instant with its offset from UTC",
  "timezone: must be an IANA time zone name in its exact spelling, such as Europe/Berlin",
  "conditions[2].id: is the id of another achievement too",
  "approved.kiter: is no version label",
];
/** Of a second one that is on an unknown ladder. */
const ELSEWHERE = [
  "id: is that of an earlier entry",
  "ladder_id: is neither public nor a ladder of this file",
];
const TOO_MANY_MAPS = [1, 3].map(
  (at) => `conditions[${at}].condition.maps: is more than the ladder has: 1`,
);

describe("the faults of a configuration file", () => {
  const ROWS: [value: unknown, faults: string[]][] = [
    [{}, []],
    [{ ladders: [CUP, { ...CUP, id: "dusk", access: "password" }] }, []],
    [{ ladders: [{ ...CUP, access: "password", password_env: "WORD" }] }, []],
    [[], [': is no JSON object {"ladders": [...], "events": [...]}']],
    [{ ladder: [] }, ["ladder: is not known here"]],
    [{ ladders: {} }, ["ladders: must be a list"]],
    [
      {
        ladders: [
          { id: "X", maps: ["nowhere"], house: "all" },
          { ...CUP, password: "open sesame" },
        ],
      },
      [
        "ladders[0].name: is needed",
        "ladders[0].id: is malformed",
        "ladders[0].maps[0]: must be one of",
        "ladders[0].house: must be a list",
        "ladders[1].password: is not known here",
      ],
    ],
    [{ ladders: [{ ...CUP, maps: [] }] }, ["ladders[0].maps: must not be empty"]],
    [
      { ladders: [CUP, CUP, { ...CUP, id: "public" }] },
      [
        "ladders[1].id: is that of an earlier entry",
        "ladders[2].id: is that of the ladder that is always there",
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
        "ladders[0].opens_at: must be an instant with its offset from UTC",
        "ladders[1].password_env: names a password that is for access 'password' alone",
      ],
    ],
    [
      { ladders: [{ ...CUP, access: "password", password_env: "NONE" }] },
      ["ladders[0].password_env: names NONE, which is not set"],
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
        "ladders[0].opens_at: must be an instant with its offset from UTC",
        "ladders[0].password_env: names NONE, which is not set",
        "ladders[1].id: is that of an earlier entry",
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
        "ladders[0].id: is needed",
        "ladders[1].id: is needed",
        "ladders[2].closes_at: must be text",
        "ladders[2].opens_at: must be an instant with its offset from UTC",
      ],
    ],
    [
      { ladders: [CUP], events: [5, {}], odd: 1 },
      [
        "odd: is not known here",
        "events[0]: must be an object",
        "events[1].id: is needed",
        "events[1].ladder_id: is needed",
        "events[1].opens_at: is needed",
        "events[1].closes_at: is needed",
        "events[1].name: is needed",
        "events[1].conditions: is needed",
      ],
    ],
  ];
  for (const [value, faults] of ROWS)
    it(`${JSON.stringify(value)} has ${faults.length} faults`, () => {
      const lines = told(value);
      assert.equal(lines.length, faults.length, lines.join("\n"));
      for (const fault of faults)
        assert.ok(
          lines.some((line) => line.startsWith(fault)),
          `${fault}\n${lines.join("\n")}`,
        );
    });

  it("are told of its events", async () => {
    const { ladders, events } = await example();
    const [event] = events as [NewEvent];
    const conditions = event.conditions.with(1, event.conditions[0]!);
    const wrong = [
      { ...event, ladder_id: "nowhere" },
      { ...event, closes_at: "2027-03-05T21:00:00+01:00" },
      { ...event, id: "third", opens_at: "soon", timezone: "Mars/Olympus", conditions },
    ];
    assert.deepEqual(told({ ladders, events: wrong }), [
      "events[0].ladder_id: is neither public nor a ladder of this file",
      "events[1].id: is that of an earlier entry",
      "events[1].closes_at: must be after opens_at, and both within the window of the ladder",
      "events[2].opens_at: must be an instant with its offset from UTC",
      "events[2].timezone: must be an IANA time zone name in its exact spelling, such as Europe/Berlin",
      "events[2].conditions[1].id: is the id of another achievement too",
    ]);
    const [one, twin] = ["aa--b", "aa"];
    const sharing = [
      {
        ...event,
        id: one,
        conditions: event.conditions.with(0, { ...event.conditions[0]!, id: "xx" }),
      },
      {
        ...event,
        id: twin,
        conditions: event.conditions.with(0, { ...event.conditions[0]!, id: "b--xx" }),
      },
    ];
    assert.deepEqual(told({ ladders, events: sharing }), [
      "events[1].conditions: lead to BOUT_FLAG_AA__B__XX, which has the flag of another one",
    ]);
  });

  it("are told of the shape of events, and of what the rest of them means", async () => {
    const { events } = await example();
    const [event] = events as [NewEvent];
    const [first, second, ...rest] = event.conditions as [Goal, Goal, ...Goal[]];
    const wrong = {
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
    const small = { ...CUP, maps: ["keep"], house: 5 };
    assert.deepEqual(told({ ladders: [small], events: [wrong, { ...wrong, ladder_id: "" }] }), [
      "ladders[0].house: must be a list",
      ...[...SHAPE_FAULTS, ...MEANING_FAULTS, ...TOO_MANY_MAPS].map((one) => `events[0].${one}`),
      ...[...SHAPE_FAULTS, ...ELSEWHERE, ...MEANING_FAULTS].map((one) => `events[1].${one}`),
    ]);
    assert.deepEqual(told({ ladders: 5, events: [event] }), ["ladders: must be a list"]);
  });

  const CHANGES: [name: string, change: (event: NewEvent) => object, faults: string[]][] = [
    [
      "four achievements",
      ({ conditions }) => ({ conditions: conditions.slice(1) }),
      ["conditions: must have 5 entries"],
    ],
    [
      "a count that is none",
      ({ conditions: [one, ...rest] }) => ({
        conditions: [{ ...one, condition: { kind: "games", count: 0 } }, ...rest],
      }),
      ["conditions[0].condition.count: must be a whole number from 1 to 10000"],
    ],
    [
      "a condition that lacks something, and has something else",
      ({ conditions }) => ({
        conditions: conditions.with(2, {
          ...conditions[2]!,
          condition: { kind: "streak", count: 3 } as never,
        }),
      }),
      [
        "conditions[2].condition.wins: is needed",
        "conditions[2].condition.count: is not known here",
      ],
    ],
    [
      "conditions of no kind, and none at all",
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
      "an unknown opponent, more maps than there are, and an odd id",
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
      "metadata of another kind and without a purpose",
      ({ metadata }) => ({ metadata: { ...metadata, kind: "party", purpose: undefined } }),
      ["metadata.purpose: is needed", "metadata.kind: must be one of precon, main, community"],
    ],
    [
      "metadata that is a word",
      () => ({ metadata: "party" }),
      ["metadata: must be an object, or null"],
    ],
    [
      "an approved bot that is none, and a label that is none",
      () => ({ approved: { nobody: "v1" } }),
      ["approved.nobody: is not known here"],
    ],
    [
      "a name that every object has",
      () => JSON.parse('{"__proto__": 1}') as object,
      ["__proto__: is not known here"],
    ],
    [
      "a label with a slash",
      () => ({ approved: { kiter: "a/b" } }),
      ["approved.kiter: is no version label"],
    ],
    [
      "an address without TLS",
      () => ({ submission_url: "http://example.org" }),
      ["submission_url: must be an https address, or null"],
    ],
    [
      "instructions that are a number",
      () => ({ submission_instructions: 5 }),
      ["submission_instructions: must be text"],
    ],
  ];
  for (const [name, change, faults] of CHANGES)
    it(`are told of an event with ${name}`, async () => {
      const { ladders, events } = await example();
      const [event] = events as [NewEvent];
      const lines = told({ ladders, events: [{ ...event, ...change(event) }] });
      assert.deepEqual(
        lines,
        faults.map((fault) => `events[0].${fault}`),
      );
    });
});
