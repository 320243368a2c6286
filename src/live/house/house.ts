// The house bots of this server. Each is registered once and has a crew for all its sessions, which
// have the same interface as a socket, so that a match cannot tell the difference.

import type { Clock } from "#base/clock/clock.ts";
import { newId } from "#base/clock/clock.ts";
import { pause } from "#base/clock/pause.ts";
import type { Ladders } from "#core/ladder/ladders.ts";
import { HOUSE_BOTS, HOUSE_OWNER } from "#core/words/house.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import { hashToken, newSecret } from "#data/access/token.ts";
import { newBot } from "#data/store/bot.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Store } from "#data/store/store.ts";
import type { VersionRecord } from "#data/store/version.ts";
import type { Arena } from "#live/arena/arena.ts";
import type { Log } from "#live/arena/deps.ts";
import type { HousePlace } from "#live/arena/house-arrival.ts";
import type { Health } from "#live/health/health.ts";
import type { LentSession } from "#live/play/rival.ts";

import type { CrewWord } from "./house-crew.ts";
import { CrewLine } from "./house-line.ts";
import type { Crew } from "./house-line.ts";

/** Changes when the play of the house bots changes. */
export const HOUSE_VERSION = "v1";
/** Delay after a crew has died, a session was closed or a bot was refused. */
const RETRY_MS = 1000;
/** Time for the first answer of a crew that starts, or that takes on another session. */
const FIRST_ANSWER_MS = 30_000;

/** Makes sure that the named house bots and their version are in the store. */
export async function registerHouseBots(
  store: Store,
  clock: Clock,
  shortNames: readonly string[],
): Promise<BotRecord[]> {
  const bots: BotRecord[] = [];
  for (const { short, name } of HOUSE_BOTS)
    if (shortNames.includes(short)) bots.push(await registerHouseBot(store, clock, name));
  return bots;
}

async function registerHouseBot(store: Store, clock: Clock, name: string): Promise<BotRecord> {
  const created = clock.wall().toISOString();
  const facts = { name, owner: HOUSE_OWNER, house: true, accountId: null };
  const fresh = newBot({ id: newId(), created, ...facts });
  // Nobody knows this token: a house bot can only come in through its crew.
  const unused = hashToken(newSecret("bot"));
  const bot = (await store.bots.byName(name)) ?? fresh;
  if (bot === fresh) await store.bots.add(fresh, unused, null);
  const version: VersionRecord = {
    id: newId(),
    botId: bot.id,
    label: HOUSE_VERSION,
    notes: "",
    created,
    retired: false,
  };
  await store.versions.add(version, null);
  return bot;
}

export type HouseDeps = {
  arena: Pick<Arena, "welcome" | "online">;
  clock: Clock;
  ladders: Pick<Ladders, "all" | "admits">;
  log: Log;
  health: Pick<Health, "house">;
  /** Starts the crew of the house bot with this name. */
  hire(name: string, hear: (word: CrewWord) => void): Crew;
};

export type House = {
  /** Null for a bot whose crew is not there yet. */
  lend(botId: BotId): LentSession | null;
  stop(): Promise<void>;
};

/** Keeps a crew for each bot, and a session of it on each enabled and open ladder that lists it. */
export function openHouse(deps: HouseDeps, bots: readonly BotRecord[]): House {
  const ending = new AbortController();
  const lines = new Map<BotId, CrewLine>();
  const kept = bots.map((bot) => keep({ ...deps, lines, signal: ending.signal }, bot));
  return {
    lend: (botId) => {
      const line = lines.get(botId);
      return line?.isReady === true ? lentBy(line) : null;
    },
    stop: async () => {
      ending.abort();
      await Promise.all(kept);
    },
  };
}

function lentBy(line: CrewLine): LentSession {
  const connection = line.open(null);
  return {
    connection,
    flowTo: (listener) => {
      connection.flowTo(listener);
      void connection.lost.then(() => listener.closed());
    },
  };
}

type Keeping = HouseDeps & {
  /** Those of the present crews. */
  lines: Map<BotId, CrewLine>;
  /** Aborted when the house closes. */
  signal: AbortSignal;
};

/** Hires a new crew whenever the bot's crew is gone. */
async function keep(keeping: Keeping, bot: BotRecord): Promise<void> {
  const { signal } = keeping;
  while (!signal.aborted) {
    const line = new CrewLine((hear) => keeping.hire(bot.name, hear));
    keeping.lines.set(bot.id, line);
    const leave = () => line.end("the house closes");
    signal.addEventListener("abort", leave, { once: true });
    const attending = attend(keeping, line, bot);
    const reason = await line.ended;
    signal.removeEventListener("abort", leave);
    if (!signal.aborted) noteRestart(keeping, bot, reason);
    await attending;
  }
}

function noteRestart({ arena, health, log }: Keeping, { id, name }: BotRecord, reason: string) {
  const own = arena.online().filter(({ botId }) => botId === id);
  const matchIds = own.map(({ matchId }) => matchId).filter((matchId) => matchId !== null);
  health.house("restarts");
  log.warn({ bot: name, matchIds, reason }, "a house bot starts again");
}

/** While the crew lives: whatever ends a session, another is tried where it plays. */
async function attend(keeping: Keeping, line: CrewLine, bot: BotRecord): Promise<void> {
  const { clock, signal, ladders } = keeping;
  const visits = new Map<LadderId, Promise<void>>();
  while (!line.isOver && !signal.aborted) {
    for (const { id: ladderId } of ladders.all()) {
      if (visits.has(ladderId) || ladders.admits(bot, ladderId) !== null) continue;
      const place = { botId: bot.id, ladderId, slot: 0 };
      visits.set(
        ladderId,
        visit(keeping, line, place).finally(() => visits.delete(ladderId)),
      );
    }
    await pause(clock, signal, RETRY_MS);
  }
  await Promise.all(visits.values());
}

/** One session, from the crew's first answer to its end. */
async function visit({ arena, clock, log }: Keeping, line: CrewLine, place: HousePlace) {
  const connection = line.open(place.ladderId);
  const cancel = clock.after(FIRST_ANSWER_MS, () => connection.terminate());
  connection.ping();
  const isThere = await connection.answers;
  cancel();
  if (!isThere) return;
  try {
    const listener = await arena.welcome(place, connection);
    if (listener === null) return;
    connection.flowTo(listener);
    await connection.lost;
    listener.closed();
  } catch (error) {
    log.warn({ ...place, error }, "a house bot could not be let in");
    connection.close();
  }
}
