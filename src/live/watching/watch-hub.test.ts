import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { Compile } from "typebox/compile";

import { WATCH_MESSAGES } from "#core/api/socket-schemas.ts";
import type { LadderId, MatchId } from "#core/ids/ids.ts";
import { startTwoBotMatch, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";

import type { WatchConnection } from "./watch-hub.ts";

type WatchMessage = { type: string } & Record<string, unknown>;
type Frame = { tick: number; fighters: { hp: number }[]; events: { type: string }[] };

/** Decodes an unmasked text frame. */
function decode(frame: Buffer): WatchMessage {
  assert.equal(frame[0], 0x81);
  const short = frame[1]!;
  const start = short < 126 ? 2 : short === 126 ? 4 : 10;
  const length =
    short < 126 ? short : short === 126 ? frame.readUInt16BE(2) : frame.readUInt32BE(6);
  assert.equal(frame.length, start + length);
  return JSON.parse(frame.subarray(start).toString("utf8")) as WatchMessage;
}

const checks = new Map(
  Object.entries(WATCH_MESSAGES).map(([type, schema]) => [type, Compile(schema)] as const),
);

function fakeWatcher() {
  const messages: WatchMessage[] = [];
  const bytes: Buffer[] = [];
  const state = { closed: null as string | null, unreadBytes: 0 };
  const connection: WatchConnection = {
    sendEncoded: (frame) => {
      bytes.push(frame);
      const message = decode(frame);
      if (message.type !== "error") assert.ok(checks.get(message.type)!.Check(message));
      messages.push(message);
    },
    close: (code, reason) => (state.closed ??= `${code} ${reason}`),
    terminate: () => (state.closed ??= "cut off"),
    get bufferedBytes() {
      return state.unreadBytes;
    },
  };
  const framesReceived = () =>
    messages.flatMap(({ type, frames }) => (type === "frames" ? (frames as Frame[]) : []));
  return { connection, messages, bytes, state, framesReceived };
}

const watchMatch = (world: TestArena, address: string | null = null) => {
  const watcher = fakeWatcher();
  const [match] = world.arena.runningMatches();
  const target = { matchId: (match?.id ?? "none") as MatchId };
  const listener = world.arena.watch(watcher.connection, target, address);
  return { ...watcher, listener };
};

/** Both bots play an empty turn whenever they have an unanswered observation. */
function playTick(bots: readonly FakeBot[]): void {
  for (const bot of bots) {
    const tick = bot.receivedOfType("observation").at(-1)?.tick;
    if (tick !== undefined) bot.send({ type: "turn", tick });
  }
}

async function readyMatch(world: TestArena): Promise<FakeBot[]> {
  const bots = await startTwoBotMatch(world);
  for (const bot of bots) bot.send({ type: "ready" });
  await world.advanceTime(50);
  return bots;
}

/** Plays one tick each 200 ms until the match ends, or `count` ticks. */
async function playTicks(world: TestArena, bots: readonly FakeBot[], count = Infinity) {
  const isOver = () => bots.every((bot) => bot.receivedOfType("end").length > 0);
  for (let played = 0; played < count && !isOver(); played += 1) {
    playTick(bots);
    await world.advanceTime(200);
  }
}

describe("a watched match", () => {
  it("starts with the map and the fighters, then sends frames in order", async () => {
    const world = await testArena();
    const bots = await readyMatch(world);
    const { messages, framesReceived } = watchMatch(world);
    await playTicks(world, bots, 30);
    const [first] = messages;
    assert.equal(first!.type, "watching");
    assert.equal((first!.fighters as object[]).length, 2);
    assert.deepEqual([first!.delay_ticks, first!.delay_ms], [10, 2000]);
    const ticks = framesReceived().map(({ tick }) => tick);
    assert.ok(ticks.length > 5);
    assert.deepEqual(
      ticks,
      ticks.map((_, index) => ticks[0]! + index),
    );
  });

  it("sends no frame that is younger than 10 ticks or 2 seconds", async () => {
    const world = await testArena();
    const bots = await readyMatch(world);
    const { framesReceived } = watchMatch(world);
    const playedAt = new Map<number, number>();
    for (let played = 0; played < 40; played += 1) {
      playTick(bots);
      const { tick } = world.arena.runningMatches()[0]!;
      playedAt.set(tick, world.clock.now());
      await world.advanceTime(played < 20 ? 50 : 400);
      const newest = framesReceived().at(-1)?.tick;
      if (newest === undefined) continue;
      assert.ok(newest <= tick - 10, `frame ${newest} at tick ${tick}`);
      assert.ok(world.clock.now() - playedAt.get(newest)! >= 2_000_000);
    }
    assert.ok(framesReceived().length > 10);
  });

  it("sends the result only after the last frame and after it is stored", async () => {
    const world = await testArena();
    const bots = await readyMatch(world);
    const { messages, framesReceived, state } = watchMatch(world);
    await playTicks(world, bots);
    assert.ok(!messages.some(({ type }) => type === "stored"));
    await world.advanceTime(2500);
    assert.deepEqual(
      messages.slice(-2).map(({ type }) => type),
      ["over", "stored"],
    );
    const { winner, reason, voided, match_id } = messages.at(-1)!;
    const end = bots[0]!.receivedOfType("end")[0]!;
    assert.deepEqual([winner, reason, voided], [end.winner, end.reason, false]);
    assert.equal(framesReceived().at(-1)!.tick, (end.stats as { ticks: number }).ticks);
    assert.ok(world.replays.has(match_id as string));
    assert.equal(state.closed, "1000 the match is over");
  });

  it("gives a late watcher the current frame immediately", async () => {
    const world = await testArena();
    const bots = await readyMatch(world);
    const early = watchMatch(world);
    await playTicks(world, bots, 30);
    const late = watchMatch(world);
    assert.deepEqual(
      late.messages.map(({ type }) => type),
      ["watching", "frames"],
    );
    assert.equal(late.framesReceived()[0]!.tick, early.framesReceived().at(-1)!.tick);
  });

  it("encodes each message once for all watchers", async () => {
    const world = await testArena();
    const bots = await readyMatch(world);
    const watchers = [watchMatch(world), watchMatch(world)];
    await playTicks(world, bots, 30);
    const [first, second] = watchers.map(({ bytes }) => bytes.slice(1));
    assert.ok(first!.length > 3);
    for (const [index, frame] of first!.entries()) assert.equal(frame, second![index]);
  });

  it("reports a void match as void", async () => {
    const world = await testArena();
    await startTwoBotMatch(world);
    const { messages } = watchMatch(world);
    await world.advanceTime(20_000);
    assert.deepEqual([messages.at(-1)!.type, messages.at(-1)!.voided], ["stored", true]);
  });

  it("captures nothing once the last watcher has left", async () => {
    const world = await testArena();
    const bots = await readyMatch(world);
    const { listener, messages } = watchMatch(world);
    await playTicks(world, bots, 20);
    listener!.onClose();
    const count = messages.length;
    await playTicks(world, bots, 10);
    assert.equal(messages.length, count);
    const again = watchMatch(world);
    assert.deepEqual(
      again.messages.map(({ type }) => type),
      ["watching"],
    );
  });
});

/** All fields of frames, areas, pickups and events, and of the other messages. */
const PUBLIC_FIELDS: ReadonlySet<string> = new Set(
  `type match_id ladder_id mode map name rows fighters version delay_ticks delay_ms frames winner
  reason voided tick id x y hp alive stun power cooldowns areas pickups radius events by target
  damage in left kind text direction tiles slam ricochet healed dash strike bolt hook repulse blast
  scorch shout`.split(/\s+/),
);

/** Cycles through all actions, so that every kind of event occurs. */
function playActions(bots: readonly FakeBot[], random: () => number): void {
  for (const bot of bots) {
    const observation = bot.receivedOfType("observation").at(-1);
    if (observation === undefined) continue;
    const moves = observation.moves as string[];
    const [enemy] = observation.fighters as { x?: number; y?: number }[];
    const names = ["strike", "bolt", "hook", "repulse", "blast", "scorch"];
    const name = names[Math.floor(random() * names.length)]!;
    const target = enemy?.x === undefined ? "n" : [enemy.x, enemy.y];
    bot.send({
      type: "turn",
      tick: observation.tick,
      move: moves[Math.floor(random() * moves.length)],
      attack: { name, target },
      ...(random() < 0.1 && { shout: "hello" }),
    });
  }
}

function fieldsIn(value: unknown, fields = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return fields;
  for (const [key, item] of Object.entries(value)) {
    if (!Array.isArray(value)) fields.add(key);
    fieldsIn(item, fields);
  }
  return fields;
}

it("T104 watchers of 50 matches get no seed, hash, budget or response time", async () => {
  const fields = new Set<string>();
  const eventTypes = new Set<string>();
  let state = 1;
  const random = () => (state = (state * 48_271) % 0x7f_ff_ff_ff) / 0x7f_ff_ff_ff;
  for (let played = 0; played < 50; played += 1) {
    const seed = 3_000_000_001 + played;
    const world = await testArena({ newSeed: () => seed });
    const bots = await readyMatch(world);
    const { messages, framesReceived, bytes } = watchMatch(world);
    const isOver = () => bots.some((bot) => bot.receivedOfType("end").length > 0);
    while (!isOver()) {
      playActions(bots, random);
      await world.advanceTime(50);
    }
    await world.advanceTime(2500);
    assert.equal(messages.at(-1)!.type, "stored");
    for (const message of messages) fieldsIn(message, fields);
    for (const { events } of framesReceived()) for (const { type } of events) eventTypes.add(type);
    assert.ok(!Buffer.concat(bytes).toString("latin1").includes(String(seed)));
  }
  assert.deepEqual([...fields.difference(PUBLIC_FIELDS)], []);
  assert.ok(!eventTypes.has("rejected"));
  for (const type of ["attack", "hit", "shout"]) assert.ok(eventTypes.has(type), type);
});

describe("a watcher", () => {
  it("is disconnected if it doesn't read, and others continue", async () => {
    const world = await testArena();
    const bots = await readyMatch(world);
    const [slow, other] = [watchMatch(world), watchMatch(world)];
    slow.state.unreadBytes = 300_000;
    await playTicks(world, bots, 30);
    assert.equal(slow.state.closed, "cut off");
    assert.equal(other.state.closed, null);
    assert.ok(other.framesReceived().length > 5);
  });

  it("is disconnected if it sends a message", async () => {
    const world = await testArena();
    await readyMatch(world);
    const { listener, state } = watchMatch(world);
    listener!.onFrame("{}");
    assert.equal(state.closed, "1008 watchers send no messages");
  });

  it("is refused with unknown_match if the match isn't running", async () => {
    const world = await testArena();
    const { listener, messages, state } = watchMatch(world);
    assert.equal(listener, null);
    assert.equal(messages[0]!.code, "unknown_match");
    assert.equal(state.closed, "4014 unknown_match");
  });

  it("is refused above the limits per address and in total", async () => {
    const limits = { watchers_per_address: 2, watchers_total: 3 };
    const world = await testArena({ limits });
    await readyMatch(world);
    const open = ["a", "a", "a", "b", "b"].map((address) => watchMatch(world, address));
    assert.deepEqual(
      open.map(({ state }) => state.closed?.slice(0, 4) ?? "open"),
      ["open", "open", "4015", "open", "4015"],
    );
    open[0]!.listener!.onClose();
    assert.equal(watchMatch(world, "b").state.closed, null);
  });

  it("is closed with 1012 when the server has drained", async () => {
    const world = await testArena({ limits: { drain_timeout_s: 1 } });
    await readyMatch(world);
    const { state } = watchMatch(world);
    void world.arena.drain();
    await world.advanceTime(5000);
    assert.equal(state.closed, "1012 server restarting");
    assert.equal(watchMatch(world).state.closed, "1012 server restarting");
  });
});

describe("a ladder's watcher", () => {
  const watchLadder = (world: TestArena) => {
    const watcher = fakeWatcher();
    world.arena.watch(watcher.connection, { ladderId: "public" as LadderId }, null);
    return watcher;
  };

  it("waits for a match, watches it, and moves on after the result", async () => {
    const world = await testArena();
    const { messages, framesReceived } = watchLadder(world);
    assert.deepEqual(messages, [{ type: "idle" }]);
    const bots = await readyMatch(world);
    await playTicks(world, bots);
    await world.advanceTime(3000);
    assert.deepEqual(
      messages.filter(({ type }) => type !== "frames").map(({ type }) => type),
      ["idle", "watching", "over", "stored"],
    );
    assert.ok(framesReceived().length > 10);
    await world.advanceTime(6000);
    assert.equal(messages.at(-1)!.type, "idle");
  });

  it("watches the running match immediately", async () => {
    const world = await testArena();
    const bots = await readyMatch(world);
    const { messages } = watchLadder(world);
    await playTicks(world, bots, 3);
    const { match_id } = messages[0]!;
    assert.equal(match_id, world.arena.runningMatches()[0]!.id);
  });
});
