import assert from "node:assert/strict";
import { test } from "node:test";

import { MAP_NAMES } from "#core/engine/maps.ts";
import { NUMBERS } from "#testing/harness/crowd.ts";

import { beginCompetition } from "./competition.ts";
import type { Competitions } from "./competition.ts";
import type { PlayedGame, Waiting, WaveRequest } from "./matchmaker.ts";
import { rateGame } from "./ratings.ts";
import { pairWaiting } from "./waiting.ts";

const PUBLIC = { ladderId: "public", season: "2026-01" };
const LIMITS = { ownerConcurrency: 40, matchIntervalSeconds: 0.3, houseStarts: Infinity };

function waitingAs(name: string, changes: Partial<Waiting> = {}): Waiting {
  return {
    botId: `bot-${name}`,
    owner: name,
    house: false,
    versionId: `v-${name}`,
    waitSeconds: 30,
    recentGames: 0,
    sinceStartSeconds: Infinity,
    lastOpponent: null,
    ...changes,
  };
}

function waveOf(waiting: Waiting[], changes: Partial<WaveRequest> = {}): WaveRequest {
  return {
    ladderId: "public",
    waiting,
    met: [],
    maps: MAP_NAMES,
    seatsTaken: new Map([["busy", 40]]),
    startsLeft: new Map([["spent", 0]]),
    requested: [],
    limits: LIMITS,
    numbers: NUMBERS,
    starts: [1, 2, 3].map((seed) => ({ matchId: `match-${seed}`, seed })),
    seed: 1,
    ...changes,
  };
}

test("a pairing names both bots, a map and its reasons", () => {
  const wave = waveOf(["a", "b"].map((name) => waitingAs(name)));
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

const apart: [name: string, changes: Partial<Waiting>, met?: WaveRequest["met"]][] = [
  ["of one owner", { owner: "same" }],
  ["of the house", { house: true }],
  ["that met within the hold", {}, [{ botIds: ["bot-a", "bot-b"], seconds: 1 }]],
  ["that started a match just now", { sinceStartSeconds: 0.1 }],
  ["whose owner has no room left", { owner: "busy" }],
  ["whose owner has played enough today", { owner: "spent" }],
];
for (const [name, changes, met = []] of apart)
  test(`two bots ${name} are not paired`, () => {
    const waiting = [waitingAs("a", changes), waitingAs("b", changes)];
    assert.deepEqual(pairWaiting(new Map(), waveOf(waiting, { met })), []);
  });

test("an owner whose quota is nearly spent starts no more than it allows", () => {
  const own = ["a", "b", "c"].map((name) => waitingAs(name, { owner: "nearly" }));
  const others = ["x", "y", "z"].map((name) => waitingAs(name));
  const wave = waveOf([...own, ...others], { startsLeft: new Map([["nearly", 1]]) });
  const started = pairWaiting(new Map(), wave).flatMap(({ botIds }) => botIds);
  assert.equal(started.filter((id) => own.some(({ botId }) => botId === id)).length, 1);
});

/** Competitions in which a bot has won these numbers of games with its versions, in order. */
function withVersions(wins: Record<string, number>): Competitions {
  const competitions: Competitions = new Map();
  beginCompetition(competitions, PUBLIC, ["bot-rival"]);
  let number = 0;
  for (const [version, count] of Object.entries(wins))
    for (let game = 0; game < count; game += 1) {
      number += 1;
      const played: PlayedGame = {
        ...PUBLIC,
        matchId: `m-${number}`,
        botIds: ["bot-a", "bot-rival"],
        versionIds: [version, "v-rival"],
        map: "cage",
        score: number % 8 === 0 ? 0 : 1,
        ended: new Date(Date.UTC(2026, 0, 5) + number * 1000).toISOString(),
      };
      rateGame(competitions, played);
    }
  return competitions;
}

/** The gap that a wave sees with the bot's newest version, which has never played. */
function gapOf(competitions: Competitions): number {
  const waiting = [waitingAs("a", { versionId: "v-new" }), waitingAs("b")];
  const pairing = pairWaiting(competitions, waveOf(waiting))[0]!;
  return Math.round(pairing.reasons.gap);
}

test("a new version is paired near where the bot stood, however many came before it", () => {
  const once = gapOf(withVersions({ v1: 40 }));
  assert.ok(once > 100, `${once}`);
  const chain = gapOf(withVersions({ v1: 40, v2: 1, v3: 1, v4: 2 }));
  assert.ok(chain > 0.8 * once && chain < 1.2 * once, `${chain} beside ${once}`);
  assert.equal(gapOf(withVersions({})), 0);
});

test("a version is paired by its own rating once it is settled", () => {
  const competitions = withVersions({ v1: 40, "v-new": 30 });
  const own = gapOf(competitions);
  const alone = gapOf(withVersions({ "v-new": 30 }));
  assert.ok(Math.abs(own - alone) < 60, `${own} beside ${alone}`);
});
