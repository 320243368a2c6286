import assert from "node:assert/strict";
import { test } from "node:test";

import { recordGame, unrecordGame } from "./matchups.ts";
import type { Matchups } from "./matchups.ts";
import { createDraw } from "./random.ts";
import type { Draw } from "./random.ts";
import { ownerKey, PATIENCE_SECONDS, REMATCH_HOLD_SECONDS } from "./rules.ts";
import type { OwnerLoad, Snapshot, WaitingBot, WaveLimits } from "./types.ts";
import { pairWave } from "./wave.ts";

const WAVE_SECONDS = 2;
const MAPS = ["lanes", "cage"];

type Player = {
  name: string;
  owner: string | null;
  house: boolean;
  strength: number;
  games: number;
  queuedAt: number | null;
  startedAt: number;
  lastOpponent: string | null;
  endedWith: Map<string, number>;
};
type Match = { one: Player; other: Player; map: string; endsAt: number };
type World = {
  now: number;
  draw: Draw;
  players: Player[];
  matches: Match[];
  matchups: Matchups;
  starts: number;
  discoveries: number;
  longestWait: number;
};

function createWorld(seed: number, size: number): World {
  const draw = createDraw(seed);
  const players = Array.from({ length: size }, (_, place): Player => {
    const house = place < 4;
    return {
      name: `bot${place}`,
      owner: house ? "house" : draw() < 0.1 ? null : `${draw() < 0.5 ? "o" : "O"}wner${place % 9}`,
      house,
      strength: 1500 + 900 * (draw() + draw() - 1),
      games: Math.floor(draw() * 60),
      queuedAt: 0,
      startedAt: -Infinity,
      lastOpponent: null,
      endedWith: new Map(),
    };
  });
  return {
    now: 0,
    draw,
    players,
    matches: [],
    matchups: new Map(),
    starts: 0,
    discoveries: 0,
    longestWait: 0,
  };
}

function waiting(world: World, player: Player): WaitingBot {
  const since = [...player.endedWith].map(([name, at]) => [name, world.now - at] as const);
  return {
    bot: player.name,
    owner: player.owner,
    house: player.house,
    version: player.name,
    rating: player.strength,
    games: player.games,
    formerRating: null,
    recentGames: player.games,
    seatSurplus: 0,
    waitSeconds: world.now - player.queuedAt!,
    sinceStartSeconds: world.now - player.startedAt,
    lastOpponent: player.lastOpponent,
    sinceMeetingSeconds: new Map(since),
  };
}

function loads(world: World): Map<string, OwnerLoad> {
  const owners = new Map<string, OwnerLoad>();
  for (const { owner, house } of world.matches.flatMap(({ one, other }) => [one, other])) {
    if (owner === null || house) continue;
    const running = owners.get(ownerKey(owner))?.running ?? 0;
    owners.set(ownerKey(owner), { running: running + 1, startsLeft: Infinity });
  }
  return owners;
}

function snapshotOf(world: World): Snapshot {
  const queue = world.players.filter(({ queuedAt }) => queuedAt !== null);
  const bots = queue.map((player) => waiting(world, player));
  return { bots, owners: loads(world), matchups: world.matchups, maps: MAPS };
}

function endMatches(world: World): void {
  for (const match of world.matches.filter(({ endsAt }) => endsAt <= world.now)) {
    const { one, other, map } = match;
    const score = world.draw() < 1 / (1 + 10 ** ((other.strength - one.strength) / 400)) ? 1 : 0;
    recordGame(world.matchups, { version: one.name, opponent: other.name, map, score });
    for (const [player, opponent] of [
      [one, other],
      [other, one],
    ]) {
      player.games += 1;
      player.lastOpponent = opponent.name;
      player.endedWith.set(opponent.name, match.endsAt);
      if (world.draw() < 0.8) player.queuedAt = world.now;
    }
  }
  world.matches = world.matches.filter(({ endsAt }) => endsAt > world.now);
}

