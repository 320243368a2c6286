import assert from "node:assert/strict";
import { test } from "node:test";

import { MAP_NAMES } from "#core/engine/maps.ts";
import { CROWD_PAIRING_NUMBERS } from "#testing/harness/simulated-crowd.ts";

import { beginCompetition } from "./competition.ts";
import type { Competitions } from "./competition.ts";
import type { RatedMatch, WaitingEntry, WaveRequest } from "./matchmaker.ts";
import { pairWaiting } from "./pair-waiting.ts";
import { rateMatch } from "./ratings.ts";

const PUBLIC = { ladderId: "public", season: "2026-01" };
const LIMITS = { ownerConcurrency: 40, matchIntervalSeconds: 0.3, houseStarts: Infinity };

function waitingEntry(name: string, changes: Partial<WaitingEntry> = {}): WaitingEntry {
  return {
    botId: `bot-${name}`,
    owner: name,
    house: false,
    versionId: `v-${name}`,
    waitSeconds: 30,
    startsInLastHour: 0,
    sinceStartSeconds: Infinity,
    lastOpponent: null,
    ...changes,
  };
}

function waveRequest(waiting: WaitingEntry[], changes: Partial<WaveRequest> = {}): WaveRequest {
  return {
    ladderId: "public",
    waiting,
    recentPairs: [],
    maps: MAP_NAMES,
    occupiedSeats: new Map([["busy", 40]]),
    remainingStarts: new Map([["spent", 0]]),
    requestedPairs: [],
    limits: LIMITS,
    numbers: CROWD_PAIRING_NUMBERS,
    starts: [1, 2, 3].map((seed) => ({ matchId: `match-${seed}`, seed })),
    seed: 1,
    ...changes,
  };
}

test("returns both bots, a map and the reasons for each pairing", () => {
  const wave = waveRequest(["a", "b"].map((name) => waitingEntry(name)));
  const [pairing, ...others] = pairWaiting(new Map(), wave);
  assert.deepEqual(others, []);
  assert.deepEqual([pairing!.matchId, pairing!.seed], ["match-1", 1]);
  assert.deepEqual([...pairing!.botIds].toSorted(), ["bot-a", "bot-b"]);
  const { ground, terms, weight } = pairing!.reasons;
  assert.equal(ground, "window");
  assert.equal(
    Object.values(terms).reduce((sum, term) => sum + term, 0),
    weight,
  );
});

const unpairableCases: [
  name: string,
  changes: Partial<WaitingEntry>,
  met?: WaveRequest["recentPairs"],
][] = [
  ["with the same owner", { owner: "same" }],
  ["that are both house bots", { house: true }],
  ["that met within the rematch hold", {}, [{ botIds: ["bot-a", "bot-b"], seconds: 1 }]],
  ["that have just started a match", { sinceStartSeconds: 0.1 }],
  ["whose owner has no capacity left", { owner: "busy" }],
  ["whose owner has used up the daily quota", { owner: "spent" }],
];
for (const [name, changes, recentPairs = []] of unpairableCases)
  test(`doesn't pair two bots ${name}`, () => {
    const waiting = [waitingEntry("a", changes), waitingEntry("b", changes)];
    assert.deepEqual(pairWaiting(new Map(), waveRequest(waiting, { recentPairs })), []);
  });

test("respects an owner's remaining quota", () => {
  const own = ["a", "b", "c"].map((name) => waitingEntry(name, { owner: "nearly" }));
  const others = ["x", "y", "z"].map((name) => waitingEntry(name));
  const wave = waveRequest([...own, ...others], { remainingStarts: new Map([["nearly", 1]]) });
  const startedBotIds = pairWaiting(new Map(), wave).flatMap(({ botIds }) => botIds);
  assert.equal(startedBotIds.filter((id) => own.some(({ botId }) => botId === id)).length, 1);
});

/**
 * Returns competitions in which a bot's versions have won these numbers of matches, oldest version
 * first.
 */
function competitionsWithWins(wins: Record<string, number>): Competitions {
  const competitions: Competitions = new Map();
  beginCompetition(competitions, PUBLIC, ["bot-rival"]);
  let number = 0;
  for (const [version, count] of Object.entries(wins))
    for (let game = 0; game < count; game += 1) {
      number += 1;
      const match: RatedMatch = {
        ...PUBLIC,
        matchId: `m-${number}`,
        botIds: ["bot-a", "bot-rival"],
        versionIds: [version, "v-rival"],
        map: "cage",
        score: number % 8 === 0 ? 0 : 1,
        ended: new Date(Date.UTC(2026, 0, 5) + number * 1000).toISOString(),
      };
      rateMatch(competitions, match);
    }
  return competitions;
}

/** Returns the rating gap a wave reports for the bot's newest version, which hasn't played yet. */
function gapOf(competitions: Competitions): number {
  const waiting = [waitingEntry("a", { versionId: "v-new" }), waitingEntry("b")];
  const pairing = pairWaiting(competitions, waveRequest(waiting))[0]!;
  return Math.round(pairing.reasons.gap);
}

test("pairs a new version near the bot's earlier level, however many versions came before", () => {
  const singleVersionGap = gapOf(competitionsWithWins({ v1: 40 }));
  assert.ok(singleVersionGap > 100, `${singleVersionGap}`);
  const chainGap = gapOf(competitionsWithWins({ v1: 40, v2: 1, v3: 1, v4: 2 }));
  assert.ok(
    chainGap > 0.8 * singleVersionGap && chainGap < 1.2 * singleVersionGap,
    `${chainGap} versus ${singleVersionGap}`,
  );
  assert.equal(gapOf(competitionsWithWins({})), 0);
});

test("pairs a settled version by its own rating", () => {
  const competitions = competitionsWithWins({ v1: 40, "v-new": 30 });
  const own = gapOf(competitions);
  const gapWithoutHistory = gapOf(competitionsWithWins({ "v-new": 30 }));
  assert.ok(Math.abs(own - gapWithoutHistory) < 60, `${own} versus ${gapWithoutHistory}`);
});
