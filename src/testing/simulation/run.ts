// A complete run: days with faults, a calm in which everything must recover, and final checks that
// nothing is left over.

import { DAY_US, MINUTE_US, SECOND_US } from "#base/util/time.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { eventPhase } from "#core/events/event.ts";
import { isScaleAnchor } from "#core/ids/house-bots.ts";
import type { AccountId } from "#core/ids/ids.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { seasonCompetition } from "#core/ladder/season.ts";
import type { Competition } from "#core/ladder/season.ts";
import type { FinalStanding, NamedStanding } from "#data/store/season.ts";
import type { Store } from "#data/store/store.ts";
import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import { scheduleAccountActions, createAccounts } from "#testing/actors/account.ts";
import {
  applyLadderChange,
  scheduleOperatorActions,
  storeLadders,
} from "#testing/actors/operator.ts";
import { scheduleOpponentRequests } from "#testing/actors/opponent-requester.ts";
import type { Complaint } from "#testing/invariants/watch.ts";

import type { SeededDice } from "./dice.ts";
import { drawFaults } from "./faults.ts";
import type { PlannedFault } from "./faults.ts";
import type { SimulationOptions } from "./options.ts";
import { boot, kill } from "./server.ts";
import type { SimulatedServer } from "./simulated-server.ts";
import { createWorld, emitNotice, createBots } from "./world.ts";
import type { World, WorldOptions } from "./world.ts";

export type RunOutcome = {
  digest: string;
  steps: number;
  lines: number;
  virtualSeconds: number;
  complaint: Complaint | null;
  tail: readonly string[];
};

export type RunOptions = WorldOptions & {
  /** Called periodically. `progressShare` is between 0 and 1. */
  progress?(progressShare: number): void;
};

/** Time without faults, in µs. `CLOSING_TIME` follows, during which the last matches end. */
const CALM_TIME = 30 * MINUTE_US;
const CLOSING_TIME = 20 * MINUTE_US;
const OBSERVE_INTERVAL_MS = 10_000;
const BOARD_INTERVAL_MS = 3_600_000;
const AWARDS_INTERVAL_MS = 1_200_000;
const CHECK_INTERVAL = MINUTE_US;

export async function simulate(options: SimulationOptions, run: RunOptions): Promise<RunOutcome> {
  return createOutcome(await runWorld(options, run));
}

/** For callers that inspect the world afterwards. */
export async function runWorld(options: SimulationOptions, run: RunOptions): Promise<World> {
  const world = createWorld(options, run);
  const end = options.days * DAY_US;
  await storeLadders(world);
  await createAccounts(world);
  await createBots(world);
  await boot(world);
  scheduleOperatorActions(world);
  scheduleAccountActions(world);
  scheduleOpponentRequests(world);
  for (const fault of drawFaults(world.dice.branch("faults"), options.faults, end))
    schedule(world, fault.at, () => injectFault(world, fault));
  schedule(world, end, () => startCalm(world));
  schedule(world, end + CALM_TIME, () => startClosing(world));
  repeatEvery(world, OBSERVE_INTERVAL_MS, () => void observeArena(world));
  repeatEvery(world, BOARD_INTERVAL_MS, () => void readBoards(world));
  repeatEvery(world, BOARD_INTERVAL_MS, () => void readStandings(world));
  repeatEvery(world, AWARDS_INTERVAL_MS, () => void readAwards(world));
  await runUntil(world, end + CALM_TIME + CLOSING_TIME, (progressShare) =>
    run.progress?.(progressShare),
  );
  if (world.complaint === null) {
    await readBoards(world);
    await readStandings(world);
    await readAwards(world);
    emitNotice(world, { type: "finished" });
  }
  return world;
}

function schedule({ timeline }: World, at: number, callback: () => void): void {
  timeline.after((at - timeline.now()) / 1000, callback);
}

function repeatEvery(world: World, ms: number, callback: () => void): void {
  world.timeline.after(ms, () => {
    callback();
    repeatEvery(world, ms, callback);
  });
}

async function runUntil(
  world: World,
  end: number,
  progress: (progressShare: number) => void,
): Promise<void> {
  for (
    let until = CHECK_INTERVAL;
    until <= end && world.complaint === null;
    until += CHECK_INTERVAL
  ) {
    await world.timeline.run(until, () => world.complaint !== null);
    progress(until / end);
  }
}

function startCalm(world: World): void {
  world.isCalm = true;
  world.conditions.store = "fine";
  world.conditions.maxLagMs = 0;
  emitNotice(world, { type: "calm" });
}

function startClosing(world: World): void {
  world.isClosing = true;
  for (const agent of world.agents.values()) agent.leaveIfIdle();
}

async function observeArena(world: World): Promise<void> {
  const { server, conditions, store } = world;
  if (server === null) return;
  const { arena } = server;
  const seasons = await store.seasons.list();
  emitNotice(world, {
    type: "looked",
    online: arena.onlineBots(),
    running: arena.capacity().running,
    storeFails: conditions.store !== "fine" && conditions.store !== "slow",
    live: arena.seasons().live,
    seasons,
  });
}

