// A simulated bot that registers, connects, queues and plays. Its behaviour depends on its
// character and strength.

import { DAY_US } from "#base/util/time.ts";
import type { MatchId } from "#core/ids/ids.ts";
import type { BotHandlers, Link } from "#testing/simulation/bot-link.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";
import type { Timeline } from "#testing/simulation/timeline.ts";

import { CHARACTERS } from "./behaviour.ts";
import type { Manners } from "./behaviour.ts";
import {
  parseMatchId,
  respondTo,
  createMatchInProgress,
  undeservedEndReason,
} from "./match-play.ts";
import type { MatchInProgress } from "./match-play.ts";
import { drawShift } from "./population.ts";
import type { BotSpec } from "./population.ts";

export type AgentContext = {
  timeline: Timeline;
  /** End of the last day, in µs. */
  end: number;
  isCalm(): boolean;
  isClosing(): boolean;
  register(spec: BotSpec): Promise<void>;
  /** Whether the bot's owner knows that the server would refuse the bot. */
  isBarred(spec: BotSpec): boolean;
  connect(spec: BotSpec, end: BotHandlers): Link;
  retireVersion(spec: BotSpec, label: string): void;
  rotateToken(spec: BotSpec): void;
  requestPractice(spec: BotSpec): void;
  runsOnEngine(matchId: MatchId): boolean;
  reportUndeservedEnd(spec: BotSpec, matchId: MatchId, reason: string): void;
};

type AgentState = {
  readonly spec: BotSpec;
  readonly dice: SeededDice;
  readonly context: AgentContext;
  isAwake: boolean;
  link: Link | null;
  /** Number of connections so far, used to drop events from earlier connections. */
  connectionCount: number;
  isWaiting: boolean;
  /** Number of pauses before queueing so far. Only the latest pause ends in a queue request. */
  queueDelayCount: number;
  retiredLabels: Set<string>;
  currentMatch: MatchInProgress | null;
};

export type Agent = {
  isBlameless(matchId: MatchId): boolean;
  /** Breaks the connection. With `serverKnowsAfterMs` set to Infinity, the server never notices. */
  dropConnection(serverKnowsAfterMs: number): void;
  leaveIfIdle(): void;
};

const READY_DELAY_MS = [200, 2000] as const;
const REQUEUE_DELAY_MS = [500, 20_000] as const;
const RECONNECT_DELAY_MS = [1000, 8000] as const;
const RETRY_DELAY_MS = [3000, 9000] as const;
/** Delay after the ladder is closed or refuses the bot, and while the owner is banned. */
const CLOSED_RETRY_MS = [30_000, 150_000] as const;
const VERSION_LIMIT_RETRY_MS = [1_800_000, 7_200_000] as const;
/** Exceeds the per-second rate limit outside a match. */
const FLOOD_FRAMES = 60;

/** Adds a bot to the world. From `registersAt` on, it acts on its own. */
export function openAgent(spec: BotSpec, dice: SeededDice, context: AgentContext): Agent {
  const state: AgentState = {
    spec,
    dice,
    context,
    isAwake: false,
    link: null,
    connectionCount: 0,
    isWaiting: false,
    queueDelayCount: 0,
    retiredLabels: new Set(),
    currentMatch: null,
  };
  runAt(state, spec.registersAt, () => void start(state));
  return {
    isBlameless: (matchId) =>
      state.currentMatch?.matchId === matchId && !state.currentMatch.isAtFault,
    dropConnection: (serverKnowsAfterMs) => state.link?.breakNetwork(serverKnowsAfterMs),
    leaveIfIdle: () => {
      if (state.currentMatch === null) disconnect(state);
    },
  };
}

function runAt({ context }: AgentState, time: number, callback: () => void): void {
  context.timeline.after(Math.max(0, time - context.timeline.now()) / 1000, callback);
}

type DelayRange = readonly [least: number, most: number];

function runAfter(
  { context, dice }: AgentState,
  delayRange: DelayRange,
  callback: () => void,
): void {
  context.timeline.after(dice.between(...delayRange), callback);
}

const currentManners = ({ spec, context }: AgentState): Manners =>
  context.isCalm() ? CHARACTERS.polite.manners : CHARACTERS[spec.character].manners;

