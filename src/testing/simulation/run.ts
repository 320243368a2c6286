// A run from its seed to its end: days with faults, an hour of calm in which everything must
// recover, and an end at which nothing may be left over.

import { DAY, MINUTE, SECOND } from "#base/units/time.ts";
import { seasonCompetition } from "#core/ladder/season.ts";
import type { Competition } from "#core/ladder/season.ts";
import { holdsScale } from "#core/words/house.ts";
import type { FinalStanding, ReadStanding } from "#data/store/season.ts";
import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import type { Complaint } from "#testing/invariants/watch.ts";

import { drawFaults } from "./faults.ts";
import type { PlannedFault } from "./faults.ts";
import type { SimulationOptions } from "./options.ts";
import type { Life } from "./server-life.ts";
import { boot, kill } from "./server.ts";
import { createWorld, enableLeague, notice, populate } from "./world.ts";
import type { World, WorldOptions } from "./world.ts";

export type RunOutcome = {
  /** SHA-256 of everything that happened. */
  digest: string;
  /** Events that happened, and lines that were hashed. */
  steps: number;
  lines: number;
  virtualSeconds: number;
  complaint: Complaint | null;
  /** The latest lines before the complaint. */
  tail: readonly string[];
};

export type RunOptions = WorldOptions & {
  /** Called now and then with the progress, 0 to 1. */
  progress?(share: number): void;
};

/** Time without faults, followed by time for the last matches to end. */
const CALM = 30 * MINUTE;
const CLOSING = 20 * MINUTE;
const LOOK_EVERY_MS = 10_000;
const BOARD_EVERY_MS = 3_600_000;
/** Simulated time between two checks for a complaint. */
const STRIDE = MINUTE;

export async function simulate(options: SimulationOptions, run: RunOptions): Promise<RunOutcome> {
  return outcomeOf(await runWorld(options, run));
}

/** The same run, for callers that want to inspect the world it leaves. */
export async function runWorld(options: SimulationOptions, run: RunOptions): Promise<World> {
  const world = createWorld(options, run);
  const end = options.days * DAY;
  await populate(world);
  await boot(world);
  for (const fault of drawFaults(world.dice.branch("faults"), options.faults, end))
    plan(world, fault.at, () => strike(world, fault));
  plan(world, end, () => calm(world));
  plan(world, end + CALM, () => close(world));
  every(world, LOOK_EVERY_MS, () => void look(world));
  every(world, BOARD_EVERY_MS, () => void readBoards(world));
  every(world, BOARD_EVERY_MS, () => void readStandings(world));
  await runUntil(world, end + CALM + CLOSING, (share) => run.progress?.(share));
  if (world.complaint === null) {
    await readBoards(world);
    await readStandings(world);
    notice(world, { type: "finished" });
  }
  return world;
}

function plan({ timeline }: World, at: number, call: () => void): void {
  timeline.after((at - timeline.now()) / 1000, call);
}

function every(world: World, ms: number, call: () => void): void {
  world.timeline.after(ms, () => {
    call();
    every(world, ms, call);
  });
}

async function runUntil(
  world: World,
  end: number,
  progress: (share: number) => void,
): Promise<void> {
  for (let until = STRIDE; until <= end && world.complaint === null; until += STRIDE) {
    await world.timeline.run(until, () => world.complaint !== null);
    progress(until / end);
  }
}

function calm(world: World): void {
  world.isCalm = true;
  world.weather.store = "fine";
  world.weather.lagMs = 0;
  notice(world, { type: "calm" });
}

function close(world: World): void {
  world.isClosing = true;
  for (const agent of world.agents.values()) agent.retreat();
}

async function look(world: World): Promise<void> {
  const { life, weather, store } = world;
  if (life === null) return;
  const { arena } = life;
  const seasons = await store.seasons.list();
  notice(world, {
    type: "looked",
    online: arena.online(),
    running: arena.capacity().running,
    storeFails: weather.store !== "fine" && weather.store !== "slow",
    live: arena.seasons().live,
    seasons,
  });
}

async function readStandings(world: World): Promise<void> {
  const bySeason = new Map<string, FinalStanding[]>();
  for (const { id, archivedAt } of await world.store.seasons.list())
    if (archivedAt !== null)
      bySeason.set(id, (await world.store.seasons.standings(id)).map(asWritten));
  notice(world, { type: "standings", bySeason });
}

/** A final place without what is read of the bot's present owner. */
function asWritten(place: ReadStanding): FinalStanding {
  const { ownerId: _, ownerBanned: __, ...written } = place;
  return written;
}

async function readBoards(world: World): Promise<void> {
  if (world.life === null) return;
  await readBoard(world, world.life, seasonCompetition(world.life.arena.seasons().live));
  if (world.options.ladders === "both")
    await readBoard(world, world.life, { ladderId: world.league.id, season: null });
}

/** The live board, and that of a matchmaker that knows only what is stored, as after a restart. */
async function readBoard(world: World, life: Life, competition: Competition): Promise<void> {
  const { store } = world;
  const page = await life.matchmaker.board(competition);
  const pairs = await store.figures.pairs(competition);
  const activity = await store.figures.activity(competition);
  const matchmaker = localMatchmaker();
  await matchmaker.load({ ...competition, pairs, activity, anchorBots: anchorBotsOf(world) });
  notice(world, {
    type: "board",
    competition,
    page,
    reloaded: await matchmaker.board(competition),
  });
}

function anchorBotsOf({ records }: World): string[] {
  return [...records.values()].filter(holdsScale).map(({ id }) => id);
}

function strike(world: World, { fault, forMs }: PlannedFault): void {
  const { timeline, weather } = world;
  notice(world, { type: "struck", fault });
  const dice = world.dice.branch(`fault at ${timeline.now()}`);
  switch (fault) {
    case "cut":
    case "half_open":
      for (const agent of world.agents.values())
        if (dice.chance(0.4)) agent.cut(fault === "cut" ? dice.between(20, 2000) : Infinity);
      break;
    case "lag":
      weather.lagMs = dice.between(100, 3000);
      timeline.after(forMs, () => {
        weather.lagMs = 0;
      });
      break;
    case "store_unavailable":
    case "store_full":
    case "store_slow":
    case "disk":
      weather.store = STORE_MOODS[fault];
      timeline.after(forMs, () => {
        weather.store = "fine";
      });
      break;
    case "stall":
      timeline.stall(forMs);
      notice(world, { type: "stalled" });
      break;
    case "kill":
      kill(world, forMs);
      break;
    case "clock_ahead":
      timeline.shiftWall(40 * 86_400_000);
      break;
    case "clock_back":
      timeline.shiftWall(-3_600_000);
      break;
    case "ladder_disabled":
      enableLeague(world, false);
      timeline.after(forMs, () => enableLeague(world, true));
      break;
  }
}

const STORE_MOODS = {
  store_unavailable: "unavailable",
  store_full: "full",
  store_slow: "slow",
  disk: "io",
} as const;

function outcomeOf({ chronicle, timeline, complaint }: World): RunOutcome {
  return {
    digest: chronicle.digest(),
    steps: timeline.steps(),
    lines: chronicle.lines(),
    virtualSeconds: timeline.now() / SECOND,
    complaint,
    tail: complaint === null ? [] : chronicle.tail(),
  };
}
