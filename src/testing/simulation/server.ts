// Starts and kills the simulated server. What a life is given passes the watches on its way to the
// arena and back.

import type { Clock } from "#base/clock/clock.ts";
import { openEvents, servingRules } from "#core/events/events.ts";
import { writeUp } from "#core/replay/write-up.ts";
import type { FightRecord } from "#core/replay/write-up.ts";
import type { MatchId } from "#core/words/ids.ts";
import { openAwards } from "#live/awards/awards.ts";
import { engineFights } from "#live/match/engine-fight.ts";
import type { Fights, MatchFight } from "#live/match/fight-port.ts";
import type { MatchSetup } from "#live/match/setup.ts";
import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import type { Matchmaker } from "#live/matchmaker/matchmaker.ts";
import type { Recorder } from "#live/recorder/recorder.ts";
import { openLadders } from "#server/configuration/ladders.ts";
import { openSettings } from "#server/configuration/settings.ts";

import { DRAWN, drawFight } from "./drawn-fight.ts";
import { faultyStore } from "./faulty-store.ts";
import { openHouseOf } from "./house.ts";
import { drawId, drawSeed } from "./ids.ts";
import { openLife } from "./server-life.ts";
import type { LifeDeps } from "./server-life.ts";
import { trueShare } from "./truth.ts";
import { notice, versionKey } from "./world.ts";
import type { World } from "./world.ts";

/** A supervisor tries again if the server cannot start. */
const RESTART_MS = 1000;

/** Starts the server on what the store holds, with as many attempts as needed. */
export async function boot(world: World): Promise<void> {
  if (world.life !== null) return;
  try {
    const life = await openLife(world.timeline, (isAlive, clock) =>
      lifeDeps(world, isAlive, clock),
    );
    world.life = { ...life, arena: world.plant.arena?.(life.arena) ?? life.arena };
    notice(world, { type: "booted" });
    await openHouseOf(world, world.life);
  } catch (error) {
    world.chronicle.note(world.timeline.now(), "unbooted", "", String(error));
    world.timeline.after(RESTART_MS, () => void boot(world));
  }
}

/** Kills the server; a supervisor restarts it after a while. */
export function kill(world: World, downMs: number): void {
  if (world.life === null) return;
  world.life.kill();
  world.life = null;
  notice(world, { type: "killed" });
  for (const link of world.links) link.cut(Infinity);
  world.timeline.after(downMs, () => void boot(world));
}

/** A panic takes effect once the arena has finished what it was doing. */
const PANIC_MS = 1;

async function lifeDeps(world: World, isAlive: () => boolean, clock: Clock): Promise<LifeDeps> {
  const { plant, timeline, dice } = world;
  const own = dice.branch(`life at ${timeline.now()}`);
  const store = faultyStore(world.store, {
    timeline,
    weather: world.weather,
    dice: own.branch("store"),
    isAlive,
    stored: (match) => notice(world, { type: "stored", match }),
    confirmed: (match) => notice(world, { type: "confirmed", matchId: match.id }),
    opened: (seasons) => notice(world, { type: "opened", seasons: seasons.map(({ id }) => id) }),
    archived: (season, places) => notice(world, { type: "archived", season, places }),
    noted: (places) => notice(world, { type: "noted", places }),
    wished: (request) => notice(world, { type: "wished", request }),
    unwished: (requestId, isCancelled) => {
      notice(world, { type: "unwished", requestId, isCancelled });
    },
    finished: (ladderId, at, places) => {
      notice(world, { type: "ladder_finished", ladderId, at, places });
    },
  });
  const kept = { ladders: await store.ladders.list(), members: await store.members.active() };
  const events = openEvents(await store.events.list());
  notice(world, { type: "recalled", ...kept, events: events.all() });
  const ladders = openLadders(clock, kept);
  const instant = () => timeline.wall().toISOString();
  const newId = () => drawId(own, timeline.wall().getTime());
  const logs = {
    debug: () => {},
    info: () => {},
    warn: (fields: object, text: string) => log(world, "warn", text, fields),
    error: (fields: object, text: string) => log(world, "error", text, fields),
  };
  const given = plant.store?.(store) ?? store;
  const after = (ms: number, call: () => void) => clock.after(ms, call);
  const awarding = { store: given, events, hasMail: false, newId, instant, after, log: logs };
  const awards = openAwards(awarding);
  return {
    store: given,
    events,
    awards,
    matchmaker: watchedMatchmaker(
      world,
      plant.matchmaker?.(localMatchmaker()) ?? localMatchmaker(),
    ),
    fights: fightsOf(world),
    recorder: { ...RECORDER, file: (matchId, record) => file(world, matchId, record) },
    log: logs,
    settings: openSettings({ ...world.limits, ...plant.limits }),
    ladders: plant.ladders?.(ladders) ?? ladders,
    ...servingRules(events, instant),
    stored: (game) => awards.stored(game),
    newId,
    newSeed: () => drawSeed(own),
    panic: () =>
      void timeline.after(PANIC_MS, () => {
        if (isAlive()) kill(world, RESTART_MS);
      }),
  };
}

