import assert from "node:assert/strict";
import { test } from "node:test";

import { firstTwo } from "#base/util/assert-defined.ts";
import {
  createCrowd,
  canEverMeet,
  CROWD_PAIRING_NUMBERS,
  runWaves,
} from "#testing/harness/simulated-crowd.ts";
import type {
  SimulatedCrowd,
  CrowdOptions,
  CrowdBot,
  Wave,
} from "#testing/harness/simulated-crowd.ts";

import { PATIENCE_SECONDS } from "./rules.ts";
import type { PlannedPairing, WaitingBot } from "./types.ts";

/** After this wait, a bot must play if any possible opponent is unpaired. The docs promise 90 s. */
const LONGEST_WAIT_SECONDS = PATIENCE_SECONDS;

function memberOf({ members }: SimulatedCrowd, name: string): CrowdBot {
  return members.find((member) => member.name === name)!;
}

function assertAllowed(
  crowd: SimulatedCrowd,
  { bots, map, ground, discovery, gap, window }: PlannedPairing,
): void {
  const [player, opponent] = firstTwo(bots.map((name) => memberOf(crowd, name)));
  assert.ok(canEverMeet(player, opponent), "one owner, or house against house");
  assert.ok(["lanes", "cage", "keep"].includes(map));
  assert.ok(discovery || gap <= Math.max(window, 1200));
  assert.ok(ground !== "addition" || gap <= 1200, "beyond the cap without patience");
  for (const [member, opponentName] of [
    [player, opponent],
    [opponent, player],
  ]) {
    assert.notEqual(member!.queuedAt, null, "queued, and in no more than one match");
    const sinceStart = crowd.now - member!.startedAt;
    assert.ok(sinceStart >= crowd.limits.matchIntervalSeconds, "match interval");
    assert.ok(!areOnRematchHold(crowd, member!, opponentName!), "rematch hold");
  }
}

function areOnRematchHold({ now }: SimulatedCrowd, player: CrowdBot, opponent: CrowdBot): boolean {
  const since = now - (player.lastMetAt.get(opponent.name) ?? -Infinity);
  const wasLast = player.lastOpponent === opponent.name || opponent.lastOpponent === player.name;
  const shorter = now - Math.max(player.queuedAt!, opponent.queuedAt!);
  const hold = CROWD_PAIRING_NUMBERS.rematchHoldSeconds;
  return since < hold || (wasLast && shorter < hold);
}

function assertLimits(crowd: SimulatedCrowd, { pairings, limits, starts, owners }: Wave): void {
  assert.ok(pairings.length <= starts.length, "the server's limit");
  const names = pairings.flatMap(({ bots }) => bots);
  assert.equal(new Set(names).size, names.length, "one match per bot");
  const started = new Map<string, number>();
  for (const { owner, house } of names.map((name) => memberOf(crowd, name))) {
    if (owner === null || house) continue;
    started.set(owner, (started.get(owner) ?? 0) + 1);
  }
  for (const [owner, count] of started) {
    const { running, startsLeft } = owners.get(owner)!;
    assert.ok(running + count <= limits.ownerConcurrency, "concurrent matches per owner");
    assert.ok(count <= startsLeft, "an owner's daily quota");
  }
}

function unpairedBots({ waiting, owners, limits, pairings }: Wave): WaitingBot[] {
  const pairedBots = new Set(pairings.flatMap(({ bots }) => bots));
  const availableStarts = new Map(
    [...owners].map(([owner, { running, startsLeft }]) => [
      owner,
      Math.min(limits.ownerConcurrency - running, startsLeft),
    ]),
  );
  return waiting
    .filter(({ sinceStartSeconds }) => sinceStartSeconds >= limits.matchIntervalSeconds)
    .toSorted((player, opponent) => opponent.waitSeconds - player.waitSeconds)
    .filter(({ bot, owner, house }) => {
      if (owner === null || house) return !pairedBots.has(bot);
      const free = availableStarts.get(owner)!;
      availableStarts.set(owner, free - 1);
      return free > 0 && !pairedBots.has(bot);
    });
}

/**
 * Asserts that no long-waiting bot stays unpaired while the server has capacity and a possible
 * opponent is unpaired too.
 */
function assertAlive(crowd: SimulatedCrowd, wave: Wave): void {
  if (wave.pairings.length >= wave.starts.length) return;
  const leftover = unpairedBots(wave).map(({ bot }) => memberOf(crowd, bot));
  for (const oldWait of leftover) {
    if (crowd.now - oldWait.queuedAt! < LONGEST_WAIT_SECONDS) continue;
    const opponent = leftover.find(
      (player) => canEverMeet(oldWait, player) && !areOnRematchHold(crowd, oldWait, player),
    );
    assert.equal(opponent, undefined, `${oldWait.name} waits beside ${opponent?.name}`);
  }
}

