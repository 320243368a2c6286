// T09, T15: measures what floods of small frames and oversized messages cost a server that has
// forty bots in matches. Prints the server's CPU time and memory, and the effect on the players.
import type { Socket } from "node:net";

import { registerBot } from "#testing/harness/bot-client.ts";
import {
  createCloseFrame,
  createFrame,
  OPCODES,
  openRawWebSocket,
} from "#testing/harness/raw-socket.ts";

import { ask, cpuSeconds, pause, withSwarm } from "../sockets/children.ts";
import type { SwarmProcesses, ProcessUsage } from "../sockets/children.ts";
import type { SwarmReport } from "../sockets/swarm.ts";

const PLAYERS = 40;
const THINK_MS = 50;
const PHASE_MS = 6000;
const FLOODERS = 4;
const LOOK_EVERY_MS = 100;
const MEGABYTE = 2 ** 20;
const KIB = 1024;

/**
 * Sizes of a control frame in bytes: the maximum payload, and the whole frame as a server sends it.
 */
const PAYLOAD_BYTES = 125;
const SERVER_FRAME_BYTES = 127;
/** The server responds to `FEW_PINGS` pending pings. It disconnects a bot with more than 60. */
const FEW_PINGS = 20;
const MANY_PINGS = 200;
const MESSAGE_TOO_BIG = 1009;

/**
 * `done` counts responses, bytes or closed connections, depending on the flood. `dropped` counts
 * how often the server disconnected the flooder.
 */
type FloodTally = { done: number; dropped: number };

type FloodRunner = (baseUrl: string, token: string, until: number) => Promise<FloodTally>;

const { ping, pong, text } = OPCODES;

const controlFrame = (opcode: number) => createFrame(opcode, "x".repeat(PAYLOAD_BYTES));

/**
 * Writes copies of a frame, `copiesPerWrite` at a time, as fast as the server accepts them.
 * Reconnects when disconnected. `count` returns the result for a connection.
 */
function repeatFrame(
  bytes: Buffer,
  copiesPerWrite: number,
  count: (socket: Socket) => number,
): FloodRunner {
  return floodWith([Buffer.concat(Array.from({ length: copiesPerWrite }, () => bytes))], count);
}

/**
 * Writes the chunks one after another, as fast as the server accepts them. Reconnects when
 * disconnected.
 */
function floodWith(chunks: readonly Buffer[], count: (socket: Socket) => number): FloodRunner {
  return async (baseUrl, token, until) => {
    const tally = { done: 0, dropped: -1 };
    while (performance.now() < until) {
      const socket = await openDiscardingSocket(baseUrl, token);
      for (let chunkIndex = 0; performance.now() < until && socket.writable; chunkIndex += 1)
        await writeAndWait(socket, chunks[chunkIndex % chunks.length]!);
      tally.done += count(socket);
      tally.dropped += 1;
      socket.destroy();
    }
    return tally;
  };
}

/**
 * Resolves on the next event loop iteration if the data was accepted, otherwise when the socket
 * drains or closes.
 */
function writeAndWait(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const onReady = () => {
      socket.off("drain", onReady).off("close", onReady);
      resolve();
    };
    if (socket.write(bytes)) setImmediate(resolve);
    else socket.on("drain", onReady).on("close", onReady);
  });
}

const pongsReceived = ({ bytesRead }: Socket): number => Math.floor(bytesRead / SERVER_FRAME_BYTES);

const pongsSent = ({ bytesWritten, writableLength }: Socket): number =>
  Math.floor((bytesWritten - writableLength) / controlFrame(pong).length);

const byteByByte = floodWith(
  Array.from(controlFrame(ping), (byte) => Buffer.of(byte)),
  ({ bytesWritten }) => bytesWritten,
);

async function openDiscardingSocket(baseUrl: string, token: string): Promise<Socket> {
  const { socket } = await openRawWebSocket(baseUrl, token);
  return socket
    .setNoDelay(true)
    .removeAllListeners("data")
    .on("data", () => {});
}

/** Opens one connection after another. Each sends `frames` and must be closed with `code`. */
function floodWithClosingFrames(code: number, frames: Buffer): FloodRunner {
  return async (baseUrl, token, until) => {
    let done = 0;
    while (performance.now() < until) {
      const rawSocket = await openRawWebSocket(baseUrl, token);
      rawSocket.write(frames);
      const closed = await rawSocket.ended;
      if (closed !== code) throw new Error(`closed with ${closed}`);
      done += 1;
    }
    return { done, dropped: 0 };
  };
}

