// Simulates bots that queue and play on one ladder in virtual time. The server's own matchmaker
// pairs them. The seed fully determines a run.

import { firstTwo } from "#base/util/assert-defined.ts";
import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { createMatchups, recordGame } from "#core/pairing/matchups.ts";
import type { Matchups } from "#core/pairing/matchups.ts";
import { createRandomDraw } from "#core/pairing/random.ts";
import type { RandomDraw } from "#core/pairing/random.ts";
import type {
  OwnerLoad,
  PlannedPairing,
  PlannedStart,
  WaitingBot,
  WaveLimits,
} from "#core/pairing/types.ts";
import { estimateWait as estimatedWait } from "#core/pairing/wait-estimate.ts";
import type { Prospect } from "#core/pairing/wait-estimate.ts";
import { pairWave } from "#core/pairing/wave.ts";
import { pairingNumbers } from "#live/matchmaker/pairing-parameters.ts";

export const CROWD_PAIRING_NUMBERS = pairingNumbers(DEFAULT_LIMITS);

const WAVE_SECONDS = 2;
const MAPS = ["lanes", "cage", "keep"];

export type CrowdBot = {
  name: string;
  owner: string | null;
  house: boolean;
  /** True strength in points. Ratings are assumed to be accurate. */
  strength: number;
  versions: number;
  games: number;
  seatSurplus: number;
  /** Null while the bot is playing or away. */
  queuedAt: number | null;
  estimate: number;
  /** Time at which the bot queues again; Infinity while it is waiting or playing. */
  returnsAt: number;
  startedAt: number;
  lastOpponent: string | null;
  lastMetAt: Map<string, number>;
};

type CrowdMatch = {
  first: CrowdBot;
  second: CrowdBot;
  map: string;
  startedAt: number;
  endsAt: number;
};

type CrowdLimits = WaveLimits & { maxMatches: number };

export type Wave = {
  at: number;
  waiting: readonly WaitingBot[];
  owners: ReadonlyMap<string, OwnerLoad>;
  limits: WaveLimits;
  starts: readonly PlannedStart[];
  pairings: readonly PlannedPairing[];
};

export type CrowdOptions = {
  seed: number;
  size: number;
  /** Difference between the mean and the extremes, in points. */
  spread?: number;
  matchSeconds?: number;
  away?: number;
  /** Share of matches after which a bot returns with a new version. */
  renewal?: number;
  loner?: number;
  limits?: Partial<CrowdLimits>;
  /** Number of matches that each owner may still start. */
  startsPerOwner?: number;
};

export type SimulatedCrowd = {
  readonly options: Required<Omit<CrowdOptions, "loner">>;
  readonly members: CrowdBot[];
  readonly limits: CrowdLimits;
  readonly matchups: Matchups;
  readonly draw: RandomDraw;
  now: number;
  matches: CrowdMatch[];
  readonly startsByOwner: Map<string, number>;
  readonly waits: { estimated: number; true: number }[];
};

export function createCrowd({ loner, ...overrides }: CrowdOptions): SimulatedCrowd {
  const crowdOptions = {
    spread: 900,
    matchSeconds: 20,
    away: 0.1,
    renewal: 0,
    limits: {},
    startsPerOwner: Infinity,
    ...overrides,
  };
  const draw = createRandomDraw(crowdOptions.seed);
  const members = Array.from({ length: crowdOptions.size }, (_, index) =>
    createCrowdBot(crowdOptions, index, draw),
  );
  if (loner !== undefined)
    members.push({ ...createCrowdBot(crowdOptions, crowdOptions.size, draw), strength: loner });
  return {
    options: crowdOptions,
    members,
    limits: {
      maxMatches: 320,
      ownerConcurrency: 40,
      matchIntervalSeconds: 0.3,
      houseStarts: Infinity,
      ...crowdOptions.limits,
    },
    matchups: createMatchups(),
    draw,
    now: 0,
    matches: [],
    startsByOwner: new Map(),
    waits: [],
  };
}

