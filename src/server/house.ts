// The house bots of this server: registered once, each on a worker thread, behind the same face as
// a socket, so that a match does not know the difference.

import { Worker } from "node:worker_threads";

import type { Arena } from "#arena/arena.ts";
import type { Connection, Listener } from "#arena/connection.ts";
import type { Clock, Log } from "#arena/deps.ts";
import { HOUSE_BOTS, HOUSE_OWNER } from "#ladder/house.ts";
import type { BotRecord, Store, VersionRecord } from "#store/store.ts";
import { hashToken, newBotToken } from "#store/token.ts";

import { newId } from "./clock.ts";

/** Moves on when the play of the house bots changes. */
const HOUSE_VERSION = "v1";
const WORKER = new URL("../bots/house-worker.ts", import.meta.url);
const RESTART_MS = 1000;

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
  const fresh: BotRecord = {
    id: newId(),
    name,
    owner: HOUSE_OWNER,
    house: true,
    status: "active",
    created,
    avatar: null,
  };
  // Nobody knows this token: a house bot has no other way in than its worker.
  const unused = hashToken(newBotToken());
  const bot = (await store.botByName(name)) ?? fresh;
  if (bot === fresh) await store.addBot(fresh, unused, null);
  const version: VersionRecord = {
    id: newId(),
    botId: bot.id,
    label: HOUSE_VERSION,
    notes: "",
    created,
    retired: false,
  };
  await store.addVersion(version, null);
  return bot;
}

export type House = { stop(): Promise<void> };

/** Starts a worker for each bot and starts it again should it die. */
export function openHouse(
  arena: Arena,
  clock: Clock,
  log: Log,
  bots: readonly BotRecord[],
  paceMs: number,
): House {
  let isStopped = false;
  const workers = new Map<string, Worker>();

  async function start(bot: BotRecord): Promise<void> {
    if (isStopped) return;
    const kind = HOUSE_BOTS.find(({ name }) => name === bot.name)?.short;
    const worker = new Worker(WORKER, { workerData: { kind, label: HOUSE_VERSION, paceMs } });
    workers.set(bot.name, worker);
    worker.on("error", (error) => log.error({ bot: bot.name, error }, "a house bot died"));
    const hasExited = new Promise<void>((resolve) => worker.on("exit", () => resolve()));
    try {
      const frames = backlog(worker);
      const listener = await arena.welcome(bot, connectionOf(worker));
      frames.flowTo(listener);
      await hasExited;
      listener.closed();
    } catch (error) {
      log.error({ bot: bot.name, error }, "a house bot could not be let in");
      await worker.terminate();
    }
    clock.after(RESTART_MS, () => void start(bot));
  }

  for (const bot of bots) void start(bot);
  return {
    stop: async () => {
      isStopped = true;
      await Promise.all([...workers.values()].map((worker) => worker.terminate()));
    },
  };
}

/** Keeps what a worker says until somebody listens. */
function backlog(worker: Worker) {
  const early: string[] = [];
  let listener: Listener | null = null;
  worker.on("message", (text: string) => {
    if (listener === null) early.push(text);
    else listener.frame(text);
  });
  return {
    flowTo: (to: Listener) => {
      listener = to;
      for (const text of early.splice(0)) to.frame(text);
    },
  };
}

function connectionOf(worker: Worker): Connection {
  let isDead = false;
  const end = () => {
    isDead = true;
    void worker.terminate();
  };
  const send = (text: string) => {
    if (!isDead) worker.postMessage(text);
  };
  return {
    send,
    show: (text, written) => {
      send(text);
      written();
    },
    close: end,
    terminate: end,
    // A worker that is alive answers everything; its death is seen as an exit.
    ping: () => {},
    buffered: 0,
  };
}
