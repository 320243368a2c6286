// The arena with nothing of the world in it: fake clock, store in memory, connections in memory.

import assert from "node:assert/strict";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { gunzipSync } from "node:zlib";

import { localArchive } from "#archive/archive.ts";
import { openArena } from "#arena/arena.ts";
import type { Arena } from "#arena/arena.ts";
import type { Connection, Listener } from "#arena/connection.ts";
import type { ArenaDeps } from "#arena/deps.ts";
import { engineFights } from "#arena/engine-fight.ts";
import { openHealth } from "#arena/health.ts";
import type { Health } from "#arena/health.ts";
import { memoryStore } from "#contract/memory-store.ts";
import { ENGINE_VERSION, RULES_VERSION } from "#engine/rules.ts";
import { localJudge } from "#judge/judge-client.ts";
import type { Judge } from "#judge/judge.ts";
import { PUBLIC_LADDER } from "#ladder/ladder.ts";
import { limitsWith } from "#protocol/limits.ts";
import type { Limits } from "#protocol/limits.ts";
import { parseReplay } from "#protocol/replay.ts";
import type { BotRecord, Store } from "#store/store.ts";
import { hashToken } from "#store/token.ts";

import { fakeClock } from "./fake-clock.ts";
import type { FakeClock } from "./fake-clock.ts";
import { checkServerMessage } from "./message-check.ts";
import type { Heard } from "./message-check.ts";

/** A bot's end of a connection in memory. */
export type FakeBot = {
  readonly heard: Heard[];
  /** How the server ended the connection: a close code with its reason, or "cut off". */
  ending(): string | null;
  pings(): number;
  /** Answers no pings. */
  silent: boolean;
  /** An object as JSON, a text as it is, null as a binary frame. */
  say(frame: object | string | null): void;
  /** The messages of one type heard so far. */
  told(type: string): Heard[];
  /** Bytes that the bot has not read. */
  unread: number;
  /** Plays every match: ready, and an empty turn on each observation. */
  plays: boolean;
  /** The link breaks. */
  leave(): void;
};

export type TestArena = {
  arena: Arena;
  store: Store;
  judge: Judge;
  clock: FakeClock;
  /** Gzip bytes by match id. */
  replays: Map<string, Uint8Array>;
  health: Health;
  /** One line for each warning and error. */
  log: string[];
  /** The fields of each of these lines. */
  fields: object[];
  panics: unknown[];
  addBot(name: string, facts?: Partial<BotRecord>): Promise<BotRecord>;
  /** Connects with the bot's token, or any other header; a house bot comes in without. */
  connect(name: string, authorization?: string | null): Promise<FakeBot>;
  /** Lets time pass in steps, and everything happen that follows. */
  pass(ms: number): Promise<void>;
  /** Passes time until it is so; fails when it never is. */
  until(isSo: () => boolean): Promise<void>;
};

type Changes = Partial<Omit<ArenaDeps, "limits">> & { limits?: Partial<Limits> };

const STEP_MS = 50;
const MOST_STEPS = 5000;

/** Opens an arena in anonymous mode; `changes` replaces dependencies and limits. */
export async function testArena(changes: Changes = {}): Promise<TestArena> {
  const { limits, ...others } = changes;
  const clock = fakeClock();
  const replays = new Map<string, Uint8Array>();
  const log: string[] = [];
  const fields: object[] = [];
  const note = (what: object, text: string) => {
    log.push(text);
    fields.push(what);
  };
  const panics: unknown[] = [];
  let ids = 0;
  const deps: ArenaDeps = {
    store: memoryStore(),
    judge: localJudge(),
    fights: engineFights(),
    archive: localArchive({ write: async (id, bytes) => void replays.set(id, bytes) }),
    clock,
    health: openHealth(clock),
    log: {
      info: () => {},
      warn: note,
      error: note,
    },
    versions: { engine: ENGINE_VERSION, protocol: "0.6", rules: RULES_VERSION, rules_hash: "" },
    newId: () => `01900000-0000-7000-8000-${String(++ids).padStart(12, "0")}`,
    newSeed: () => ++ids,
    anonymous: true,
    panic: (error) => void panics.push(error),
    ...others,
    limits: { ...limitsWith({}), ...limits },
  };
  const arena = await openArena(deps);

  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      clock.pass(Math.min(STEP_MS, ms - passed));
      await settle();
    }
  }

  return {
    arena,
    store: deps.store,
    judge: deps.judge,
    clock,
    replays,
    health: deps.health,
    log,
    fields,
    panics,
    addBot: (name, facts) => addBot(deps, name, facts),
    connect: async (name, authorization = `Bearer ${tokenOf(name)}`) => {
      const { bot, connection, listen } = fakeBot();
      const known = await deps.store.botByName(name);
      const listener =
        known?.house === true
          ? arena.welcome({ botId: known.id, ladderId: PUBLIC_LADDER, slot: 0 }, connection)
          : arena.arrive(connection, authorization ?? undefined);
      listen(await listener);
      return bot;
    },
    pass,
    until: async (isSo) => {
      for (let step = 0; !isSo(); step += 1) {
        assert.ok(step < MOST_STEPS, "it never is so");
        await pass(STEP_MS);
      }
    },
  };
}

