import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { PUBLIC } from "#core/ladder/ladder.ts";

import { approvedFaults, doubledFaults, fitsLadder, isTimezone, mapFaults } from "./definition.ts";
import type { Achievement, EventDefinition } from "./event.ts";
import { openEvents } from "./events.ts";
import { flagVariable, missingFlags, sharedVariables } from "./flag.ts";
import { requestRefusal, revealRefusal } from "./refusal.ts";

const withIds = (id: string, ...ids: string[]) => ({
  id,
  achievements: ids.map((one) => ({ id: one })),
});

describe("flags", () => {
  it("are in variables named after event and achievement", () => {
    assert.equal(flagVariable("spring-cup", "ten-games"), "BOUT_FLAG_SPRING_CUP__TEN_GAMES");
  });

  it("never share a variable", () => {
    const events = [withIds("a--b", "x"), withIds("aa", "one", "two")];
    assert.deepEqual(sharedVariables(events), []);
    assert.deepEqual(sharedVariables([...events, withIds("a", "b--x")]), ["BOUT_FLAG_A__B__X"]);
  });

  it("are missing where they are nowhere", () => {
    const flags = { of: (_: unknown, id: string) => (id === "one" ? "text" : null) };
    const event = { ...withIds("cup", "one", "two"), flagMode: "official" } as const;
    assert.deepEqual(missingFlags(flags, event), ["two"]);
  });
});

describe("the first reason is told", () => {
  const right = {
    isMember: true,
    isEarning: true,
    hasRequest: false,
    isPlaying: true,
    isAvailable: true,
    isTooSoon: false,
  };
  const wrong = {
    ...right,
    isTooSoon: true,
    isAvailable: false,
    isPlaying: false,
    hasRequest: true,
  };
  const REQUESTS = [
    [{ ...wrong, isEarning: false, isMember: false }, "enrollment_required"],
    [{ ...wrong, isEarning: false }, "event_closed"],
    [wrong, "request_exists"],
    [{ ...wrong, hasRequest: false }, "bot_offline"],
    [{ ...right, isAvailable: false, isTooSoon: true }, "opponent_unavailable"],
    [{ ...right, isTooSoon: true }, "rate_limited"],
    [right, null],
  ] as const;
  for (const [facts, refusal] of REQUESTS)
    it(`to a wish for an opponent: ${refusal ?? "none"}`, () => {
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
    it(`to a wish for a flag: ${refusal ?? "none"}`, () => {
      assert.equal(revealRefusal(facts), refusal);
    });
});

describe("definitions", () => {
  const wins = (id: string, maps: number): Achievement => {
    return { id, name: id, description: id, condition: { kind: "wins", count: 3, maps } };
  };

  it("name each achievement once, and ask for no more maps than there are", () => {
    const conditions = [wins("one", 2), wins("two", 3), wins("one", 1)];
    const faults = [
      ...mapFaults(conditions, { maps: ["keep", "cage"] }),
      ...doubledFaults(conditions),
    ];
    assert.deepEqual(
      faults.map(({ path }) => path),
      ["conditions[1].condition.maps", "conditions[2].id"],
    );
  });

  it("approve version labels", () => {
    assert.deepEqual(approvedFaults({ approved: { kiter: "v1", champion: "a/b" } }), [
      { path: "approved.champion", problem: "is no version label" },
    ]);
  });

  it("lie within their ladders", () => {
    const window = { opensAt: "2026-01-01", closesAt: "2026-01-02" };
    assert.equal(fitsLadder(window, PUBLIC), true);
    assert.equal(fitsLadder({ ...window, closesAt: window.opensAt }, PUBLIC), false);
    assert.equal(fitsLadder(window, { ...PUBLIC, closesAt: "2026-01-01" }), false);
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
      assert.equal(isTimezone(name), isOne);
    });
});

describe("the events of a server", () => {
  const event = (id: string, revision = 0) =>
    ({ id, revision, ladderId: id === "b" ? "cup" : "public" }) as EventDefinition;

  it("are known by id and by ladder", () => {
    const events = openEvents([event("a"), event("b")]);
    events.put(event("c"));
    assert.deepEqual(events.onLadder("public"), [event("a"), event("c")]);
    assert.deepEqual(events.byId("b"), event("b"));
    events.drop("b");
    assert.equal(events.byId("b"), null);
    assert.equal(events.all().length, 2);
  });

  it("never go back to an earlier revision", () => {
    const events = openEvents([event("a", 3)]);
    events.put(event("a", 2));
    assert.equal(events.byId("a")?.revision, 3);
    events.put(event("a", 4));
    assert.equal(events.byId("a")?.revision, 4);
  });
});
