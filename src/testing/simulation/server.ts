import type { Clock } from "#base/clock/clock.ts";
import { createLiveEvents, opponentRequestRules } from "#core/events/live-events.ts";
import type { MatchId } from "#core/ids/ids.ts";
import { writeReplay } from "#core/replay/write-replay.ts";
import type { FinishedMatchRecording } from "#core/replay/write-replay.ts";
import { openAwards } from "#live/awards/awards.ts";
import type { CreateMatchEngine, MatchEngine } from "#live/match/match-engine.ts";
import type { MatchSetup } from "#live/match/match-setup.ts";
import { engineFactory } from "#live/match/shared-match-engine.ts";
import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import type { Matchmaker } from "#live/matchmaker/matchmaker.ts";
import type { Recorder } from "#live/recorder/recorder.ts";
import { openLadders } from "#server/configuration/live-ladders.ts";
import { openSettings } from "#server/configuration/settings.ts";

import { faultyStore } from "./faulty-store.ts";
import { openSimulatedHouse } from "./house.ts";
import { drawId, drawSeed } from "./ids.ts";
import { SAMPLED_RECORD, startSampledMatch } from "./sampled-match.ts";
import { startSimulatedServer } from "./simulated-server.ts";
import type { SimulatedServerDeps } from "./simulated-server.ts";
import { expectedTrueShare } from "./strength.ts";
import { emitNotice, versionKey } from "./world.ts";
import type { World } from "./world.ts";

const RESTART_DELAY_MS = 1000;

export async function boot(world: World): Promise<void> {
  if (world.server !== null) return;
  try {
    const server = await startSimulatedServer(world.timeline, (isAlive, clock) =>
      createServerDeps(world, isAlive, clock),
    );
    world.server = { ...server, arena: world.plantedBug.arena?.(server.arena) ?? server.arena };
    emitNotice(world, { type: "booted" });
    await openSimulatedHouse(world, world.server);
  } catch (error) {
    world.eventLog.append(world.timeline.now(), "unbooted", "", String(error));
    world.timeline.after(RESTART_DELAY_MS, () => void boot(world));
  }
}

export function kill(world: World, downMs: number): void {
  if (world.server === null) return;
  world.server.kill();
  world.server = null;
  emitNotice(world, { type: "killed" });
  for (const link of world.links) link.breakNetwork(Infinity);
  world.timeline.after(downMs, () => void boot(world));
}

/** Lets the arena finish its current call before a panic takes effect. */
const PANIC_DELAY_MS = 1;

async function createServerDeps(
  world: World,
  isAlive: () => boolean,
  clock: Clock,
): Promise<SimulatedServerDeps> {
  const { plantedBug, timeline, dice } = world;
  const serverDice = dice.branch(`life at ${timeline.now()}`);
  const store = faultyStore(world.store, {
    timeline,
    conditions: world.conditions,
    dice: serverDice.branch("store"),
    isAlive,
    onMatchStored: (match) => emitNotice(world, { type: "stored", match }),
    onMatchConfirmed: (match) => emitNotice(world, { type: "confirmed", matchId: match.id }),
    onSeasonsOpened: (seasons) =>
      emitNotice(world, { type: "opened", seasons: seasons.map(({ id }) => id) }),
    onSeasonArchived: (season, places) => emitNotice(world, { type: "archived", season, places }),
    onPlacesStored: (places) => emitNotice(world, { type: "noted", places }),
    onRequestAdded: (request) => emitNotice(world, { type: "wished", request }),
    onRequestRemoved: (requestId, isCancelled) => {
      emitNotice(world, { type: "unwished", requestId, isCancelled });
    },
    onLadderFinished: (ladderId, at, places) => {
      emitNotice(world, { type: "ladder_finished", ladderId, at, places });
    },
  });
  const storedState = {
    ladders: await store.ladders.list(),
    members: await store.members.active(),
  };
  const events = createLiveEvents(await store.events.list());
  emitNotice(world, { type: "recalled", ...storedState, events: events.list() });
  const ladders = openLadders(clock, storedState);
  const instant = () => timeline.wall().toISOString();
  const newId = () => drawId(serverDice, timeline.wall().getTime());
  const logger = {
    debug: () => {},
    info: () => {},
    warn: (fields: object, text: string) => log(world, "warn", text, fields),
    error: (fields: object, text: string) => log(world, "error", text, fields),
  };
  const plantedStore = plantedBug.store?.(store) ?? store;
  const after = (ms: number, callback: () => void) => clock.after(ms, callback);
  const awardDeps = {
    store: plantedStore,
    events,
    hasMail: false,
    newId,
    instant,
    after,
    log: logger,
  };
  const awards = openAwards(awardDeps);
  return {
    store: plantedStore,
    events,
    awards,
    matchmaker: createObservedMatchmaker(
      world,
      plantedBug.matchmaker?.(localMatchmaker()) ?? localMatchmaker(),
    ),
    createEngine: createFights(world),
    recorder: { ...RECORDER, file: (matchId, record) => file(world, matchId, record) },
    log: logger,
    settings: openSettings({ ...world.limits, ...plantedBug.limits }),
    ladders: plantedBug.ladders?.(ladders) ?? ladders,
    ...opponentRequestRules(events, instant),
    onMatchStored: (game) => awards.handleMatchStored(game),
    newId,
    newSeed: () => drawSeed(serverDice),
    panic: () =>
      void timeline.after(PANIC_DELAY_MS, () => {
        if (isAlive()) kill(world, RESTART_DELAY_MS);
      }),
  };
}

