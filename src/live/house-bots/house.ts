// Runs this server's house bots. Each bot is registered once and has a single worker for all its
// sessions. To a match, a session looks like a socket.

import { abortableDelay } from "#base/clock/abortable-delay.ts";
import type { Clock } from "#base/clock/clock.ts";
import { newId } from "#base/clock/clock.ts";
import { HOUSE_BOTS, HOUSE_OWNER } from "#core/ids/house-bots.ts";
import type { BotId, LadderId } from "#core/ids/ids.ts";
import type { LiveLadders } from "#core/ladder/live-ladders.ts";
import { hashToken, newSecret } from "#data/credentials/token.ts";
import { newBot } from "#data/store/bot.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Store } from "#data/store/store.ts";
import type { VersionRecord } from "#data/store/version.ts";
import type { Log } from "#live/arena/arena-deps.ts";
import type { Arena } from "#live/arena/arena.ts";
import type { HouseSessionId } from "#live/arena/house-connections.ts";
import type { Health } from "#live/health/health.ts";
import type { AcquiredSession } from "#live/human-match/house-opponent.ts";

import type { HouseMessage } from "./house-sessions.ts";
import { HouseWorkerClient } from "./house-worker-client.ts";
import type { HouseWorker } from "./house-worker-client.ts";

/** Increment when the house bots play differently. */
export const HOUSE_VERSION = "v1";
/** Interval between attempts to reopen sessions. */
const RETRY_MS = 1000;
/** How long a new worker or session may take to answer the first ping. */
const FIRST_ANSWER_MS = 30_000;

/**
 * Adds the named house bots and their current version to the store if missing. Returns the bots.
 */
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
  const botFields = { name, owner: HOUSE_OWNER, house: true, accountId: null };
  const newRecord = newBot({ id: newId(), created, ...botFields });
  // Not known to any client: house bots connect only through their worker.
  const unusedTokenHash = hashToken(newSecret("bot"));
  const bot = (await store.bots.byName(name)) ?? newRecord;
  if (bot === newRecord) await store.bots.add(newRecord, unusedTokenHash, null);
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
  arena: Pick<Arena, "connectHouseBot" | "onlineBots">;
  clock: Clock;
  ladders: Pick<LiveLadders, "list" | "queueRefusal">;
  log: Log;
  health: Pick<Health, "countHouseFault">;
  spawnWorker(name: string, onMessage: (message: HouseMessage) => void): HouseWorker;
};

export type House = {
  /** Returns a session for one match, or null if the bot's worker isn't ready. */
  acquireSession(botId: BotId): AcquiredSession | null;
  stop(): Promise<void>;
};

/** Runs a worker for each bot, and a session on each enabled, open ladder that lists it. */
export function openHouse(deps: HouseDeps, bots: readonly BotRecord[]): House {
  const shutdown = new AbortController();
  const clients = new Map<BotId, HouseWorkerClient>();
  const supervisors = bots.map((bot) =>
    superviseBot({ ...deps, clients, signal: shutdown.signal }, bot),
  );
  return {
    acquireSession: (botId) => {
      const client = clients.get(botId);
      return client?.isReady === true ? acquireFrom(client) : null;
    },
    stop: async () => {
      shutdown.abort();
      await Promise.all(supervisors);
    },
  };
}

function acquireFrom(client: HouseWorkerClient): AcquiredSession {
  const connection = client.openSession(null);
  return {
    connection,
    attachListener: (listener) => {
      connection.attachListener(listener);
      void connection.closed.then(() => listener.onClose());
    },
  };
}

type SupervisorContext = HouseDeps & {
  clients: Map<BotId, HouseWorkerClient>;
  signal: AbortSignal;
};

async function superviseBot(context: SupervisorContext, bot: BotRecord): Promise<void> {
  const { signal } = context;
  while (!signal.aborted) {
    const client = new HouseWorkerClient((onMessage) => context.spawnWorker(bot.name, onMessage));
    context.clients.set(bot.id, client);
    const stopClient = () => client.stop("house closed");
    signal.addEventListener("abort", stopClient, { once: true });
    const sessionsDone = superviseSessions(context, client, bot);
    const reason = await client.exit;
    signal.removeEventListener("abort", stopClient);
    if (!signal.aborted) reportRestart(context, bot, reason);
    await sessionsDone;
  }
}

function reportRestart(
  { arena, health, log }: SupervisorContext,
  { id, name }: BotRecord,
  reason: string,
) {
  const onlineSessions = arena.onlineBots().filter(({ botId }) => botId === id);
  const matchIds = onlineSessions
    .map(({ matchId }) => matchId)
    .filter((matchId) => matchId !== null);
  health.countHouseFault("restarts");
  log.warn({ bot: name, matchIds, reason }, "restarting house bot");
}

async function superviseSessions(
  context: SupervisorContext,
  client: HouseWorkerClient,
  bot: BotRecord,
): Promise<void> {
  const { clock, signal, ladders } = context;
  const runningSessions = new Map<LadderId, Promise<void>>();
  while (!client.hasExited && !signal.aborted) {
    for (const { id: ladderId } of ladders.list()) {
      if (runningSessions.has(ladderId) || ladders.queueRefusal(bot, ladderId) !== null) continue;
      const houseSessionId = { botId: bot.id, ladderId, slot: 0 };
      runningSessions.set(
        ladderId,
        runSession(context, client, houseSessionId).finally(() => runningSessions.delete(ladderId)),
      );
    }
    await abortableDelay(clock, signal, RETRY_MS);
  }
  await Promise.all(runningSessions.values());
}

async function runSession(
  { arena, clock, log }: SupervisorContext,
  client: HouseWorkerClient,
  houseSessionId: HouseSessionId,
) {
  const connection = client.openSession(houseSessionId.ladderId);
  const cancel = clock.after(FIRST_ANSWER_MS, () => connection.terminate());
  connection.ping();
  const hasAnswered = await connection.firstPong;
  cancel();
  if (!hasAnswered) return;
  try {
    const listener = await arena.connectHouseBot(houseSessionId, connection);
    if (listener === null) return;
    connection.attachListener(listener);
    await connection.closed;
    listener.onClose();
  } catch (error) {
    log.warn({ ...houseSessionId, error }, "could not connect house bot");
    connection.close();
  }
}