async function start(state: AgentState): Promise<void> {
  const { spec, context, dice } = state;
  await context.register(spec);
  if (spec.hours === null) {
    wake(state);
    return;
  }
  for (let day = Math.floor(spec.registersAt / DAY_US); day * DAY_US < context.end; day += 1) {
    const { wakeTime, sleepTime } = drawShift(dice, spec, day);
    if (sleepTime <= wakeTime) continue;
    runAt(state, wakeTime, () => wake(state));
    runAt(state, sleepTime, () => sleep(state));
  }
}

function wake(state: AgentState): void {
  state.isAwake = true;
  if (state.link === null) connect(state);
}

function sleep(state: AgentState): void {
  state.isAwake = false;
  if (state.currentMatch !== null) return;
  if (state.dice.chance(0.5)) sendMessage(state, { type: "leave" }, 0);
  disconnect(state);
}

function connect(state: AgentState): void {
  const shouldConnect = state.isAwake && !state.context.isClosing();
  if (!shouldConnect && state.currentMatch === null) return;
  if (state.context.isBarred(state.spec)) {
    retryConnectLater(state);
    return;
  }
  const connectionNumber = (state.connectionCount += 1);
  const isCurrent = () => connectionNumber === state.connectionCount;
  state.isWaiting = false;
  state.link = state.context.connect(state.spec, {
    handleOpen: () => {
      runAfter(state, READY_DELAY_MS, () => {
        if (isCurrent()) startQueueing(state);
      });
    },
    handleMessage: (text) => {
      if (isCurrent()) handleMessage(state, text);
    },
    handleLost: () => {
      if (isCurrent()) handleConnectionLost(state);
    },
  });
}

function retryConnectLater(state: AgentState): void {
  state.currentMatch = null;
  runAfter(state, CLOSED_RETRY_MS, () => {
    if (state.link === null) connect(state);
  });
}

/** If `hello` hasn't arrived by now, the bot's match is over. */
function startQueueing(state: AgentState): void {
  if (state.currentMatch?.isAttached === false) state.currentMatch = null;
  joinQueue(state);
}

function clearConnection(state: AgentState): void {
  state.link = null;
  state.isWaiting = false;
  if (state.currentMatch === null) return;
  state.currentMatch.isAtFault = true;
  state.currentMatch.isAttached = false;
}

function handleConnectionLost(state: AgentState): void {
  clearConnection(state);
  runAfter(state, RECONNECT_DELAY_MS, () => {
    if (state.link === null) connect(state);
  });
}

function disconnect(state: AgentState): void {
  state.connectionCount += 1;
  state.link?.disconnect();
  clearConnection(state);
}

function sendMessage(state: AgentState, message: object | string, afterMs: number): void {
  state.link?.sendFrame(typeof message === "string" ? message : JSON.stringify(message), afterMs);
}

/**
 * Returns the newest released version. A `fickle` bot may instead return one that it has retired.
 */
function drawVersionLabel({ spec, context, retiredLabels, dice }: AgentState): string {
  const now = context.timeline.now();
  const releasedVersions = spec.versions.filter(({ from }) => from <= now);
  const { label } = releasedVersions.at(-1) ?? spec.versions[0]!;
  return retiredLabels.size > 0 && dice.chance(0.05) ? dice.pick([...retiredLabels]) : label;
}

function joinQueue(state: AgentState): void {
  const { context, dice, spec } = state;
  if (state.currentMatch !== null || state.isWaiting) return;
  if (!state.isAwake || context.isClosing()) {
    disconnect(state);
    return;
  }
  const label = drawVersionLabel(state);
  retirePreviousVersion(state, label);
  const queueMessage = { type: "queue", version: label, ladder_id: dice.pick(spec.ladders) };
  if (dice.chance(currentManners(state).practises)) context.requestPractice(spec);
  if (!misuseQueue(state, queueMessage)) sendMessage(state, queueMessage, 0);
}

function joinQueueAfter(state: AgentState, delayRange: DelayRange): void {
  const delayNumber = (state.queueDelayCount += 1);
  runAfter(state, delayRange, () => {
    if (delayNumber === state.queueDelayCount) joinQueue(state);
  });
}

