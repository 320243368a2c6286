// A crowd of bots on one ladder in virtual time: they queue, are paired by real waves, play for a
// while and come back. Everything follows from the seed.

import { bothOf } from "#base/units/sure.ts";
import { estimatedWait } from "#core/pairing/estimate.ts";
import type { Prospect } from "#core/pairing/estimate.ts";
import { createMatchups, recordGame } from "#core/pairing/matchups.ts";
import type { Matchups } from "#core/pairing/matchups.ts";
import { createDraw } from "#core/pairing/random.ts";
import type { Draw } from "#core/pairing/random.ts";
import type { OwnerLoad, Pairing, Start, WaitingBot, WaveLimits } from "#core/pairing/types.ts";
import { pairWave } from "#core/pairing/wave.ts";
import { LIMITS } from "#core/words/limits.ts";
import { pairingNumbers } from "#live/matchmaker/pairing-numbers.ts";

export const NUMBERS = pairingNumbers(LIMITS);

const WAVE_SECONDS = 2;
const MAPS = ["lanes", "cage", "keep"];

export type Member = {
  name: string;
  owner: string | null;
  house: boolean;
  /** True strength in points; ratings are assumed to be known. */
  strength: number;
  versions: number;
  games: number;
  seatSurplus: number;
  /** Null while it plays or is away. */
  queuedAt: number | null;
  estimate: number;
  /** When it queues again; Infinity while it waits or plays. */
  backAt: number;
  startedAt: number;
  lastOpponent: string | null;
  endedWith: Map<string, number>;
};

type Match = { one: Member; other: Member; map: string; startedAt: number; endsAt: number };

/** The server's concurrent matches, and the limits of a wave. */
type CrowdLimits = WaveLimits & { mostMatches: number };

/** What one wave made of the waiting bots, and how long each had waited. */
export type Wave = {
  at: number;
  waiting: readonly WaitingBot[];
  owners: ReadonlyMap<string, OwnerLoad>;
  limits: WaveLimits;
  starts: readonly Start[];
  pairings: readonly Pairing[];
};

export type CrowdOptions = {
  seed: number;
  size: number;
  /** Points from the mean to the extremes. */
  spread?: number;
  /** Mean length of a match in seconds. */
  matchSeconds?: number;
  /** The share of matches after which a bot stays away for minutes. */
  away?: number;
  /** The share of matches after which a bot returns with a new version. */
  renewal?: number;
  /** The strength of one extra bot. */
  loner?: number;
  limits?: Partial<CrowdLimits>;
  /** Matches that each owner may still start. */
  startsPerOwner?: number;
};

export type Crowd = {
  readonly options: Required<Omit<CrowdOptions, "loner">>;
  readonly members: Member[];
  readonly limits: CrowdLimits;
  readonly matchups: Matchups;
  readonly draw: Draw;
  now: number;
  matches: Match[];
  readonly startsOf: Map<string, number>;
  /** Estimated and true waits of the bots that have started, in seconds. */
  readonly waits: { estimated: number; true: number }[];
};

export function createCrowd({ loner, ...given }: CrowdOptions): Crowd {
  const options = {
    spread: 900,
    matchSeconds: 20,
    away: 0.1,
    renewal: 0,
    limits: {},
    startsPerOwner: Infinity,
    ...given,
  };
  const draw = createDraw(options.seed);
  const members = Array.from({ length: options.size }, (_, place) =>
    memberOf(options, place, draw),
  );
  if (loner !== undefined)
    members.push({ ...memberOf(options, options.size, draw), strength: loner });
  return {
    options,
    members,
    limits: {
      mostMatches: 320,
      ownerConcurrency: 40,
      matchIntervalSeconds: 0.3,
      houseStarts: Infinity,
      ...options.limits,
    },
    matchups: createMatchups(),
    draw,
    now: 0,
    matches: [],
    startsOf: new Map(),
    waits: [],
  };
}