function log(world: World, level: "warn" | "error", text: string, fields: object): void {
  const { error } = fields as { error?: unknown };
  const detail = error instanceof Error ? (error.stack ?? error.message) : "";
  notice(world, { type: "logged", level, text, detail });
}

function watchedMatchmaker(world: World, matchmaker: Matchmaker): Matchmaker {
  return {
    ...matchmaker,
    rate: async (game) => {
      const change = await matchmaker.rate(game);
      notice(world, { type: "rated", game, change });
      return change;
    },
    unrate: async (game) => {
      await matchmaker.unrate(game);
      notice(world, { type: "taken_back", game });
    },
    pair: async (requests) => {
      const paired = await matchmaker.pair(requests);
      for (const request of requests) {
        const here = paired.filter(({ ladderId }) => ladderId === request.ladderId);
        notice(world, { type: "wave", request, paired: here });
      }
      return paired;
    },
  };
}

function fightsOf(world: World): Fights {
  const onEngine = engineFights();
  const dice = world.dice.branch("fights");
  return (setup) => {
    noticeStart(world, setup);
    if (dice.draw() * world.options.fought >= 1) return drawnFight(world, setup);
    world.fought.add(setup.matchId);
    return onEngine(setup);
  };
}

function noticeStart(world: World, { matchId, ladderId, mode, fighters }: MatchSetup): void {
  const botIds = fighters.map((fighter) => fighter.bot_id);
  if (mode === "practice") notice(world, { type: "practised", matchId, botId: botIds[0]! });
  else notice(world, { type: "started", matchId, ladderId, botIds });
}

function drawnFight(world: World, setup: MatchSetup): MatchFight {
  const { matchId, fighters } = setup;
  const [first, second] = fighters.map(({ name, version }) =>
    world.strengths.get(versionKey(name, version)),
  );
  if (first === undefined || second === undefined) throw new Error("a version without strength");
  return drawFight(setup, trueShare(first, second, setup.grid.name), {
    decided: (winner) => notice(world, { type: "decided", matchId, winner }),
    failed: (seat, reason) => {
      const { name, bot_id: botId } = fighters[seat]!;
      if (world.agents.get(name)?.isBlameless(matchId) !== true) return;
      notice(world, { type: "wronged", matchId, botId, reason });
    },
  });
}

/** The first that is heard of a match that is over, at the moment in which it is decided on. */
async function file(world: World, matchId: MatchId, record: unknown): Promise<string | null> {
  notice(world, { type: "ended", matchId });
  if (record === DRAWN) return null;
  const { stats } = writeUp(record as FightRecord);
  return stats === null ? null : JSON.stringify(stats);
}

/** Nobody reads a replay here, and a drawn fight has nothing to write up. */
const RECORDER: Omit<Recorder, "file"> = {
  remove: async () => {},
  close: async () => {},
};
