import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";

import { flagVariable, missingFlags, conflictingVariables } from "./achievement-flags.ts";
import {
  approvedVersionIssues,
  duplicateIdIssues,
  isWithinLadderWindow,
  isTimeZoneName,
  mapCountIssues,
} from "./definition-issues.ts";
import type { Achievement, EventDefinition } from "./event.ts";
import { createLiveEvents } from "./live-events.ts";
import { requestRefusal, revealRefusal } from "./refusals.ts";

const withIds = (id: string, ...ids: string[]) => ({
  id,
  achievements: ids.map((singleEvent) => ({ id: singleEvent })),
});

describe("flags", () => {
  it("are read from variables named after the event and the achievement", () => {
    assert.equal(flagVariable("spring-cup", "ten-games"), "BOUT_FLAG_SPRING_CUP__TEN_GAMES");
  });

  it("conflict if two achievements share a variable", () => {
    const events = [withIds("a--b", "x"), withIds("aa", "one", "two")];
    assert.deepEqual(conflictingVariables(events), []);
    assert.deepEqual(conflictingVariables([...events, withIds("a", "b--x")]), [
      "BOUT_FLAG_A__B__X",
    ]);
  });

  it("are missing if no source sets them", () => {
    const flags = { get: (_: unknown, id: string) => (id === "one" ? "text" : null) };
    const event = { ...withIds("cup", "one", "two"), flagMode: "official" } as const;
    assert.deepEqual(missingFlags(flags, event), ["two"]);
  });
});

describe("the first reason for refusal", () => {
  const validDefinition = {
    isMember: true,
    isEarning: true,
    hasRequest: false,
    isPlaying: true,
    isAvailable: true,
    isTooSoon: false,
  };
  const invalidDefinition = {
    ...validDefinition,
    isTooSoon: true,
    isAvailable: false,
    isPlaying: false,
    hasRequest: true,
  };
  const REQUESTS = [
    [{ ...invalidDefinition, isEarning: false, isMember: false }, "enrollment_required"],
    [{ ...invalidDefinition, isEarning: false }, "event_closed"],
    [invalidDefinition, "request_exists"],
    [{ ...invalidDefinition, hasRequest: false }, "bot_offline"],
    [{ ...validDefinition, isAvailable: false, isTooSoon: true }, "opponent_unavailable"],
    [{ ...validDefinition, isTooSoon: true }, "rate_limited"],
    [validDefinition, null],
  ] as const;
  for (const [facts, refusal] of REQUESTS)
    it(`for an opponent request: ${refusal ?? "none"}`, () => {
      assert.equal(requestRefusal(facts), refusal);
    });

  const earned = { revokedAt: null };
  const REVEALS = [
    [{ isMember: false, award: null, hasFlag: false }, "enrollment_required"],
    [{ isMember: true, award: { revokedAt: "x" }, hasFlag: false }, "achievement_revoked"],
    [{ isMember: true, award: null, hasFlag: false }, "achievement_locked"],
    [{ isMember: true, award: earned, hasFlag: false }, "flag_unavailable"],
    [{ isMember: true, award: earned, hasFlag: true }, null],
  ] as const;
  for (const [facts, refusal] of REVEALS)
    it(`for a flag request: ${refusal ?? "none"}`, () => {
      assert.equal(revealRefusal(facts), refusal);
    });
});

describe("definitions", () => {
  const wins = (id: string, maps: number): Achievement => {
    return { id, name: id, description: id, condition: { kind: "wins", count: 3, maps } };
  };

  it("have unique achievement ids and require no more maps than the ladder has", () => {
    const conditions = [wins("one", 2), wins("two", 3), wins("one", 1)];
    const issues = [
      ...mapCountIssues(conditions, { maps: ["keep", "cage"] }),
      ...duplicateIdIssues(conditions),
    ];
    assert.deepEqual(
      issues.map(({ path }) => path),
      ["conditions[1].condition.maps", "conditions[2].id"],
    );
  });

  it("approve only valid version labels", () => {
    assert.deepEqual(approvedVersionIssues({ approved: { kiter: "v1", champion: "a/b" } }), [
      { path: "approved.champion", problem: "is not a valid version label" },
    ]);
  });

  it("lie within the window of their ladder", () => {
    const window = { opensAt: "2026-01-01", closesAt: "2026-01-02" };
    assert.equal(isWithinLadderWindow(window, PUBLIC_LADDER), true);
    assert.equal(
      isWithinLadderWindow({ ...window, closesAt: window.opensAt }, PUBLIC_LADDER),
      false,
    );
    assert.equal(isWithinLadderWindow(window, { ...PUBLIC_LADDER, closesAt: "2026-01-01" }), false);
  });

  for (const [name, isOne] of [
    ["UTC", true],
    ["Europe/Berlin", true],
    ["Asia/Kolkata", true],
    ["US/Eastern", true],
    ["europe/berlin", false],
    ["utc", false],
    ["Europe/Nowhere", false],
    ["+02:00", false],
    ["", false],
  ] as const)
    it(`${isOne ? "take" : "refuse"} the time zone '${name}'`, () => {
      assert.equal(isTimeZoneName(name), isOne);
    });
});

describe("live events", () => {
  const event = (id: string, revision = 0) =>
    ({ id, revision, ladderId: id === "b" ? "cup" : "public" }) as EventDefinition;

  it("are found by id and by ladder", () => {
    const events = createLiveEvents([event("a"), event("b")]);
    events.upsert(event("c"));
    assert.deepEqual(events.onLadder("public"), [event("a"), event("c")]);
    assert.deepEqual(events.byId("b"), event("b"));
    events.remove("b");
    assert.equal(events.byId("b"), null);
    assert.equal(events.list().length, 2);
  });

  it("ignore earlier revisions", () => {
    const events = createLiveEvents([event("a", 3)]);
    events.upsert(event("a", 2));
    assert.equal(events.byId("a")?.revision, 3);
    events.upsert(event("a", 4));
    assert.equal(events.byId("a")?.revision, 4);
  });
});