/** Leaves the queue, queues twice or floods the server. Returns whether the bot misbehaved. */
function misuseQueue(state: AgentState, queueMessage: object): boolean {
  const { dice } = state;
  const manners = currentManners(state);
  if (dice.chance(manners.floods / 4)) {
    for (let frame = 0; frame < FLOOD_FRAMES; frame += 1)
      sendMessage(state, { type: "leave" }, frame);
    return true;
  }
  if (!dice.chance(manners.leaves)) return false;
  sendMessage(state, queueMessage, 0);
  sendMessage(state, dice.chance(0.5) ? { type: "leave" } : queueMessage, 100);
  state.isWaiting = true;
  runAfter(state, REQUEUE_DELAY_MS, () => {
    state.isWaiting = false;
    joinQueue(state);
  });
  return true;
}

/** When a new version plays its first match, the bot may retire the previous one. */
function retirePreviousVersion(state: AgentState, label: string): void {
  const { spec, dice, context, retiredLabels } = state;
  const index = spec.versions.findIndex((version) => version.label === label);
  const previousLabel = spec.versions[index - 1]?.label;
  if (
    previousLabel === undefined ||
    retiredLabels.has(previousLabel) ||
    !dice.chance(currentManners(state).retires)
  )
    return;
  retiredLabels.add(previousLabel);
  context.retireVersion(spec, previousLabel);
}

const TYPE_START = '{"type":"'.length;

/** Every server message starts with its type. */
export function messageTypeOf(text: string): string {
  return text.slice(TYPE_START, text.indexOf('"', TYPE_START));
}

function handleMessage(state: AgentState, text: string): void {
  switch (messageTypeOf(text)) {
    case "hello":
      handleHello(state, text);
      break;
    case "observation":
      handleObservation(state, text);
      break;
    case "queued":
      state.isWaiting = true;
      break;
    case "end":
      handleEnd(state, text);
      break;
    case "error":
      handleError(state, text);
      break;
    default:
      break;
  }
}

function handleHello(state: AgentState, hello: string): void {
  const { spec, dice, context } = state;
  const matchId = parseMatchId(hello);
  const wasWaiting = state.isWaiting;
  if (state.currentMatch?.matchId !== matchId) {
    const greeting = { hello, runsOnEngine: context.runsOnEngine(matchId), wasWaiting };
    state.currentMatch = createMatchInProgress(spec, currentManners(state), dice, greeting);
  }
  state.currentMatch.isAttached = true;
  state.isWaiting = false;
  if (state.currentMatch.plan.type !== "skip_ready")
    sendMessage(state, { type: "ready", match_id: matchId }, dice.between(...READY_DELAY_MS));
}

function handleObservation(state: AgentState, text: string): void {
  const { currentMatch, dice } = state;
  if (currentMatch === null) return;
  const response = respondTo(currentMatch, text, currentManners(state), dice);
  switch (response.type) {
    case "say":
      for (const { text: frame, afterMs } of response.frames) sendMessage(state, frame, afterMs);
      break;
    case "double":
      connect(state);
      break;
    case "away":
      disconnectFor(state, response.awayMs);
      break;
  }
}

function disconnectFor(state: AgentState, awayMs: number): void {
  disconnect(state);
  state.context.timeline.after(awayMs, () => {
    if (state.link === null) connect(state);
  });
}

function handleEnd(state: AgentState, text: string): void {
  const { currentMatch, spec, context, dice } = state;
  const undeservedReason = undeservedEndReason(currentMatch, text);
  if (undeservedReason !== null)
    context.reportUndeservedEnd(spec, parseMatchId(text), undeservedReason);
  state.currentMatch = null;
  if (dice.chance(currentManners(state).rotates)) context.rotateToken(spec);
  joinQueueAfter(state, REQUEUE_DELAY_MS);
}

function handleError(state: AgentState, text: string): void {
  const { code } = JSON.parse(text) as { code: string };
  switch (code) {
    case "version_limit":
      joinQueueAfter(state, VERSION_LIMIT_RETRY_MS);
      break;
    case "ladder_closed":
    case "enrollment_required":
    case "unknown_ladder":
      state.isWaiting = false;
      joinQueueAfter(state, CLOSED_RETRY_MS);
      break;
    case "version_retired":
    case "store_unavailable":
    case "already_queued":
      state.isWaiting = false;
      joinQueueAfter(state, RETRY_DELAY_MS);
      break;
    default:
      break;
  }
}