function createCrowdBot(
  { spread, size }: { spread: number; size: number },
  index: number,
  draw: RandomDraw,
) {
  const house = index < Math.min(4, size / 3);
  const sharedOwner = `owner${index % 9}`;
  const bot: CrowdBot = {
    name: `bot${index}`,
    owner: house ? "house" : draw() < 0.2 ? null : sharedOwner,
    house,
    strength: 1500 + spread * (draw() + draw() - 1),
    versions: 1,
    games: Math.floor(60 * draw()),
    seatSurplus: 0,
    queuedAt: null,
    estimate: 0,
    returnsAt: 20 * draw(),
    startedAt: -Infinity,
    lastOpponent: null,
    lastMetAt: new Map(),
  };
  return bot;
}

/** Advances by `seconds`. Yields each wave before its matches start. */
export function* runWaves(crowd: SimulatedCrowd, seconds: number): Generator<Wave> {
  const endTime = crowd.now + seconds;
  while (crowd.now < endTime) {
    const waveAt = crowd.now + WAVE_SECONDS;
    advanceTo(crowd, waveAt);
    const wave = runWave(crowd);
    yield wave;
    for (const pairing of wave.pairings) startMatch(crowd, pairing);
  }
}

function advanceTo(crowd: SimulatedCrowd, time: number): void {
  for (;;) {
    const match = findEarliest(crowd.matches, ({ endsAt }) => endsAt);
    const bot = findEarliest(crowd.members, ({ returnsAt }) => returnsAt);
    const endsAt = match?.endsAt ?? Infinity;
    const backAt = bot?.returnsAt ?? Infinity;
    if (Math.min(endsAt, backAt) > time) break;
    crowd.now = Math.min(endsAt, backAt);
    if (endsAt <= backAt) endMatch(crowd, match!);
    else enqueue(crowd, bot!);
  }
  crowd.now = time;
}

function findEarliest<T>(items: readonly T[], timeOf: (item: T) => number): T | undefined {
  let earliest: T | undefined;
  for (const item of items)
    if (earliest === undefined || timeOf(item) < timeOf(earliest)) earliest = item;
  return earliest;
}

function endMatch(crowd: SimulatedCrowd, match: CrowdMatch): void {
  const { first, second, map } = match;
  const { draw, options } = crowd;
  crowd.matches = crowd.matches.filter((running) => running !== match);
  const score = draw() < 1 / (1 + 10 ** ((second.strength - first.strength) / 400)) ? 1 : 0;
  const versions = { version: versionOf(first), opponent: versionOf(second) };
  recordGame(crowd.matchups, { ...versions, map, score });
  first.seatSurplus += 1;
  second.seatSurplus -= 1;
  for (const [bot, opponent] of [
    [first, second],
    [second, first],
  ]) {
    bot!.games += 1;
    bot!.lastOpponent = opponent!.name;
    bot!.lastMetAt.set(opponent!.name, crowd.now);
    bot!.returnsAt = crowd.now + (draw() < options.away ? 300 * draw() : 0.05 + 0.5 * draw());
    if (draw() >= options.renewal) continue;
    bot!.versions += 1;
    bot!.games = 0;
  }
}

const versionOf = ({ name, versions }: CrowdBot): string => `${name}/${versions}`;

function enqueue(crowd: SimulatedCrowd, bot: CrowdBot): void {
  bot.returnsAt = Infinity;
  bot.queuedAt = crowd.now;
  bot.estimate = estimateFor(crowd, bot);
}

function estimateFor(crowd: SimulatedCrowd, self: CrowdBot): number {
  const { now, limits, matches, members, options } = crowd;
  const wave = WAVE_SECONDS * Math.ceil(now / WAVE_SECONDS + 1e-9) - now;
  const waiting = members.filter(({ queuedAt }) => queuedAt !== null).length;
  return estimatedWait({
    firstWaveSeconds: wave,
    waveSeconds: WAVE_SECONDS,
    waitSeconds: 0,
    prospects: members
      .filter((other) => canEverMeet(self, other))
      .flatMap((other) => findProspects(crowd, self, other)),
    startsAhead: Math.max(0, Math.ceil(waiting / 2) - (limits.maxMatches - matches.length)),
    endsPerSecond: matches.length / options.matchSeconds,
    typicalWaitSeconds: 0,
    numbers: CROWD_PAIRING_NUMBERS,
  });
}

export function canEverMeet(one: CrowdBot, other: CrowdBot): boolean {
  const isSameOwner = one.owner !== null && one.owner === other.owner;
  return one !== other && !isSameOwner && !(one.house && other.house);
}

