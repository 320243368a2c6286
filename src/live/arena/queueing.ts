// Messages outside a match: queue, leave, and errors. Each `queue` gets one response, in order, so
// a label lookup delays the responses to later requests.

import type { LadderId } from "#core/ids/ids.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { isVersionLabel } from "#core/ladder/version-label.ts";
import { ERROR_CATALOGUE, versionLimitText } from "#core/protocol/errors.ts";
import type { QueueCode } from "#core/protocol/errors.ts";
import type { ClientMessage } from "#core/protocol/parse-message.ts";
import { printError, printQueued, printServerDraining } from "#core/protocol/print-messages.ts";
import { registerVersion } from "#data/credentials/register-version.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { VersionRecord } from "#data/store/version.ts";

import type { ArenaState } from "./arena-state.ts";
import { auditVersionLimit } from "./quota-notices.ts";
import { CLOSE_NORMAL, sendToSession, connectionStateOf } from "./session.ts";
import type { QueueOutcome, PendingQueueRequest, Session, ConnectionState } from "./session.ts";
import { estimateQueueWait } from "./wait-estimate.ts";

type QueueMessage = Extract<ClientMessage, { type: "queue" | "bad_queue" }>;

export function handleIdleMessage(
  arena: ArenaState,
  session: Session,
  connectionState: ConnectionState,
  message: ClientMessage,
): void {
  switch (message.type) {
    case "queue":
    case "bad_queue":
      handleQueueMessage(arena, session, connectionState, message);
      break;
    case "leave":
      for (const queueRequest of connectionState.queueRequests) queueRequest.isWithdrawn = true;
      leaveQueue(session);
      break;
    case "turn":
    case "bad_turn":
      sendToSession(session, printError("not_in_match"));
      break;
    case "bad":
      sendToSession(session, printError(message.error.reason, message.error.message));
      break;
    case "ready":
      break;
  }
}

/**
 * Returns whether a `queue` received during a match must wait for the response to an earlier one.
 * Otherwise the match responds to it.
 */
export function isQueueMessagePending(
  { queueRequests }: ConnectionState,
  { type }: ClientMessage,
): boolean {
  return queueRequests.length > 0 && (type === "queue" || type === "bad_queue");
}

export function leaveQueue(session: Session): void {
  const { activity } = session;
  if (activity.state === "waiting")
    session.activity = { state: "idle", connectionState: activity.connectionState };
}

/**
 * Refuses a queue request. The error code determines whether the bot stays in the queue. House bots
 * get no message: the session is closed and reopens when the bot is allowed to queue.
 */
export function refuseQueue(
  { deps }: ArenaState,
  session: Session,
  code: QueueCode,
  detail?: string,
): void {
  if (ERROR_CATALOGUE[code].place === "lost") leaveQueue(session);
  if (session.bot.house) connectionStateOf(session)?.connection.close(CLOSE_NORMAL, code);
  else {
    sendToSession(session, printError(code, detail));
    deps.health.countRefusal(code);
  }
}

export function dismissIneligible(arena: ArenaState): void {
  const { sessions, deps } = arena;
  for (const session of sessions.values()) {
    const { bot, activity } = session;
    if (activity.state !== "waiting") continue;
    const refused = deps.ladders.queueRefusal(bot, activity.entry.ladderId);
    if (refused !== null) refuseQueue(arena, session, refused);
  }
}

function handleQueueMessage(
  arena: ArenaState,
  session: Session,
  connectionState: ConnectionState,
  message: QueueMessage,
): void {
  const { version: label = "", ladderId = null } = message.type === "queue" ? message : {};
  const queueRequest: PendingQueueRequest = {
    ladderId: ladderId ?? DEFAULT_LADDER,
    outcome: immediateOutcome(arena, session, connectionState, message),
    isWithdrawn: false,
  };
  connectionState.queueRequests.push(queueRequest);
  if (queueRequest.outcome === null)
    void resolveOutcome(arena, session, connectionState, queueRequest, label);
  else answerQueueRequests(arena, session, connectionState);
}

/** Returns null if the label must be looked up first. */
function immediateOutcome(
  arena: ArenaState,
  session: Session,
  connectionState: ConnectionState,
  message: QueueMessage,
): QueueOutcome | null {
  if (session.activity.state === "playing") return { refused: "already_queued" };
  if (message.type === "bad_queue") return { refused: "schema", detail: message.message };
  if (arena.drainDeadline !== null) return { isDraining: true };
  if (!isVersionLabel(message.version)) return { refused: "invalid_version" };
  const refused = arena.deps.ladders.queueRefusal(session.bot, message.ladderId ?? DEFAULT_LADDER);
  if (refused !== null) return { refused };
  const lastVersion = connectionState.lastQueued?.version;
  return lastVersion?.label === message.version ? { version: lastVersion } : null;
}

