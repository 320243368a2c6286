import assert from "node:assert/strict";
import { test } from "node:test";

import { bothOf } from "#base/units/sure.ts";
import { createCrowd, mayEverMeet, NUMBERS, wavesOf } from "#testing/harness/crowd.ts";
import type { Crowd, CrowdOptions, Member, Wave } from "#testing/harness/crowd.ts";

import { PATIENCE_SECONDS } from "./rules.ts";
import type { Pairing, WaitingBot } from "./types.ts";

/** From this wait on, a bot plays if anybody it may meet is left over; 90 s are promised. */
const LONGEST_WAIT_SECONDS = PATIENCE_SECONDS;

function memberOf({ members }: Crowd, name: string): Member {
  return members.find((member) => member.name === name)!;
}

/** Asserts every rule that a pairing must keep, whatever its weight. */
function assertAllowed(crowd: Crowd, { bots, map, ground, discovery, gap, window }: Pairing): void {
  const [one, other] = bothOf(bots.map((name) => memberOf(crowd, name)));
  assert.ok(mayEverMeet(one, other), "one owner, or house against house");
  assert.ok(["lanes", "cage", "keep"].includes(map));
  assert.ok(discovery || gap <= Math.max(window, 1200));
  assert.ok(ground !== "addition" || gap <= 1200, "beyond the cap without patience");
  for (const [member, opponent] of [
    [one, other],
    [other, one],
  ]) {
    assert.notEqual(member!.queuedAt, null, "queued, and in one match at most");
    const sinceStart = crowd.now - member!.startedAt;
    assert.ok(sinceStart >= crowd.limits.matchIntervalSeconds, "match interval");
    assert.ok(!areHeldBack(crowd, member!, opponent!), "rematch hold");
  }
}

function areHeldBack({ now }: Crowd, one: Member, other: Member): boolean {
  const since = now - (one.endedWith.get(other.name) ?? -Infinity);
  const wasLast = one.lastOpponent === other.name || other.lastOpponent === one.name;
  const shorter = now - Math.max(one.queuedAt!, other.queuedAt!);
  const hold = NUMBERS.rematchHoldSeconds;
  return since < hold || (wasLast && shorter < hold);
}

function assertLimits(crowd: Crowd, { pairings, limits, starts, owners }: Wave): void {
  assert.ok(pairings.length <= starts.length, "the server's limit");
  const names = pairings.flatMap(({ bots }) => bots);
  assert.equal(new Set(names).size, names.length, "one match a bot");
  const started = new Map<string, number>();
  for (const { owner, house } of names.map((name) => memberOf(crowd, name))) {
    if (owner === null || house) continue;
    started.set(owner, (started.get(owner) ?? 0) + 1);
  }
  for (const [owner, count] of started) {
    const { running, startsLeft } = owners.get(owner)!;
    assert.ok(running + count <= limits.ownerConcurrency, "matches at once of an owner");
    assert.ok(count <= startsLeft, "an owner's daily quota");
  }
}

/** Bots that were ready for the wave and are left over, oldest first. */
function leftOver({ waiting, owners, limits, pairings }: Wave): WaitingBot[] {
  const taken = new Set(pairings.flatMap(({ bots }) => bots));
  const room = new Map(
    [...owners].map(([owner, { running, startsLeft }]) => [
      owner,
      Math.min(limits.ownerConcurrency - running, startsLeft),
    ]),
  );
  return waiting
    .filter(({ sinceStartSeconds }) => sinceStartSeconds >= limits.matchIntervalSeconds)
    .toSorted((one, other) => other.waitSeconds - one.waitSeconds)
    .filter(({ bot, owner, house }) => {
      if (owner === null || house) return !taken.has(bot);
      const free = room.get(owner)!;
      room.set(owner, free - 1);
      return free > 0 && !taken.has(bot);
    });
}

/**
 * Asserts that no long-waiting bot is left over together with one it may meet, while the server has
 * room.
 */
function assertAlive(crowd: Crowd, wave: Wave): void {
  if (wave.pairings.length >= wave.starts.length) return;
  const left = leftOver(wave).map(({ bot }) => memberOf(crowd, bot));
  for (const old of left) {
    if (crowd.now - old.queuedAt! < LONGEST_WAIT_SECONDS) continue;
    const other = left.find((one) => mayEverMeet(old, one) && !areHeldBack(crowd, old, one));
    assert.equal(other, undefined, `${old.name} waits beside ${other?.name}`);
  }
}

type Figures = { starts: Pairing[]; longestWait: number };