function findProspects(crowd: SimulatedCrowd, self: CrowdBot, other: CrowdBot): Prospect[] {
  const match = crowd.matches.find(
    (running) => running.first === other || running.second === other,
  );
  if (match === undefined && other.queuedAt === null) return [];
  const playedSeconds = match === undefined ? 0 : crowd.now - match.startedAt;
  const remainingSeconds =
    match === undefined ? 0 : Math.max(1, crowd.options.matchSeconds - playedSeconds);
  const waitSeconds = match === undefined ? crowd.now - other.queuedAt! : -remainingSeconds;
  const since = crowd.now - (self.lastMetAt.get(other.name) ?? -Infinity);
  const wereLastOpponents = self.lastOpponent === other.name || other.lastOpponent === self.name;
  const holdSeconds = wereLastOpponents
    ? CROWD_PAIRING_NUMBERS.rematchHoldSeconds - Math.min(0, waitSeconds)
    : CROWD_PAIRING_NUMBERS.rematchHoldSeconds - since;
  return [
    {
      gap: Math.abs(self.strength - other.strength),
      inSeconds: Math.max(remainingSeconds, holdSeconds),
      waitSeconds,
    },
  ];
}

function runWave(crowd: SimulatedCrowd): Wave {
  const { members, matchups, matches, limits, now, draw } = crowd;
  const waiting = members.filter(({ queuedAt }) => queuedAt !== null);
  const bots = waiting.map((bot) => waitingBot(crowd, bot));
  const owners = ownerLoads(crowd);
  const starts = drawStarts(limits.maxMatches - matches.length, draw);
  const seed = drawSeed(draw);
  const snapshot = {
    bots,
    owners,
    matchups,
    maps: MAPS,
    requested: [],
    numbers: CROWD_PAIRING_NUMBERS,
  };
  const pairings = pairWave(snapshot, limits, starts, seed);
  return { at: now, waiting: bots, owners, limits, starts, pairings };
}

const drawSeed = (draw: RandomDraw): number => Math.floor(draw() * 2 ** 32);

export function drawStarts(count: number, draw: RandomDraw): PlannedStart[] {
  return Array.from({ length: count }, (_, index) => {
    return { matchId: `match${index}`, seed: drawSeed(draw) };
  });
}

function waitingBot({ now }: SimulatedCrowd, bot: CrowdBot): WaitingBot {
  const since = [...bot.lastMetAt].map(([name, at]) => [name, now - at] as const);
  return {
    bot: bot.name,
    owner: bot.owner,
    house: bot.house,
    version: versionOf(bot),
    rating: bot.strength,
    games: bot.games,
    formerRating: bot.versions > 1 ? bot.strength : null,
    recentGames: bot.games,
    seatSurplus: bot.seatSurplus,
    waitSeconds: now - bot.queuedAt!,
    sinceStartSeconds: now - bot.startedAt,
    lastOpponent: bot.lastOpponent,
    sinceMeetingSeconds: new Map(since),
  };
}

function ownerLoads({
  matches,
  members,
  startsByOwner,
  options,
}: SimulatedCrowd): Map<string, OwnerLoad> {
  const owners = new Map<string, OwnerLoad>();
  for (const { owner, house } of members) {
    if (owner === null || house) continue;
    owners.set(owner, {
      running: 0,
      startsLeft: options.startsPerOwner - (startsByOwner.get(owner) ?? 0),
    });
  }
  for (const { owner, house } of matches.flatMap(({ first, second }) => [first, second]))
    if (owner !== null && !house) owners.get(owner)!.running += 1;
  return owners;
}

function startMatch(crowd: SimulatedCrowd, { bots, map }: PlannedPairing): void {
  const [one, other] = firstTwo(
    bots.map((name) => crowd.members.find((bot) => bot.name === name)!),
  );
  for (const bot of [one, other]) {
    crowd.waits.push({ estimated: bot.estimate, true: crowd.now - bot.queuedAt! });
    bot.startedAt = crowd.now;
    bot.queuedAt = null;
    if (bot.owner === null || bot.house) continue;
    crowd.startsByOwner.set(bot.owner, (crowd.startsByOwner.get(bot.owner) ?? 0) + 1);
  }
  const endsAt = crowd.now + crowd.options.matchSeconds * (0.3 + 1.4 * crowd.draw());
  crowd.matches.push({ first: one, second: other, map, startedAt: crowd.now, endsAt });
}
