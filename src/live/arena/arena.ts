// The living part as one value: built once, fed by sockets and workers, asked by the HTTP side.

import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import { displayName } from "#core/words/house.ts";
import { watchStalls } from "#live/health/stall.ts";
import type { BoardEntry } from "#live/matchmaker/matchmaker.ts";

import { openHall } from "./arena-state.ts";
import type { Hall } from "./arena-state.ts";
import { arrive, expel, pingAll } from "./arrivals.ts";
import type { Connection, Listener } from "./connection.ts";
import type { ArenaDeps } from "./deps.ts";
import { drainGames } from "./drain.ts";
import type { DrainOutcome } from "./drain.ts";
import { arriveFromHouse } from "./house-arrival.ts";
import type { HousePlace } from "./house-arrival.ts";
import { refuseQueue } from "./queueing.ts";
import { recallMeetings, recallStarts } from "./restore.ts";
import { archiveSeasons, boardOf, openSeasons, turnSeason } from "./season.ts";
import { visitOf } from "./session.ts";
import type { Game, Session } from "./session.ts";
import type { ArenaView, OnlineBot, RunningView } from "./view.ts";
import { runWave } from "./waves.ts";

const NO_ENTRIES: ReadonlyMap<string, BoardEntry> = new Map();

export type Arena = ArenaView & {
  /** A socket with its Authorization header; null when it was turned away. */
  arrive(connection: Connection, authorization: string | undefined): Promise<Listener | null>;
  /** A session of a house bot, which needs no token; null when the bot is not to play. */
  welcome(place: HousePlace, connection: Connection): Promise<Listener | null>;
  /** Starts no more matches, lets the running ones end, closes every connection. */
  drain(): Promise<DrainOutcome>;
  /** Stops every timer; running matches are abandoned. */
  stop(): void;
};

/** Opens the arena on what the store holds. */
export async function openArena(deps: ArenaDeps): Promise<Arena> {
  const { seasons, board } = await openSeasons(deps);
  const starts = await recallStarts(deps);
  const stalls = watchStalls(
    deps.clock,
    (at, lateness) => standAnew(hall, at, lateness),
    (lateness) => deps.health.beat(lateness),
  );
  const watched = { ...deps, clock: stalls.clock };
  const hall = openHall(watched, new Map([[PUBLIC_LADDER, board]]), seasons, starts);
  await recallMeetings(hall);
  await archiveSeasons(hall);
  const stopWaves = every(watched, "wave_every_s", () => runRound(hall));
  const stopPings = every(watched, "ping_interval_s", () => pingAll(hall));
  return {
    ...viewOf(hall),
    arrive: (connection, authorization) => arrive(hall, stalls, connection, authorization),
    welcome: (place, connection) => arriveFromHouse(hall, stalls, place, connection),
    drain: () => drainGames(hall),
    stop: () => {
      stopWaves();
      stopPings();
      stalls.stop();
      for (const open of [...hall.boards.values(), ...seasons.closing.values()]) open.close();
      for (const { running } of hall.games.values()) running.abandon();
    },
  };
}

/** The month turns before anybody is paired; what the last month left is written meanwhile. */
async function runRound(hall: Hall): Promise<void> {
  try {
    await turnSeason(hall);
  } catch (error) {
    // Nothing starts in a season that is not stored; the next round tries again.
    hall.deps.log.warn({ error }, "a season could not be opened yet");
    return;
  }
  archiveSeasons(hall).catch((error: unknown) => {
    hall.deps.log.warn({ error }, "a season could not be archived yet");
  });
  await runWave(hall);
}

/** Nobody pays for the time in which this process stood still. */
function standAnew({ deps, games, sessions }: Hall, at: number, lateness: number): void {
  deps.log.warn({ lateness_ms: lateness / 1000 }, "the process stood still");
  for (const { running } of games.values()) running.take({ type: "stalled", at, lateness });
  for (const session of sessions.values()) {
    const visit = visitOf(session);
    if (visit !== null) visit.pinged = false;
  }
}