/** Drops the result if the connection has been lost or replaced during the lookup. */
async function resolveOutcome(
  arena: ArenaState,
  session: Session,
  connectionState: ConnectionState,
  queueRequest: PendingQueueRequest,
  label: string,
): Promise<void> {
  try {
    queueRequest.outcome = await findOrCreateVersion(arena, session, queueRequest.ladderId, label);
  } catch (error) {
    arena.deps.log.error({ botId: session.bot.id, error }, "could not look up version");
    queueRequest.outcome = { refused: "store_unavailable" };
  }
  if (connectionStateOf(session) === connectionState)
    answerQueueRequests(arena, session, connectionState);
}

/**
 * Finds or creates the version with a label. Retries if a version was retired during the lookup,
 * because the result may be stale.
 */
async function findOrCreateVersion(
  arena: ArenaState,
  session: Session,
  ladderId: LadderId,
  label: string,
): Promise<QueueOutcome> {
  const { store } = arena.deps;
  const { bot } = session;
  for (;;) {
    const { retirements } = session;
    const existing = await store.versions.byLabel(bot.id, label);
    const version = existing ?? (await createVersion(arena, bot, label));
    if (version === null) {
      auditVersionLimit(arena.deps, arena.quotaNotices, bot);
      const { versions_per_day: max } = arena.deps.settings.current();
      return { refused: "version_limit", detail: versionLimitText(max) };
    }
    const hasPlayed = arena.boards.get(ladderId)?.entries().has(version.id) === true;
    if (!hasPlayed)
      session.lastPlayedVersionId = (await store.versions.current(bot.id, ladderId))?.id ?? null;
    if (retirements === session.retirements) return { version };
  }
}

/** Returns null if the bot has reached its version limit. */
async function createVersion(
  { deps }: ArenaState,
  bot: BotRecord,
  label: string,
): Promise<VersionRecord | null> {
  const { store, clock, settings, newId } = deps;
  const version = { id: newId(), botId: bot.id, label, notes: "" };
  const max = bot.house ? null : settings.current().versions_per_day;
  const result = await registerVersion(store, version, clock.wall(), max);
  return "version" in result ? result.version : null;
}

/** Responds to requests in order, up to the first one with a pending lookup. */
function answerQueueRequests(
  arena: ArenaState,
  session: Session,
  connectionState: ConnectionState,
): void {
  for (;;) {
    const [queueRequest] = connectionState.queueRequests;
    if (queueRequest === undefined || queueRequest.outcome === null) return;
    connectionState.queueRequests.shift();
    answerQueueRequest(arena, session, connectionState, queueRequest, queueRequest.outcome);
  }
}

/** The bot, ladder or server state may have changed since the request arrived. */
function answerQueueRequest(
  arena: ArenaState,
  session: Session,
  connectionState: ConnectionState,
  queueRequest: PendingQueueRequest,
  outcome: QueueOutcome,
): void {
  const { drainDeadline } = arena;
  if ("refused" in outcome) refuseQueue(arena, session, outcome.refused, outcome.detail);
  else if (session.activity.state === "playing") refuseQueue(arena, session, "already_queued");
  else if (drainDeadline !== null) sendToSession(session, printServerDraining(drainDeadline));
  else if ("version" in outcome)
    enterQueue(arena, session, connectionState, queueRequest, outcome.version);
}

/** Keeps the waiting time if version and ladder are unchanged. */
function enterQueue(
  arena: ArenaState,
  session: Session,
  connectionState: ConnectionState,
  queueRequest: PendingQueueRequest,
  version: VersionRecord,
): void {
  const { ladderId, isWithdrawn } = queueRequest;
  const refused = arena.deps.ladders.queueRefusal(session.bot, ladderId);
  if (refused !== null || version.retired) {
    refuseQueue(arena, session, refused ?? "version_retired");
    return;
  }
  const { activity } = session;
  const previousEntry = activity.state === "waiting" ? activity.entry : null;
  const isSame = previousEntry?.version.id === version.id && previousEntry.ladderId === ladderId;
  const entry = { ladderId, version, since: isSame ? previousEntry.since : arena.deps.clock.now() };
  connectionState.lastQueued = { version, ladderId };
  if (!isWithdrawn) session.activity = { state: "waiting", connectionState, entry };
  sendToSession(
    session,
    printQueued(version.label, estimateQueueWait(arena, session, entry), ladderId),
  );
}
