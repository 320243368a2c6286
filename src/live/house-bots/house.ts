// Runs this server's house bots. Each is registered once and has one worker for all its sessions,
// which look like sockets to a match.

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

/** Bump when the play of the house bots changes. */
export const HOUSE_VERSION = "v1";
/** Delay after a worker exited, a session closed or a bot was refused. */
const RETRY_MS = 1000;
/** Time limit for the first answer of a new worker or session. */
const FIRST_ANSWER_MS = 30_000;

/** Ensures that the named house bots and their version are in the store. */
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
  // No client knows this token: a house bot connects only through its worker.
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
  /** Spawns the worker of the house bot with this name. */
  spawnWorker(name: string, onMessage: (message: HouseMessage) => void): HouseWorker;
};

export type House = {
  /** Null if the bot's worker hasn't started yet. */
  acquireSession(botId: BotId): AcquiredSession | null;
  stop(): Promise<void>;
};

/** Keeps a worker for each bot, and a session on each enabled and open ladder that lists it. */
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
  /** Those of the current workers. */
  clients: Map<BotId, HouseWorkerClient>;
  /** Aborted when the house closes. */
  signal: AbortSignal;
};

/** Spawns a new worker whenever the bot's worker is gone. */
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

/** Reopens a session on its ladder whenever one ends, while the worker lives. */
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

/** Runs one session, from the worker's first answer to its end. */
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