type ChurnStats = { starts: PlannedPairing[]; longestWait: number };

function playCrowd(crowd: SimulatedCrowd, seconds: number): ChurnStats {
  const churnStats: ChurnStats = { starts: [], longestWait: 0 };
  for (const wave of runWaves(crowd, seconds)) {
    for (const pairing of wave.pairings) assertAllowed(crowd, pairing);
    assertLimits(crowd, wave);
    assertAlive(crowd, wave);
    churnStats.starts.push(...wave.pairings);
    for (const { waitSeconds } of wave.waiting)
      churnStats.longestWait = Math.max(churnStats.longestWait, waitSeconds);
  }
  return churnStats;
}

const HOUR = 3600;
const SEEDS = [1, 2, 3, 4, 5];

const crowds: { name: string; options: Omit<CrowdOptions, "seed">; seconds: number }[] = [
  { name: "sixty bots", options: { size: 60 }, seconds: HOUR / 2 },
  { name: "sixty bots that come and go", options: { size: 60, renewal: 0.2 }, seconds: 900 },
  {
    name: "sixty bots under tight limits",
    options: {
      size: 60,
      limits: { maxMatches: 12, ownerConcurrency: 2, matchIntervalSeconds: 10 },
      startsPerOwner: 60,
    },
    seconds: HOUR / 2,
  },
  { name: "a handful of bots", options: { size: 7, away: 0.3 }, seconds: 2 * HOUR },
  { name: "bots far apart in rating", options: { size: 9, spread: 4000 }, seconds: HOUR },
  {
    name: "a queue larger than the server's capacity",
    options: { size: 50, limits: { maxMatches: 4 } },
    seconds: HOUR / 2,
  },
];
for (const { name, options, seconds } of crowds)
  for (const seed of SEEDS)
    test(`T81: ${name} obey every rule and no bot starves, seed ${seed}`, () => {
      const { starts } = playCrowd(createCrowd({ seed, ...options }), seconds);
      assert.ok(starts.length > seconds / 50, `${starts.length}`);
    });

for (const seed of SEEDS)
  test(`pairs a strong bot in a quiet hour once it has waited long enough and an opponent is unpaired, seed ${seed}`, () => {
    const crowd = createCrowd({ seed, size: 4, spread: 200, away: 0, loner: 3400 });
    const loner = crowd.members.at(-1)!;
    loner.owner = null;
    let starts = 0;
    for (const { pairings, waiting } of runWaves(crowd, 2 * HOUR)) {
      const ownStarts = pairings.find(({ bots }) => bots.includes(loner.name));
      if (ownStarts !== undefined) starts += 1;
      assert.ok(ownStarts?.discovery ?? true, `by ${ownStarts?.ground}`);
      if (loner.queuedAt === null || crowd.now - loner.queuedAt < LONGEST_WAIT_SECONDS) continue;
      const pairedBots = new Set(pairings.flatMap(({ bots }) => bots));
      const leftover = waiting.filter(({ bot }) => !pairedBots.has(bot));
      const otherStarts = leftover.map(({ bot }) => memberOf(crowd, bot));
      const isAnyFree = otherStarts.some(
        (player) => player !== loner && !areOnRematchHold(crowd, loner, player),
      );
      assert.ok(ownStarts !== undefined || !isAnyFree, `at ${crowd.now} s`);
    }
    assert.ok(starts > 60, `${starts}`);
  });

for (const seed of SEEDS)
  test(`reserves one in seven ranked starts for discovery in the long run, seed ${seed}`, () => {
    const crowd = createCrowd({ seed, size: 120, renewal: 0.05, spread: 1200 });
    const { starts } = playCrowd(crowd, 1500);
    const share = starts.filter(({ ground }) => ground === "reserved").length / starts.length;
    assert.ok(starts.length > 2000, `${starts.length}`);
    assert.ok(share > 0.12 && share < 0.165, `${share}`);
  });

test("balances maps and seats in the long run", () => {
  const crowd = createCrowd({ seed: 6, size: 12, spread: 300 });
  const { starts } = playCrowd(crowd, 3 * HOUR);
  const played = new Map<string, number[]>();
  for (const { versions, map } of starts) {
    const pair = versions.toSorted().join(" ");
    const counts = played.get(pair) ?? [0, 0, 0];
    counts[["lanes", "cage", "keep"].indexOf(map)]! += 1;
    played.set(pair, counts);
  }
  assert.ok(starts.length > 1500, `${starts.length}`);
  // Counts may differ by one, because a match still running at the next start isn't counted yet.
  for (const counts of played.values())
    assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, `${counts}`);
  for (const { name, seatSurplus } of crowd.members)
    assert.ok(Math.abs(seatSurplus) <= 3, `${name} ${seatSurplus}`);
});