/** Promises, and the thread pool's answers as far as they are there, come first. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await turnOfLoop();
}

export const tokenOf = (name: string): string => `token-of-${name}`;

async function addBot(
  { store, newId, clock }: ArenaDeps,
  name: string,
  facts: Partial<BotRecord> = {},
): Promise<BotRecord> {
  const bot: BotRecord = {
    id: newId(),
    name,
    owner: name,
    house: false,
    status: "active",
    created: clock.wall().toISOString(),
    avatar: null,
    ...facts,
  };
  await store.addBot(bot, hashToken(tokenOf(name)), null);
  return bot;
}

/** A connection in memory, its bot's end of it, and how to attach the arena's listener. */
export function fakeBot() {
  let ending: string | null = null;
  let pings = 0;
  let listener: Listener | null = null;
  const end = (how: string) => {
    ending ??= how;
  };
  const bot: FakeBot = {
    heard: [],
    ending: () => ending,
    pings: () => pings,
    silent: false,
    say: (frame) => {
      const text = typeof frame === "object" && frame !== null ? JSON.stringify(frame) : frame;
      // Also after the end: a frame may have been on its way.
      listener?.frame(text);
    },
    told: (type) => bot.heard.filter((message) => message.type === type),
    unread: 0,
    plays: false,
    leave: () => {
      end("left");
      listener?.closed();
    },
  };
  const connection: Connection = {
    send: (text) => {
      if (ending === null) hear(bot, JSON.parse(text) as Heard);
    },
    show: (text, written) => {
      if (ending !== null) return;
      hear(bot, JSON.parse(text) as Heard);
      written();
    },
    close: (code, reason) => end(`${code} ${reason}`),
    terminate: () => end("cut off"),
    ping: () => {
      pings += 1;
      if (!bot.silent) queueMicrotask(() => listener?.pong());
    },
    get buffered() {
      return bot.unread;
    },
  };
  return { bot, connection, listen: (to: Listener | null) => void (listener = to) };
}

function hear(bot: FakeBot, message: Heard): void {
  checkServerMessage(message);
  bot.heard.push(message);
  if (!bot.plays) return;
  // As on a real socket, the answer comes later.
  if (message.type === "hello") queueMicrotask(() => bot.say({ type: "ready" }));
  if (message.type === "observation")
    queueMicrotask(() => bot.say({ type: "turn", tick: message.tick }));
}

/** Two bots of two owners, both queued. */
export async function queuedPair(test: TestArena): Promise<[FakeBot, FakeBot]> {
  const bots: FakeBot[] = [];
  for (const name of ["alpha", "beta"]) {
    await test.addBot(name);
    const bot = await test.connect(name);
    bot.say({ type: "queue", version: "v1" });
    bots.push(bot);
  }
  await test.pass(STEP_MS);
  return [bots[0], bots[1]];
}

/** The same two in their match, which has just opened. */
export async function pairedBots(test: TestArena): Promise<[FakeBot, FakeBot]> {
  const bots = await queuedPair(test);
  await test.until(() => bots.every((bot) => bot.told("hello").length > 0));
  return bots;
}

/** The text of a stored replay, parsed. */
export function storedReplay({ replays }: TestArena, matchId: string) {
  const bytes = replays.get(matchId);
  assert.ok(bytes, "the replay is stored");
  const replay = parseReplay(gunzipSync(bytes).toString());
  if ("error" in replay) throw new Error(replay.error);
  return replay;
}
