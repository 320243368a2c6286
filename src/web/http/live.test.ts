import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

import { openRevisions } from "#base/cache/revisions.ts";
import type { Parts } from "#base/cache/revisions.ts";
import { fakeArena } from "#testing/fixtures/fake-arena.ts";
import type { FakeArena } from "#testing/fixtures/fake-arena.ts";

import { watchArena } from "./live.ts";
import type { LiveArena } from "./live.ts";

const bot = (botId: string) => {
  const rest = { online: true, version: null, versionId: null, ladderId: null, matchId: null };
  return { botId, name: botId, house: false, state: "idle" as const, ...rest };
};
const match = (id: string) => {
  const rest = { ladderId: "public", map: "yard", started: "2026-01-05T12:00:00.000Z" };
  return { id, ...rest, tick: 1, botIds: ["a", "b"], names: ["A", "B"] };
};
const entry = { botId: "a", versionId: "v", rating: 1500, deviation: 40, wins: 1, draws: 0 };
const played = { lastPlayed: "2026-01-05T12:00:00.000Z", lastMatchId: "m" };

const READS: Record<string, (arena: LiveArena) => unknown> = {
  board: (arena) => arena.board("public"),
  seasons: (arena) => arena.seasons(),
  online: (arena) => arena.online(),
  "who is online": (arena) => arena.onlineIds(),
  running: (arena) => arena.running(),
  capacity: (arena) => arena.capacity(),
  draining: (arena) => arena.draining(),
};

const CASES: [change: string, make: (arena: FakeArena) => unknown, moves: string[]][] = [
  ["nothing", () => null, []],
  ["an arrival", ({ bots }) => bots.push(bot("c")), ["online", "who is online"]],
  ["another state", ({ bots }) => (bots[0]!.state = "waiting"), ["online"]],
  ["a lost connection", ({ bots }) => (bots[0]!.online = false), ["online", "who is online"]],
  ["another session of a bot", ({ bots }) => bots.push(bot("a")), ["online"]],
  ["one bot for another", ({ bots }) => (bots[0] = bot("d")), ["online", "who is online"]],
  ["a match", ({ matches }) => matches.push(match("n")), ["running", "capacity"]],
  ["a tick", ({ matches }) => (matches[0]!.tick = 2), ["running"]],
  ["another name", ({ matches }) => (matches[0]!.names = ["A", "C"]), ["running"]],
  [
    "a rated game",
    ({ entries }) => entries.set("v", { ...entry, losses: 0, ...played }),
    ["board"],
  ],
  ["a new month", (arena) => (arena.live = "2026-02"), ["seasons"]],
  ["the stop", (arena) => (arena.draining = () => true), ["draining"]],
];

for (const [change, make, moves] of CASES)
  it(`${change} is noticed by readers of ${moves.join(", ") || "anything"}`, async () => {
    const revisions = openRevisions();
    const arena = fakeArena();
    arena.bots.push(bot("a"));
    arena.matches.push(match("m"));
    const live = watchArena(arena, revisions);
    const read = Object.entries(READS).map(([name, reading]) => {
      const parts: Parts = new Map();
      revisions.collect(parts, () => reading(live));
      return { name, parts };
    });
    await nextTurn();
    make(arena);
    const moved = read.filter(({ parts }) => !revisions.isFresh(parts));
    assert.deepEqual(
      moved.map(({ name }) => name),
      Object.keys(READS).filter((name) => moves.includes(name)),
    );
  });

it("a list is read once per job of the event loop, and nobody can change it", async () => {
  const revisions = openRevisions();
  const arena = fakeArena();
  arena.bots.push(bot("a"));
  let looks = 0;
  const counted = { ...arena, online: () => ((looks += 1), arena.online()) };
  const live = watchArena(counted, revisions);
  const first = live.online();
  assert.equal(live.online(), first);
  assert.deepEqual([...live.onlineIds()], ["a"]);
  assert.equal(looks, 1);
  await nextTurn();
  assert.equal(live.online(), first);
  assert.equal(looks, 2);
  assert.throws(() => (first as unknown[]).push(bot("b")), TypeError);
});
