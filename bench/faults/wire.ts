// T09, T15: what floods of small frames and overlong messages cost a server on which forty bots
// play. Prints CPU and memory of the server, and what the players felt.
import type { Socket } from "node:net";

import { register } from "#testing/harness/bot-client.ts";
import { closeFrame, frame, OPCODES, openRaw } from "#testing/harness/raw-socket.ts";

import { ask, cpuSeconds, pause, withSwarm } from "../sockets/children.ts";
import type { Crew, Usage } from "../sockets/children.ts";
import type { SwarmReport } from "../sockets/swarm.ts";

const PLAYERS = 40;
const THINK_MS = 50;
const PHASE_MS = 6000;
const FLOODERS = 4;
const LOOK_EVERY_MS = 100;
const MEGABYTE = 2 ** 20;
const KIB = 1024;

/** Of a control frame, in bytes: the longest payload, and the whole frame as a server sends it. */
const PAYLOAD = 125;
const FRAME = 127;
/** This many pings at once are answered; if more than sixty wait, the server drops the bot. */
const FEW = 20;
const MANY = 200;
const MESSAGE_TOO_BIG = 1009;

/**
 * What one flooder did: answers, bytes or closes, depending on its flood; and how often it was
 * dropped.
 */
type Tally = { done: number; dropped: number };

/** Floods until the given moment (`performance.now`). */
type Flood = (baseUrl: string, token: string, until: number) => Promise<Tally>;

const { ping, pong, text } = OPCODES;

const control = (opcode: number) => frame(opcode, "x".repeat(PAYLOAD));

/**
 * Writes a frame repeatedly, `atOnce` copies at a time and no faster than they are accepted, and
 * over a new connection after being dropped. `count` says what a connection achieved.
 */
function writing(bytes: Buffer, atOnce: number, count: (socket: Socket) => number): Flood {
  return flooding([Buffer.concat(Array.from({ length: atOnce }, () => bytes))], count);
}

/** The same with pieces, each written separately. */
function flooding(pieces: readonly Buffer[], count: (socket: Socket) => number): Flood {
  return async (baseUrl, token, until) => {
    const tally = { done: 0, dropped: -1 };
    while (performance.now() < until) {
      const socket = await listening(baseUrl, token);
      for (let at = 0; performance.now() < until && socket.writable; at += 1)
        await written(socket, pieces[at % pieces.length]!);
      tally.done += count(socket);
      tally.dropped += 1;
      socket.destroy();
    }
    return tally;
  };
}

/**
 * Resolves at the next turn of the event loop, or once there is room again, or when there never
 * will be.
 */
function written(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off("drain", done).off("close", done);
      resolve();
    };
    if (socket.write(bytes)) setImmediate(resolve);
    else socket.on("drain", done).on("close", done);
  });
}

const pongsReceived = ({ bytesRead }: Socket): number => Math.floor(bytesRead / FRAME);

const pongsSent = ({ bytesWritten, writableLength }: Socket): number =>
  Math.floor((bytesWritten - writableLength) / control(pong).length);

/** Pings whose bytes are written one by one. */
const byteByByte = flooding(
  Array.from(control(ping), (byte) => Buffer.of(byte)),
  ({ bytesWritten }) => bytesWritten,
);

/** A connection that accepts everything and keeps nothing. */
async function listening(baseUrl: string, token: string): Promise<Socket> {
  const { socket } = await openRaw(baseUrl, token);
  return socket
    .setNoDelay(true)
    .removeAllListeners("data")
    .on("data", () => {});
}

/** One connection after another: each sends this and is closed for it. */
function closing(code: number, frames: Buffer): Flood {
  return async (baseUrl, token, until) => {
    let done = 0;
    while (performance.now() < until) {
      const raw = await openRaw(baseUrl, token);
      raw.write(frames);
      const closed = await raw.ended;
      if (closed !== code) throw new Error(`closed with ${closed}`);
      done += 1;
    }
    return { done, dropped: 0 };
  };
}

const resting: Flood = async (_baseUrl, _token, until) => {
  await pause(until - performance.now());
  return { done: 0, dropped: 0 };
};

const stated = (length: bigint) => closing(MESSAGE_TOO_BIG, frame(text, "", { length }));

const PHASES: [name: string, unit: string, flood: Flood][] = [
  ["nothing", "of nothing", resting],
  [`pings, ${FEW} at once`, "answered", writing(control(ping), FEW, pongsReceived)],
  [`pings, ${MANY} at once`, "answered", writing(control(ping), MANY, pongsReceived)],
  ["pongs", "taken", writing(control(pong), FEW, pongsSent)],
  ["writes of one byte", "bytes", byteByByte],
  ["farewells", "closed", closing(1000, closeFrame(1000))],
  ["2^40 bytes stated", "closed", stated(2n ** 40n)],
  ["16 KiB + 1 stated", "closed", stated(16n * 1024n + 1n)],
  ["16 KiB + 1 sent", "closed", closing(MESSAGE_TOO_BIG, frame(text, "x".repeat(16 * KIB + 1)))],
];

/** The highest memory use seen until then, in bytes. */
async function highestMemory({ server }: Crew, until: number): Promise<number> {
  let highest = 0;
  while (performance.now() < until) {
    const { rss = 0 } = await ask<Usage>(server, "usage");
    highest = Math.max(highest, rss);
    await pause(LOOK_EVERY_MS);
  }
  return highest;
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0;
}

const megabytes = (bytes: number | undefined): string => ((bytes ?? 0) / MEGABYTE).toFixed(0);

async function runPhase(crew: Crew, tokens: string[], at: number): Promise<void> {
  const [name, unit, flood] = PHASES[at]!;
  await ask<SwarmReport>(crew.swarm, "report");
  const before = await ask<Usage>(crew.server, "usage");
  const started = performance.now();
  const until = started + PHASE_MS;
  const floods = tokens.map((token) => flood(crew.baseUrl, token, until));
  const highest = await highestMemory(crew, until);
  const tallies = await Promise.all(floods);
  const seconds = (performance.now() - started) / 1000;
  const after = await ask<Usage>(crew.server, "usage");
  const { idles, observations, turnaroundMs } = await ask<SwarmReport>(crew.swarm, "report");
  const sum = (part: keyof Tally) => tallies.reduce((total, tally) => total + tally[part], 0);
  const parts = [
    name.padEnd(20),
    `CPU ${(cpuSeconds(before, after) / seconds).toFixed(2)}`,
    `${(sum("done") / seconds).toFixed(0)} ${unit} a second, ${sum("dropped")} dropped`,
    `memory ${[before.rss, highest, after.rss].map(megabytes).join(", ")} MiB`,
    `players ${(observations / 2 / seconds).toFixed(0)} ticks a second`,
    `p99 ${quantile(turnaroundMs, 0.99).toFixed(1)} ms, failed ${JSON.stringify(idles)}`,
  ];
  console.log(parts.join(" | "));
}

async function measure(crew: Crew): Promise<void> {
  const names = Array.from({ length: FLOODERS }, (_, number) => `flooder-${number}`);
  const tokens = await Promise.all(names.map((name) => register(crew.baseUrl, name)));
  console.log("CPU: cores of the server, all threads; memory: before, at the most, after");
  for (const at of PHASES.keys()) await runPhase(crew, tokens, at);
}

await withSwarm("bout-server", { bots: PLAYERS, thinkMs: THINK_MS }, measure);
process.exit();