const idlePhase: FloodRunner = async (_baseUrl, _token, until) => {
  await pause(until - performance.now());
  return { done: 0, dropped: 0 };
};

const floodWithStatedLength = (length: bigint) =>
  floodWithClosingFrames(MESSAGE_TOO_BIG, createFrame(text, "", { length }));

const PHASES: [name: string, unit: string, flood: FloodRunner][] = [
  ["nothing", "frames", idlePhase],
  [
    `pings, ${FEW_PINGS} per write`,
    "answered",
    repeatFrame(controlFrame(ping), FEW_PINGS, pongsReceived),
  ],
  [
    `pings, ${MANY_PINGS} per write`,
    "answered",
    repeatFrame(controlFrame(ping), MANY_PINGS, pongsReceived),
  ],
  ["pongs", "taken", repeatFrame(controlFrame(pong), FEW_PINGS, pongsSent)],
  ["single-byte writes", "bytes", byteByByte],
  ["farewells", "closed", floodWithClosingFrames(1000, createCloseFrame(1000))],
  ["2^40 bytes announced", "closed", floodWithStatedLength(2n ** 40n)],
  ["16 KiB + 1 stated", "closed", floodWithStatedLength(16n * 1024n + 1n)],
  [
    "16 KiB + 1 sent",
    "closed",
    floodWithClosingFrames(MESSAGE_TOO_BIG, createFrame(text, "x".repeat(16 * KIB + 1))),
  ],
];

async function peakMemory({ server }: SwarmProcesses, until: number): Promise<number> {
  let peakBytes = 0;
  while (performance.now() < until) {
    const { rss = 0 } = await ask<ProcessUsage>(server, "usage");
    peakBytes = Math.max(peakBytes, rss);
    await pause(LOOK_EVERY_MS);
  }
  return peakBytes;
}

function quantile(values: readonly number[], fraction: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * fraction)] ?? 0;
}

const megabytes = (bytes: number | undefined): string => ((bytes ?? 0) / MEGABYTE).toFixed(0);

async function runPhase(
  processes: SwarmProcesses,
  tokens: string[],
  phaseIndex: number,
): Promise<void> {
  const [name, unit, flood] = PHASES[phaseIndex]!;
  await ask<SwarmReport>(processes.swarm, "report");
  const before = await ask<ProcessUsage>(processes.server, "usage");
  const started = performance.now();
  const until = started + PHASE_MS;
  const floods = tokens.map((token) => flood(processes.baseUrl, token, until));
  const peakBytes = await peakMemory(processes, until);
  const tallies = await Promise.all(floods);
  const seconds = (performance.now() - started) / 1000;
  const after = await ask<ProcessUsage>(processes.server, "usage");
  const {
    idles: failedTicks,
    observations,
    turnaroundMs,
  } = await ask<SwarmReport>(processes.swarm, "report");
  const sum = (field: keyof FloodTally) =>
    tallies.reduce((total, tally) => total + tally[field], 0);
  const columns = [
    name.padEnd(20),
    `CPU ${(cpuSeconds(before, after) / seconds).toFixed(2)}`,
    `${(sum("done") / seconds).toFixed(0)} ${unit} a second, ${sum("dropped")} dropped`,
    `memory ${[before.rss, peakBytes, after.rss].map(megabytes).join(", ")} MiB`,
    `players ${(observations / 2 / seconds).toFixed(0)} ticks a second`,
    `p99 ${quantile(turnaroundMs, 0.99).toFixed(1)} ms, failed ${JSON.stringify(failedTicks)}`,
  ];
  console.log(columns.join(" | "));
}

async function measure(processes: SwarmProcesses): Promise<void> {
  const names = Array.from({ length: FLOODERS }, (_, number) => `flooder-${number}`);
  const tokens = await Promise.all(names.map((name) => registerBot(processes.baseUrl, name)));
  console.log("CPU: cores of the server, all threads; memory: before, peak, after");
  for (const chunkIndex of PHASES.keys()) await runPhase(processes, tokens, chunkIndex);
}

await withSwarm("bout-server", { bots: PLAYERS, thinkMs: THINK_MS }, measure);
process.exit();
