// A run from its seed to its end: days with faults, an hour of calm in which everything must
// recover, and an end at which nothing may be left over.

import { DAY, MINUTE, SECOND } from "#base/units/time.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { eventPhase } from "#core/events/event.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { seasonCompetition } from "#core/ladder/season.ts";
import type { Competition } from "#core/ladder/season.ts";
import { holdsScale } from "#core/words/house.ts";
import type { AccountId } from "#core/words/ids.ts";
import type { FinalStanding, ReadStanding } from "#data/store/season.ts";
import type { Store } from "#data/store/store.ts";
import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import { gatherPeople, openAccounts } from "#testing/actors/account.ts";
import { changeLadder, employOperators, storeLadders } from "#testing/actors/operator.ts";
import { makeWishes } from "#testing/actors/wisher.ts";
import type { Complaint } from "#testing/invariants/watch.ts";

import type { SeededDice } from "./dice.ts";
import { drawFaults } from "./faults.ts";
import type { PlannedFault } from "./faults.ts";
import type { SimulationOptions } from "./options.ts";
import type { Life } from "./server-life.ts";
import { boot, kill } from "./server.ts";
import { createWorld, notice, populate } from "./world.ts";
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
const AWARDS_EVERY_MS = 1_200_000;
/** Simulated time between two checks for a complaint. */
const STRIDE = MINUTE;

export async function simulate(options: SimulationOptions, run: RunOptions): Promise<RunOutcome> {
  return outcomeOf(await runWorld(options, run));
}

/** The same run, for callers that want to inspect the world it leaves. */
export async function runWorld(options: SimulationOptions, run: RunOptions): Promise<World> {
  const world = createWorld(options, run);
  const end = options.days * DAY;
  await storeLadders(world);
  await openAccounts(world);
  await populate(world);
  await boot(world);
  employOperators(world);
  gatherPeople(world);
  makeWishes(world);
  for (const fault of drawFaults(world.dice.branch("faults"), options.faults, end))
    plan(world, fault.at, () => strike(world, fault));
  plan(world, end, () => calm(world));
  plan(world, end + CALM, () => close(world));
  every(world, LOOK_EVERY_MS, () => void look(world));
  every(world, BOARD_EVERY_MS, () => void readBoards(world));
  every(world, BOARD_EVERY_MS, () => void readStandings(world));
  every(world, AWARDS_EVERY_MS, () => void readAwards(world));
  await runUntil(world, end + CALM + CLOSING, (share) => run.progress?.(share));
  if (world.complaint === null) {
    await readBoards(world);
    await readStandings(world);
    await readAwards(world);
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
  const byLadder = new Map<string, FinalStanding[]>();
  for (const { id, finishedAt } of await world.store.ladders.list())
    if (finishedAt !== null)
      byLadder.set(id, (await world.store.ladders.standings(id)).map(asWritten));
  notice(world, { type: "finals", byLadder });
  const pending = (await world.store.requests.pending()).map(({ id }) => id);
  notice(world, { type: "wishes", pending });
}

/** Once the server has looked at all that is stored. Nothing is given while an event is off. */
async function readAwards(world: World): Promise<void> {
  const { life, store, timeline } = world;
  if (life === null) return;
  await Promise.race([life.awards.settled(), life.gone]);
  if (life !== world.life) return;
  const now = timeline.wall().toISOString();
  for (const event of life.events.all()) {
    if (!event.enabled || eventPhase(event, now) === "upcoming") continue;
    const runners = [];
    for (const { id: accountId, hasLeft } of world.accounts.values())
      if (!hasLeft) runners.push({ accountId, ...(await runnerOf(store, event, accountId)) });
    notice(world, { type: "awards", event, given: await store.awards.ofEvent(event.id), runners });
  }
}

async function runnerOf(store: Store, { ladderId }: EventDefinition, accountId: AccountId) {
  const bots = await store.bots.ofOwners([accountId]);
  const all = await store.members.ofAccount(accountId);
  const stays = all.filter((one) => one.ladderId === ladderId && one.state === "active");
  return { botIds: bots.map(({ id }) => id), stays };
}

/** A final place without what is read of the bot's present owner. */
function asWritten(place: ReadStanding): FinalStanding {
  const { ownerId: _, ownerBanned: __, ...written } = place;
  return written;
}

async function readBoards(world: World): Promise<void> {
  if (world.life === null) return;
  await readBoard(world, world.life, seasonCompetition(world.life.arena.seasons().live));
  for (const { id, finishedAt = null } of world.life.deps.ladders.all())
    if (!hasSeasons(id) && finishedAt === null)
      await readBoard(world, world.life, { ladderId: id, season: null });
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
      disable(world, dice, forMs);
      break;
  }
}

/** Disables one of the ladders for a while. */
function disable(world: World, dice: SeededDice, forMs: number): void {
  if (world.plans.length === 0) return;
  const { id } = dice.pick(world.plans).ladder;
  changeLadder(world, id, { enabled: false });
  world.timeline.after(forMs, () => changeLadder(world, id, { enabled: true }));
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