function memberOf({ spread, size }: { spread: number; size: number }, place: number, draw: Draw) {
  const house = place < Math.min(4, size / 3);
  const shared = `owner${place % 9}`;
  const member: Member = {
    name: `bot${place}`,
    owner: house ? "house" : draw() < 0.2 ? null : shared,
    house,
    strength: 1500 + spread * (draw() + draw() - 1),
    versions: 1,
    games: Math.floor(60 * draw()),
    seatSurplus: 0,
    queuedAt: null,
    estimate: 0,
    backAt: 20 * draw(),
    startedAt: -Infinity,
    lastOpponent: null,
    endedWith: new Map(),
  };
  return member;
}

/** Lets `seconds` pass, yielding every wave before its matches start. */
export function* wavesOf(crowd: Crowd, seconds: number): Generator<Wave> {
  const until = crowd.now + seconds;
  while (crowd.now < until) {
    const waveAt = crowd.now + WAVE_SECONDS;
    passTo(crowd, waveAt);
    const wave = waveNow(crowd);
    yield wave;
    for (const pairing of wave.pairings) start(crowd, pairing);
  }
}

/** Ends and returns happen in order of time. */
function passTo(crowd: Crowd, time: number): void {
  for (;;) {
    const match = earliest(crowd.matches, ({ endsAt }) => endsAt);
    const member = earliest(crowd.members, ({ backAt }) => backAt);
    const endsAt = match?.endsAt ?? Infinity;
    const backAt = member?.backAt ?? Infinity;
    if (Math.min(endsAt, backAt) > time) break;
    crowd.now = Math.min(endsAt, backAt);
    if (endsAt <= backAt) end(crowd, match!);
    else queue(crowd, member!);
  }
  crowd.now = time;
}

function earliest<T>(items: readonly T[], timeOf: (item: T) => number): T | undefined {
  let first: T | undefined;
  for (const item of items) if (first === undefined || timeOf(item) < timeOf(first)) first = item;
  return first;
}

function end(crowd: Crowd, match: Match): void {
  const { one, other, map } = match;
  const { draw, options } = crowd;
  crowd.matches = crowd.matches.filter((running) => running !== match);
  const score = draw() < 1 / (1 + 10 ** ((other.strength - one.strength) / 400)) ? 1 : 0;
  const versions = { version: versionOf(one), opponent: versionOf(other) };
  recordGame(crowd.matchups, { ...versions, map, score });
  one.seatSurplus += 1;
  other.seatSurplus -= 1;
  for (const [member, opponent] of [
    [one, other],
    [other, one],
  ]) {
    member!.games += 1;
    member!.lastOpponent = opponent!.name;
    member!.endedWith.set(opponent!.name, crowd.now);
    member!.backAt = crowd.now + (draw() < options.away ? 300 * draw() : 0.05 + 0.5 * draw());
    if (draw() >= options.renewal) continue;
    member!.versions += 1;
    member!.games = 0;
  }
}

const versionOf = ({ name, versions }: Member): string => `${name}/${versions}`;

function queue(crowd: Crowd, member: Member): void {
  member.backAt = Infinity;
  member.queuedAt = crowd.now;
  member.estimate = estimateFor(crowd, member);
}

function estimateFor(crowd: Crowd, own: Member): number {
  const { now, limits, matches, members, options } = crowd;
  const wave = WAVE_SECONDS * Math.ceil(now / WAVE_SECONDS + 1e-9) - now;
  const waiting = members.filter(({ queuedAt }) => queuedAt !== null).length;
  return estimatedWait({
    firstWaveSeconds: wave,
    waveSeconds: WAVE_SECONDS,
    waitSeconds: 0,
    prospects: members
      .filter((other) => mayEverMeet(own, other))
      .flatMap((other) => prospect(crowd, own, other)),
    startsAhead: Math.max(0, Math.ceil(waiting / 2) - (limits.mostMatches - matches.length)),
    endsPerSecond: matches.length / options.matchSeconds,
    usualWaitSeconds: 0,
    numbers: NUMBERS,
  });
}

