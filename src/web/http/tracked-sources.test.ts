import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

import { openRevisions } from "#base/cache/revisions.ts";
import type { Dependencies } from "#base/cache/revisions.ts";
import { fakeArena } from "#testing/fixtures/fake-arena.ts";
import type { FakeArena } from "#testing/fixtures/fake-arena.ts";

import { trackArena } from "./tracked-sources.ts";
import type { TrackedArena } from "./tracked-sources.ts";

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

const READS: Record<string, (arena: TrackedArena) => unknown> = {
  board: (arena) => arena.board("public"),
  seasons: (arena) => arena.seasons(),
  online: (arena) => arena.onlineBots(),
  "who is online": (arena) => arena.onlineIds(),
  running: (arena) => arena.runningMatches(),
  capacity: (arena) => arena.capacity(),
  draining: (arena) => arena.isDraining(),
};

const CASES: [change: string, make: (arena: FakeArena) => unknown, moves: string[]][] = [
  ["nothing", () => null, []],
  ["a new connection", ({ bots }) => bots.push(bot("c")), ["online", "who is online"]],
  ["another state", ({ bots }) => (bots[0]!.state = "waiting"), ["online"]],
  ["a lost connection", ({ bots }) => (bots[0]!.online = false), ["online", "who is online"]],
  ["a second session of a bot", ({ bots }) => bots.push(bot("a")), ["online"]],
  ["a bot replacing another", ({ bots }) => (bots[0] = bot("d")), ["online", "who is online"]],
  ["a match", ({ matches }) => matches.push(match("n")), ["running", "capacity"]],
  ["a tick", ({ matches }) => (matches[0]!.tick = 2), ["running"]],
  ["another name", ({ matches }) => (matches[0]!.names = ["A", "C"]), ["running"]],
  [
    "a rated game",
    ({ entries }) => entries.set("v", { ...entry, losses: 0, ...played }),
    ["board"],
  ],
  ["a new month", (arena) => (arena.liveSeason = "2026-02"), ["seasons"]],
  ["the drain", (arena) => (arena.isDraining = () => true), ["draining"]],
];

for (const [change, make, changedNames] of CASES)
  it(`${change} invalidates responses that read ${changedNames.join(", ") || "anything"}`, async () => {
    const revisions = openRevisions();
    const arena = fakeArena();
    arena.bots.push(bot("a"));
    arena.matches.push(match("m"));
    const tracked = trackArena(arena, revisions);
    const read = Object.entries(READS).map(([name, trackRead]) => {
      const dependencies: Dependencies = new Map();
      revisions.collect(dependencies, () => trackRead(tracked));
      return { name, parts: dependencies };
    });
    await nextTurn();
    make(arena);
    const changedReads = read.filter(({ parts: dependencies }) => !revisions.isFresh(dependencies));
    assert.deepEqual(
      changedReads.map(({ name }) => name),
      Object.keys(READS).filter((name) => changedNames.includes(name)),
    );
  });

it("a list is read once per turn of the event loop and is immutable", async () => {
  const revisions = openRevisions();
  const arena = fakeArena();
  arena.bots.push(bot("a"));
  let readCount = 0;
  const countingArena = { ...arena, onlineBots: () => ((readCount += 1), arena.onlineBots()) };
  const tracked = trackArena(countingArena, revisions);
  const first = tracked.onlineBots();
  assert.equal(tracked.onlineBots(), first);
  assert.deepEqual([...tracked.onlineIds()], ["a"]);
  assert.equal(readCount, 1);
  await nextTurn();
  assert.equal(tracked.onlineBots(), first);
  assert.equal(readCount, 2);
  assert.throws(() => (first as unknown[]).push(bot("b")), TypeError);
});