/** Lets a crowd play, checking every wave. */
function play(crowd: Crowd, seconds: number): Figures {
  const figures: Figures = { starts: [], longestWait: 0 };
  for (const wave of wavesOf(crowd, seconds)) {
    for (const pairing of wave.pairings) assertAllowed(crowd, pairing);
    assertLimits(crowd, wave);
    assertAlive(crowd, wave);
    figures.starts.push(...wave.pairings);
    for (const { waitSeconds } of wave.waiting)
      figures.longestWait = Math.max(figures.longestWait, waitSeconds);
  }
  return figures;
}

const HOUR = 3600;
const SEEDS = [1, 2, 3, 4, 5];

const crowds: { name: string; options: Omit<CrowdOptions, "seed">; seconds: number }[] = [
  { name: "sixty bots", options: { size: 60 }, seconds: HOUR / 2 },
  { name: "sixty bots that renew themselves", options: { size: 60, renewal: 0.2 }, seconds: 900 },
  {
    name: "sixty bots under tight limits",
    options: {
      size: 60,
      limits: { mostMatches: 12, ownerConcurrency: 2, matchIntervalSeconds: 10 },
      startsPerOwner: 60,
    },
    seconds: HOUR / 2,
  },
  { name: "a handful of bots", options: { size: 7, away: 0.3 }, seconds: 2 * HOUR },
  { name: "bots worlds apart", options: { size: 9, spread: 4000 }, seconds: HOUR },
  {
    name: "a queue longer than the server",
    options: { size: 50, limits: { mostMatches: 4 } },
    seconds: HOUR / 2,
  },
];
for (const { name, options, seconds } of crowds)
  for (const seed of SEEDS)
    test(`T81: ${name} keep every rule and nobody waits in vain, seed ${seed}`, () => {
      const { starts } = play(createCrowd({ seed, ...options }), seconds);
      assert.ok(starts.length > seconds / 50, `${starts.length}`);
    });

for (const seed of SEEDS)
  test(`a strong bot alone at a quiet hour plays once it has waited and anybody is left over, seed ${seed}`, () => {
    const crowd = createCrowd({ seed, size: 4, spread: 200, away: 0, loner: 3400 });
    const loner = crowd.members.at(-1)!;
    loner.owner = null;
    let starts = 0;
    for (const { pairings, waiting } of wavesOf(crowd, 2 * HOUR)) {
      const own = pairings.find(({ bots }) => bots.includes(loner.name));
      if (own !== undefined) starts += 1;
      assert.ok(own?.discovery ?? true, `by ${own?.ground}`);
      if (loner.queuedAt === null || crowd.now - loner.queuedAt < LONGEST_WAIT_SECONDS) continue;
      const taken = new Set(pairings.flatMap(({ bots }) => bots));
      const left = waiting.filter(({ bot }) => !taken.has(bot));
      const others = left.map(({ bot }) => memberOf(crowd, bot));
      const isAnyFree = others.some((one) => one !== loner && !areHeldBack(crowd, loner, one));
      assert.ok(own !== undefined || !isAnyFree, `at ${crowd.now} s`);
    }
    assert.ok(starts > 60, `${starts}`);
  });

for (const seed of SEEDS)
  test(`one ranked start in seven is reserved for discovery in the long run, seed ${seed}`, () => {
    const crowd = createCrowd({ seed, size: 120, renewal: 0.05, spread: 1200 });
    const { starts } = play(crowd, 1500);
    const share = starts.filter(({ ground }) => ground === "reserved").length / starts.length;
    assert.ok(starts.length > 2000, `${starts.length}`);
    assert.ok(share > 0.12 && share < 0.165, `${share}`);
  });

test("maps and seats are balanced in the long run", () => {
  const crowd = createCrowd({ seed: 6, size: 12, spread: 300 });
  const { starts } = play(crowd, 3 * HOUR);
  const played = new Map<string, number[]>();
  for (const { versions, map } of starts) {
    const pair = versions.toSorted().join(" ");
    const counts = played.get(pair) ?? [0, 0, 0];
    counts[["lanes", "cage", "keep"].indexOf(map)]! += 1;
    played.set(pair, counts);
  }
  assert.ok(starts.length > 1500, `${starts.length}`);
  // A match still running when the next one is made is not counted yet.
  for (const counts of played.values())
    assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, `${counts}`);
  for (const { name, seatSurplus } of crowd.members)
    assert.ok(Math.abs(seatSurplus) <= 3, `${name} ${seatSurplus}`);
});
