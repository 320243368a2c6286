// The living part as one value: built once, fed by sockets and workers, asked by the HTTP side.

import type { BoardEntry } from "#judge/judge.ts";
import { displayName } from "#ladder/house.ts";
import { PUBLIC_LADDER } from "#ladder/ladder.ts";
import { printError } from "#protocol/print.ts";
import type { BotRecord } from "#store/store.ts";

import { arrive, expel, pingAll, welcome } from "./arrivals.ts";
import { openBoard } from "./board.ts";
import type { Connection, Listener } from "./connection.ts";
import type { ArenaDeps } from "./deps.ts";
import { drainGames } from "./drain.ts";
import type { DrainOutcome } from "./drain.ts";
import type { Game } from "./game.ts";
import { openHall } from "./hall.ts";
import type { Hall } from "./hall.ts";
import { leaveQueue } from "./queueing.ts";
import { noStarts, noteStart } from "./quota.ts";
import type { Starts } from "./quota.ts";
import { openSession, tell } from "./session.ts";
import type { Session } from "./session.ts";
import { watchStalls } from "./stall.ts";
import type { ArenaView, OnlineBot, RunningMatch } from "./view.ts";
import { runWave } from "./waves.ts";

const DAY_MS = 86_400_000;
const NO_ENTRIES: ReadonlyMap<string, BoardEntry> = new Map();

export type Arena = ArenaView & {
  /** A socket with its Authorization header; null when it was turned away. */
  arrive(connection: Connection, authorization: string | undefined): Promise<Listener | null>;
  /** A house bot, which needs no token. */
  welcome(bot: BotRecord, connection: Connection): Promise<Listener>;
  /** Starts no more matches, lets the running ones end, closes every connection. */
  drain(): Promise<DrainOutcome>;
  /** Stops every timer; running matches are abandoned. */
  stop(): void;
};

/** Opens the arena on what the store holds. */
export async function openArena(deps: ArenaDeps): Promise<Arena> {
  const board = openBoard(deps, PUBLIC_LADDER);
  const starts = noStarts();
  await recall(deps, starts);
  await board.refresh();
  const stalls = watchStalls(
    deps.clock,
    (at, lateness) => standAnew(hall, at, lateness),
    (lateness) => deps.health.time("event_loop", lateness),
  );
  const watched = { ...deps, clock: stalls.clock };
  const hall = openHall(watched, new Map([[PUBLIC_LADDER, board]]), starts);
  const stopWaves = every(watched, deps.limits.wave_every_s, () => runWave(hall));
  const stopPings = every(watched, deps.limits.ping_interval_s, () => pingAll(hall));
  return {
    ...viewOf(hall),
    arrive: (connection, authorization) => arrive(hall, stalls, connection, authorization),
    welcome: async (bot, connection) => {
      const versions = await deps.store.versionsOf(bot.id);
      const session = hall.sessions.get(bot.id) ?? openSession(bot, versions);
      return welcome(hall, stalls, session, connection);
    },
    drain: () => drainGames(hall),
    stop: () => {
      stopWaves();
      stopPings();
      stalls.stop();
      board.close();
      for (const { running } of hall.games.values()) running?.abandon();
    },
  };
}

/** Nobody pays for the time in which this process stood still. */
function standAnew({ deps, games, sessions }: Hall, at: number, lateness: number): void {
  deps.log.warn({ lateness_ms: lateness / 1000 }, "the process stood still");
  for (const { running } of games.values()) running?.take({ type: "stalled", at, lateness });
  for (const session of sessions.values()) session.pinged = false;
}

/** Brings back ratings, anchors and the starts that quotas count. */
async function recall({ store, judge, clock }: ArenaDeps, starts: Starts): Promise<void> {
  const bots = await store.bots();
  const anchors: string[] = [];
  for (const bot of bots.filter(isAnchor)) {
    const versions = await store.versionsOf(bot.id);
    const current = versions.findLast((version) => !version.retired);
    if (current !== undefined) anchors.push(current.id);
  }
  const [pairs, activity] = await Promise.all([
    store.pairCounts(PUBLIC_LADDER),
    store.activity(PUBLIC_LADDER),
  ]);
  await judge.load({ ladderId: PUBLIC_LADDER, pairs, activity, anchors });
  const owners = new Map(bots.map((bot) => [bot.id, bot.owner]));
  const since = new Date(clock.wall().getTime() - DAY_MS).toISOString();
  for (const { botId, started } of await store.startsSince(since))
    noteStart(starts, botId, owners.get(botId) ?? botId, Date.parse(started));
}

/** House bots hold the scale at 1500, but for the champion, which floats above it. */
const isAnchor = ({ house, name }: BotRecord): boolean => house && name !== "house-champion";

/** Repeats a job; the next round is timed from the end of the last one. */
function every(
  { clock, log }: Pick<ArenaDeps, "clock" | "log">,
  seconds: number,
  job: () => Promise<void> | void,
): () => void {
  let isStopped = false;
  let cancel = () => {};
  const next = () => {
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
    board: (ladderId) => hall.boards.get(ladderId)?.entries() ?? NO_ENTRIES,
    online: () => [...hall.sessions.values()].filter(isOnline).map(onlineOf),
    running: () => [...hall.games.values()].flatMap(runningOf),
    capacity: () => ({ running: hall.games.size, max: hall.deps.limits.max_concurrent }),
    draining: () => hall.drainDeadline !== null,
    tokenRotated: (botId) => {
      hall.changes += 1;
      const session = hall.sessions.get(botId);
      if (session !== undefined) expel(hall, session, "invalid_token");
    },
    botRemoved: (botId, why) => {
      hall.changes += 1;
      const session = hall.sessions.get(botId);
      if (session === undefined) return;
      const { activity } = session;
      if (activity.state === "playing")
        activity.game.running?.take({ type: "removed", seat: activity.seat });
      expel(hall, session, why);
    },
    versionRetired: (botId, label) => retireVersion(hall, botId, label),
  };
}

function retireVersion(hall: Hall, botId: string, label: string): void {
  hall.changes += 1;
  const session = hall.sessions.get(botId);
  const version = session?.versions.get(label);
  if (session === undefined || version === undefined) return;
  version.retired = true;
  const { activity } = session;
  if (activity.state !== "waiting" || activity.entry.version.label !== label) return;
  leaveQueue(session);
  tell(session, printError("version_retired"));
}

const isOnline = ({ connection, activity }: Session): boolean =>
  connection !== null || activity.state === "playing";

function onlineOf({ bot, activity, queued }: Session): OnlineBot {
  const playing = activity.state === "playing" ? activity : null;
  const version = playing?.game.versions[playing.seat] ?? queued?.version ?? null;
  return {
    botId: bot.id,
    name: bot.name,
    house: bot.house,
    version: version?.label ?? null,
    versionId: version?.id ?? null,
    ladderId: playing?.game.ladderId ?? queued?.ladderId ?? null,
    state: activity.state,
    matchId: playing?.game.id ?? null,
  };
}

function runningOf(game: Game): RunningMatch[] {
  if (game.running === null) return [];
  return [
    {
      id: game.id,
      ladderId: game.ladderId,
      map: game.map,
      tick: game.running.match.tick,
      started: game.started,
      botIds: game.sessions.map(({ bot }) => bot.id),
      names: game.sessions.map(({ bot }) => displayName(bot.name)),
    },
  ];
}