async function readStandings(world: World): Promise<void> {
  const bySeason = new Map<string, FinalStanding[]>();
  for (const { id, archivedAt } of await world.store.seasons.list())
    if (archivedAt !== null)
      bySeason.set(id, (await world.store.seasons.standings(id)).map(withoutOwner));
  emitNotice(world, { type: "standings", bySeason });
  const byLadder = new Map<string, FinalStanding[]>();
  for (const { id, finishedAt } of await world.store.ladders.list())
    if (finishedAt !== null)
      byLadder.set(id, (await world.store.ladders.standings(id)).map(withoutOwner));
  emitNotice(world, { type: "finals", byLadder });
  const pending = (await world.store.requests.pending()).map(({ id }) => id);
  emitNotice(world, { type: "wishes", pending });
}

/** Emitted once the server has processed all stored matches. Disabled events grant no awards. */
async function readAwards(world: World): Promise<void> {
  const { server, store, timeline } = world;
  if (server === null) return;
  await Promise.race([server.awards.whenIdle(), server.exited]);
  if (server !== world.server) return;
  const now = timeline.wall().toISOString();
  for (const event of server.events.list()) {
    if (!event.enabled || eventPhase(event, now) === "upcoming") continue;
    const runners = [];
    for (const { id: accountId, hasLeft } of world.accounts.values())
      if (!hasLeft) runners.push({ accountId, ...(await readRunner(store, event, accountId)) });
    emitNotice(world, {
      type: "awards",
      event,
      grantedAwards: await store.awards.listByEvent(event.id),
      runners,
    });
  }
}

async function readRunner(store: Store, { ladderId }: EventDefinition, accountId: AccountId) {
  const bots = await store.bots.listByOwners([accountId]);
  const memberRows = await store.members.listByAccount(accountId);
  const stays = memberRows.filter((row) => row.ladderId === ladderId && row.state === "active");
  return { botIds: bots.map(({ id }) => id), stays };
}

function withoutOwner(place: NamedStanding): FinalStanding {
  const { ownerId: _, ownerBanned: __, ...standing } = place;
  return standing;
}

async function readBoards(world: World): Promise<void> {
  if (world.server === null) return;
  await readBoard(world, world.server, seasonCompetition(world.server.arena.seasons().live));
  for (const { id, finishedAt = null } of world.server.deps.ladders.list())
    if (!hasSeasons(id) && finishedAt === null)
      await readBoard(world, world.server, { ladderId: id, season: null });
}

async function readBoard(
  world: World,
  server: SimulatedServer,
  competition: Competition,
): Promise<void> {
  const { store } = world;
  const page = await server.matchmaker.board(competition);
  const pairs = await store.stats.pairs(competition);
  const activity = await store.stats.activity(competition);
  const matchmaker = localMatchmaker();
  await matchmaker.load({ ...competition, pairs, activity, anchorBots: anchorBotsOf(world) });
  emitNotice(world, {
    type: "board",
    competition,
    page,
    reloaded: await matchmaker.board(competition),
  });
}

function anchorBotsOf({ records }: World): string[] {
  return [...records.values()].filter(isScaleAnchor).map(({ id }) => id);
}

function injectFault(world: World, { fault, durationMs }: PlannedFault): void {
  const { timeline, conditions } = world;
  emitNotice(world, { type: "struck", fault });
  const dice = world.dice.branch(`fault at ${timeline.now()}`);
  switch (fault) {
    case "cut":
    case "half_open":
      for (const agent of world.agents.values())
        if (dice.chance(0.4))
          agent.dropConnection(fault === "cut" ? dice.between(20, 2000) : Infinity);
      break;
    case "lag":
      conditions.maxLagMs = dice.between(100, 3000);
      timeline.after(durationMs, () => {
        conditions.maxLagMs = 0;
      });
      break;
    case "store_unavailable":
    case "store_full":
    case "store_slow":
    case "disk":
      conditions.store = STORE_CONDITIONS[fault];
      timeline.after(durationMs, () => {
        conditions.store = "fine";
      });
      break;
    case "stall":
      timeline.stall(durationMs);
      emitNotice(world, { type: "stalled" });
      break;
    case "kill":
      kill(world, durationMs);
      break;
    case "clock_ahead":
      timeline.shiftWall(40 * 86_400_000);
      break;
    case "clock_back":
      timeline.shiftWall(-3_600_000);
      break;
    case "ladder_disabled":
      disableLadderFor(world, dice, durationMs);
      break;
  }
}

function disableLadderFor(world: World, dice: SeededDice, durationMs: number): void {
  if (world.ladderPlans.length === 0) return;
  const { id } = dice.pick(world.ladderPlans).ladder;
  applyLadderChange(world, id, { enabled: false });
  world.timeline.after(durationMs, () => applyLadderChange(world, id, { enabled: true }));
}

const STORE_CONDITIONS = {
  store_unavailable: "unavailable",
  store_full: "full",
  store_slow: "slow",
  disk: "io",
} as const;

function createOutcome({ eventLog, timeline, complaint }: World): RunOutcome {
  return {
    digest: eventLog.digest(),
    steps: timeline.steps(),
    lines: eventLog.lineCount(),
    virtualSeconds: timeline.now() / SECOND_US,
    complaint,
    tail: complaint === null ? [] : eventLog.recentLines(),
  };
}