export function mayEverMeet(one: Member, other: Member): boolean {
  const isOneOwners = one.owner !== null && one.owner === other.owner;
  return one !== other && !isOneOwners && !(one.house && other.house);
}

function prospect(crowd: Crowd, own: Member, other: Member): Prospect[] {
  const match = crowd.matches.find((running) => running.one === other || running.other === other);
  if (match === undefined && other.queuedAt === null) return [];
  const played = match === undefined ? 0 : crowd.now - match.startedAt;
  const rest = match === undefined ? 0 : Math.max(1, crowd.options.matchSeconds - played);
  const waitSeconds = match === undefined ? crowd.now - other.queuedAt! : -rest;
  const since = crowd.now - (own.endedWith.get(other.name) ?? -Infinity);
  const wasLast = own.lastOpponent === other.name || other.lastOpponent === own.name;
  const hold = wasLast
    ? NUMBERS.rematchHoldSeconds - Math.min(0, waitSeconds)
    : NUMBERS.rematchHoldSeconds - since;
  return [
    { gap: Math.abs(own.strength - other.strength), inSeconds: Math.max(rest, hold), waitSeconds },
  ];
}

function waveNow(crowd: Crowd): Wave {
  const { members, matchups, matches, limits, now, draw } = crowd;
  const waiting = members.filter(({ queuedAt }) => queuedAt !== null);
  const bots = waiting.map((member) => waitingBot(crowd, member));
  const owners = loadsOf(crowd);
  const starts = startsDrawn(limits.mostMatches - matches.length, draw);
  const seed = drawSeed(draw);
  const snapshot = { bots, owners, matchups, maps: MAPS, requested: [], numbers: NUMBERS };
  const pairings = pairWave(snapshot, limits, starts, seed);
  return { at: now, waiting: bots, owners, limits, starts, pairings };
}

const drawSeed = (draw: Draw): number => Math.floor(draw() * 2 ** 32);

export function startsDrawn(count: number, draw: Draw): Start[] {
  return Array.from({ length: count }, (_, place) => {
    return { matchId: `match${place}`, seed: drawSeed(draw) };
  });
}

function waitingBot({ now }: Crowd, member: Member): WaitingBot {
  const since = [...member.endedWith].map(([name, at]) => [name, now - at] as const);
  return {
    bot: member.name,
    owner: member.owner,
    house: member.house,
    version: versionOf(member),
    rating: member.strength,
    games: member.games,
    formerRating: member.versions > 1 ? member.strength : null,
    recentGames: member.games,
    seatSurplus: member.seatSurplus,
    waitSeconds: now - member.queuedAt!,
    sinceStartSeconds: now - member.startedAt,
    lastOpponent: member.lastOpponent,
    sinceMeetingSeconds: new Map(since),
  };
}

function loadsOf({ matches, members, startsOf, options }: Crowd): Map<string, OwnerLoad> {
  const owners = new Map<string, OwnerLoad>();
  for (const { owner, house } of members) {
    if (owner === null || house) continue;
    owners.set(owner, {
      running: 0,
      startsLeft: options.startsPerOwner - (startsOf.get(owner) ?? 0),
    });
  }
  for (const { owner, house } of matches.flatMap(({ one, other }) => [one, other]))
    if (owner !== null && !house) owners.get(owner)!.running += 1;
  return owners;
}

function start(crowd: Crowd, { bots, map }: Pairing): void {
  const [one, other] = bothOf(
    bots.map((name) => crowd.members.find((member) => member.name === name)!),
  );
  for (const member of [one, other]) {
    crowd.waits.push({ estimated: member.estimate, true: crowd.now - member.queuedAt! });
    member.startedAt = crowd.now;
    member.queuedAt = null;
    if (member.owner === null || member.house) continue;
    crowd.startsOf.set(member.owner, (crowd.startsOf.get(member.owner) ?? 0) + 1);
  }
  const endsAt = crowd.now + crowd.options.matchSeconds * (0.3 + 1.4 * crowd.draw());
  crowd.matches.push({ one, other, map, startedAt: crowd.now, endsAt });
}