function log(world: World, level: "warn" | "error", text: string, fields: object): void {
  const { error } = fields as { error?: unknown };
  const detail = error instanceof Error ? (error.stack ?? error.message) : "";
  emitNotice(world, { type: "logged", level, text, detail });
}

function createObservedMatchmaker(world: World, matchmaker: Matchmaker): Matchmaker {
  return {
    ...matchmaker,
    rate: async (game) => {
      const change = await matchmaker.rate(game);
      emitNotice(world, { type: "rated", game, change });
      return change;
    },
    unrate: async (game) => {
      await matchmaker.unrate(game);
      emitNotice(world, { type: "taken_back", game });
    },
    pair: async (requests) => {
      const pairings = await matchmaker.pair(requests);
      for (const request of requests) {
        const ladderPairings = pairings.filter(({ ladderId }) => ladderId === request.ladderId);
        emitNotice(world, { type: "wave", request, pairings: ladderPairings });
      }
      return pairings;
    },
  };
}

function createFights(world: World): CreateMatchEngine {
  const runOnEngine = engineFactory();
  const dice = world.dice.branch("fights");
  return (setup) => {
    emitStart(world, setup);
    if (dice.draw() * world.options.fought >= 1) return createSampledMatch(world, setup);
    world.engineMatchIds.add(setup.matchId);
    return runOnEngine(setup);
  };
}

function emitStart(world: World, { matchId, ladderId, mode, fighters }: MatchSetup): void {
  const botIds = fighters.map((fighter) => fighter.bot_id);
  if (mode === "practice") emitNotice(world, { type: "practised", matchId, botId: botIds[0]! });
  else emitNotice(world, { type: "started", matchId, ladderId, botIds });
}

function createSampledMatch(world: World, setup: MatchSetup): MatchEngine {
  const { matchId, fighters } = setup;
  const [first, second] = fighters.map(({ name, version }) =>
    world.strengths.get(versionKey(name, version)),
  );
  if (first === undefined || second === undefined) throw new Error("a version without strength");
  return startSampledMatch(setup, expectedTrueShare(first, second, setup.grid.name), {
    onResult: (winner) => emitNotice(world, { type: "decided", matchId, winner }),
    onFailedTick: (seat, reason) => {
      const { name, bot_id: botId } = fighters[seat]!;
      if (world.agents.get(name)?.isBlameless(matchId) !== true) return;
      emitNotice(world, { type: "wronged", matchId, botId, reason });
    },
  });
}

/**
 * Called when a match's rating has been decided, so it emits the first notice that the match is
 * over.
 */
async function file(world: World, matchId: MatchId, record: unknown): Promise<string | null> {
  emitNotice(world, { type: "ended", matchId });
  if (record === SAMPLED_RECORD) return null;
  const { stats } = writeReplay(record as FinishedMatchRecording);
  return stats === null ? null : JSON.stringify(stats);
}

/** The simulation reads no replays, and sampled matches have none. */
const RECORDER: Omit<Recorder, "file"> = {
  remove: async () => {},
  close: async () => {},
};