/** Bots leave and come, so that no wave meets the same queue. */
function churn(world: World): void {
  const busy = new Set(world.matches.flatMap(({ one, other }) => [one, other]));
  for (const player of world.players) {
    if (busy.has(player)) continue;
    if (player.queuedAt === null && world.draw() < 0.2) player.queuedAt = world.now;
    else if (player.queuedAt !== null && world.draw() < 0.002) player.queuedAt = null;
  }
}

function startMatches(world: World, limits: WaveLimits): void {
  const freeMatches = limits.freeMatches - world.matches.length;
  const seed = Math.floor(world.draw() * 2 ** 32);
  for (const pairing of pairWave(snapshotOf(world), { ...limits, freeMatches }, seed)) {
    const [one, other] = pairing.bots.map((name) => world.players.find((p) => p.name === name)!);
    assertAllowed(world, one, other, limits);
    world.starts += 1;
    if (pairing.discovery) world.discoveries += 1;
    for (const player of [one, other]) {
      player.startedAt = world.now;
      player.queuedAt = null;
    }
    const endsAt = world.now + 0.5 + world.draw() * 40;
    world.matches.push({ one, other, map: pairing.map, endsAt });
  }
  assert.ok(world.matches.length <= limits.freeMatches, "the server's limit");
  for (const { running } of loads(world).values()) assert.ok(running <= limits.ownerConcurrency);
}

function assertAllowed(world: World, one: Player, other: Player, limits: WaveLimits): void {
  assert.notEqual(one, other);
  assert.ok(!one.house || !other.house, "house against house");
  const owners = [one.owner, other.owner].map((owner) => owner?.toLowerCase() ?? Symbol(owner!));
  assert.notEqual(owners[0], owners[1], "one owner");
  for (const [player, opponent] of [
    [one, other],
    [other, one],
  ]) {
    assert.notEqual(player.queuedAt, null, "queued, and in one match at most");
    assert.ok(world.now - player.startedAt >= limits.matchIntervalSeconds, "match interval");
    const ended = player.endedWith.get(opponent.name) ?? -Infinity;
    assert.ok(world.now - ended >= REMATCH_HOLD_SECONDS, "rematch hold");
    const wait = world.now - player.queuedAt!;
    assert.ok(player.lastOpponent !== opponent.name || wait >= REMATCH_HOLD_SECONDS);
  }
}

function run(world: World, waves: number, limits: WaveLimits): void {
  for (let wave = 0; wave < waves; wave += 1) {
    world.now += WAVE_SECONDS;
    endMatches(world);
    churn(world);
    startMatches(world, limits);
    for (const { queuedAt } of world.players) {
      if (queuedAt !== null) world.longestWait = Math.max(world.longestWait, world.now - queuedAt);
    }
  }
}

const OPEN: WaveLimits = { freeMatches: 320, ownerConcurrency: 40, matchIntervalSeconds: 0.3 };
const TIGHT: WaveLimits = { freeMatches: 12, ownerConcurrency: 2, matchIntervalSeconds: 10 };

for (const seed of [1, 2, 3]) {
  test(`T81: an hour of sixty bots keeps every rule, seed ${seed}`, () => {
    const world = createWorld(seed, 60);
    run(world, 900, OPEN);
    assert.ok(world.starts > 500);
    assert.ok(world.longestWait <= PATIENCE_SECONDS + 15, `${world.longestWait} s`);
  });
  test(`T81: tight limits are kept as well, seed ${seed}`, () => {
    const world = createWorld(seed, 60);
    run(world, 450, TIGHT);
    assert.ok(world.starts > 100);
  });
  test(`T81: a handful of bots all get to play, seed ${seed}`, () => {
    const world = createWorld(seed, 7);
    run(world, 900, OPEN);
    assert.ok(world.longestWait <= PATIENCE_SECONDS + 15, `${world.longestWait} s`);
  });
}

test("a game taken back leaves the forecasts as they were", () => {
  const matchups: Matchups = new Map();
  const game = { version: "b", opponent: "a", map: "lanes", score: 1 } as const;
  recordGame(matchups, game);
  const before = structuredClone(matchups);
  recordGame(matchups, { ...game, score: 0.5 });
  unrecordGame(matchups, { ...game, score: 0.5 });
  assert.deepEqual(matchups, before);
});