/** Repeats a job; the next round is timed from the end of the last one, by the setting as it is then. */
function every(
  { clock, log, settings }: Pick<ArenaDeps, "clock" | "log" | "settings">,
  interval: "wave_every_s" | "ping_interval_s",
  job: () => Promise<void> | void,
): () => void {
  let isStopped = false;
  let cancel = () => {};
  const next = () => {
    const seconds = settings.current()[interval];
    if (!isStopped) cancel = clock.after(seconds * 1000, () => void round());
  };
  async function round(): Promise<void> {
    try {
      await job();
    } catch (error) {
      log.error({ error }, "a round failed");
    }
    next();
  }
  next();
  return () => {
    isStopped = true;
    cancel();
  };
}

function viewOf(hall: Hall): ArenaView {
  return {
    board: (ladderId, season) =>
      boardOf(hall, { ladderId, season: season ?? null })?.entries() ?? NO_ENTRIES,
    seasons: () => ({ live: hall.seasons.live, closing: [...hall.seasons.closing.keys()] }),
    online: () => [...hall.sessions.values()].flatMap(onlineOf),
    running: () => [...hall.games.values()].map(runningOf),
    capacity: () => ({
      running: hall.games.size,
      max: hall.deps.settings.current().max_concurrent,
    }),
    draining: () => hall.drainDeadline !== null,
    tokenRotated: (botId) => {
      hall.changes += 1;
      for (const session of sessionsOf(hall, botId)) expel(hall, session, "invalid_token");
    },
    botRemoved: (botId, why) => {
      hall.changes += 1;
      for (const session of sessionsOf(hall, botId)) {
        endMatch(session);
        expel(hall, session, why);
      }
    },
    versionRetired: (botId, label) => retireVersion(hall, botId, label),
  };
}

/** One at most, but of a house bot. */
function sessionsOf({ sessions }: Hall, botId: string): Session[] {
  return [...sessions.values()].filter(({ bot }) => bot.id === botId);
}

/** The opponent of a bot that is removed wins; of a house bot, which no owner is to blame for, not. */
function endMatch({ bot, activity }: Session): void {
  if (activity.state !== "playing") return;
  const { game, seat } = activity;
  if (bot.house) game.running.annul();
  else game.running.take({ type: "removed", seat });
}

function retireVersion(hall: Hall, botId: string, label: string): void {
  hall.changes += 1;
  for (const session of sessionsOf(hall, botId)) retireIn(session, label);
}

/** Of what its visit knows: the version it queued with last, and those found for its questions. */
function retireIn(session: Session, label: string): void {
  session.retirements += 1;
  const { activity } = session;
  const visit = visitOf(session);
  const outcomes = visit?.questions.map(({ outcome }) => outcome) ?? [];
  for (const known of [visit?.queued, ...outcomes])
    if (known && "version" in known && known.version.label === label) known.version.retired = true;
  if (activity.state === "waiting" && activity.entry.version.label === label)
    refuseQueue(session, "version_retired");
}

function onlineOf({ bot, activity }: Session): OnlineBot[] {
  if (activity.state === "ended") return [];
  const { state, visit } = activity;
  const playing = activity.state === "playing" ? activity : null;
  const version = playing?.game.versions[playing.seat] ?? visit?.queued?.version ?? null;
  return [
    {
      botId: bot.id,
      name: bot.name,
      house: bot.house,
      online: visit !== null,
      version: version?.label ?? null,
      versionId: version?.id ?? null,
      ladderId: playing?.game.ladderId ?? visit?.queued?.ladderId ?? null,
      state,
      matchId: playing?.game.id ?? null,
    },
  ];
}

function runningOf(game: Game): RunningView {
  return {
    id: game.id,
    ladderId: game.ladderId,
    map: game.map,
    tick: game.running.match.tick,
    started: game.started,
    botIds: game.sessions.map(({ bot }) => bot.id),
    names: game.sessions.map(({ bot }) => displayName(bot.name)),
  };
}
