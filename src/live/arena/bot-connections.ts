import { ERROR_CATALOGUE } from "#core/protocol/errors.ts";
import type { CloseCode } from "#core/protocol/errors.ts";
import { BINARY_FRAME_ERROR, parseClientMessage } from "#core/protocol/parse-message.ts";
import { authenticateBearer } from "#data/credentials/authenticate-bearer.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { floodSuspensionText, recordFlood } from "#live/diagnostics/floods.ts";
import type { StallMonitor } from "#live/health/stall-monitor.ts";

import type { ArenaState } from "./arena-state.ts";
import type { Connection, Listener } from "./connection.ts";
import { sendDrainNotice } from "./drain.ts";
import { allowsFrame, messageRateText } from "./message-rate-limit.ts";
import { handleIdleMessage, isQueueMessagePending } from "./queueing.ts";
import {
  openSession,
  newConnectionState,
  isReading,
  closeWithError,
  replaceConnection,
  connectionStateOf,
} from "./session.ts";
import type { SessionIdentity, Session, ConnectionState } from "./session.ts";

type BotAuthentication = { bot: BotRecord } | { refused: CloseCode; text?: string | undefined };

async function identifyBot(
  { deps }: ArenaState,
  authorization: string | undefined,
): Promise<BotAuthentication> {
  const caller = await authenticateBearer(deps.credentials, authorization);
  if (caller.kind === "refused") return { refused: caller.code, text: caller.text };
  const refused = deps.playRefusalOf(caller.bot);
  return refused === null ? { bot: caller.bot } : { refused };
}

/**
 * Authenticates a connection by its bearer token. Repeats the lookup if credentials change in the
 * meantime, so that a revoked token is never accepted.
 */
export async function acceptConnection(
  arena: ArenaState,
  stalls: StallMonitor,
  connection: Connection,
  authorization: string | undefined,
): Promise<Listener | null> {
  for (;;) {
    const { credentialChanges: changesBefore } = arena;
    const authentication = await identifyBot(arena, authorization);
    if ("refused" in authentication) {
      closeWithError(connection, authentication.refused, authentication.text);
      arena.deps.health.countRefusal(authentication.refused);
      return null;
    }
    if (changesBefore !== arena.credentialChanges) continue;
    const { bot } = authentication;
    const suspension = floodSuspensionText(arena, bot.id);
    if (suspension !== null) {
      closeWithError(connection, "rate_limited", suspension);
      arena.deps.health.countRefusal("rate_limited");
      return null;
    }
    return attachConnection(arena, stalls, { key: bot.id, bot }, connection);
  }
}

/**
 * Attaches a connection to the bot's session, which is created if necessary. A previous connection
 * is closed with `replaced`.
 */
export function attachConnection(
  arena: ArenaState,
  stalls: StallMonitor,
  identity: SessionIdentity,
  connection: Connection,
): Listener {
  const connectionState = newConnectionState(connection, arena.deps.settings.current());
  const existing = arena.sessions.get(identity.key);
  const session = existing ?? openSession(identity, connectionState);
  if (existing === undefined) arena.sessions.set(session.key, session);
  else {
    session.bot = identity.bot;
    if (connectionStateOf(session) !== null) arena.deps.health.countRefusal("replaced");
    replaceConnection(session, connectionState);
  }
  const { activity } = session;
  if (activity.state === "playing")
    activity.match.runner.handleEvent({
      type: "attached",
      seat: activity.seat,
      at: arena.deps.clock.now(),
    });
  sendDrainNotice(arena, connection);
  return new BotListener(arena, stalls, session, connectionState);
}

/** A class is faster than closures: hundreds of listeners run in turn with cold CPU caches. */
class BotListener implements Listener {
  readonly #arena: ArenaState;
  readonly #stalls: StallMonitor;
  readonly #session: Session;
  readonly #connectionState: ConnectionState;

  constructor(
    arena: ArenaState,
    stalls: StallMonitor,
    session: Session,
    connectionState: ConnectionState,
  ) {
    this.#arena = arena;
    this.#stalls = stalls;
    this.#session = session;
    this.#connectionState = connectionState;
  }

  onFrame(text: string | null): void {
    const at = this.#now();
    if (this.#isCurrent()) handleFrame(this.#arena, this.#session, this.#connectionState, text, at);
  }

  onPong(): void {
    if (this.#isCurrent()) this.#connectionState.isAwaitingPong = false;
  }

  onClose(): void {
    this.#now();
    if (this.#isCurrent()) handleDisconnect(this.#arena, this.#session);
  }

  /** Detects a pending stall before reading the clock. */
  #now(): number {
    const at = this.#arena.deps.clock.now();
    this.#stalls.check(at);
    return at;
  }

  #isCurrent(): boolean {
    return connectionStateOf(this.#session) === this.#connectionState;
  }
}

function handleFrame(
  arena: ArenaState,
  session: Session,
  connectionState: ConnectionState,
  text: string | null,
  at: number,
): void {
  if (!allowsFrame(connectionState.messageRateLimit, at)) {
    const text = messageRateText(connectionState.messageRateLimit);
    if (recordFlood(arena, session.bot)) forfeit(session);
    disconnectBot(
      arena,
      session,
      "rate_limited",
      floodSuspensionText(arena, session.bot.id) ?? text,
    );
    return;
  }
  const message = text === null ? BINARY_FRAME_ERROR : parseClientMessage(text);
  const { activity } = session;
  if (activity.state === "playing" && !isQueueMessagePending(connectionState, message))
    activity.match.runner.handleEvent({ type: "message", seat: activity.seat, at, message });
  else {
    handleIdleMessage(arena, session, connectionState, message);
    if (!isReading(session)) terminateSession(arena, session);
  }
}

/** The removed bot can't return before its grace period ends, so the opponent wins immediately. */
function forfeit({ activity }: Session): void {
  if (activity.state !== "playing") return;
  activity.match.runner.handleEvent({ type: "removed", seat: activity.seat });
}

function handleDisconnect(arena: ArenaState, session: Session): void {
  const { activity } = session;
  if (activity.state === "playing") {
    activity.connectionState = null;
    const at = arena.deps.clock.now();
    activity.match.runner.handleEvent({ type: "dropped", seat: activity.seat, at });
  } else endBotSession(arena, session);
}

export function endBotSession({ sessions }: ArenaState, session: Session): void {
  session.activity = { state: "ended" };
  sessions.delete(session.key);
}

/** Closes the bot's connection with a code. A running match continues without the bot. */
export function disconnectBot(
  arena: ArenaState,
  session: Session,
  code: CloseCode,
  text?: string,
): void {
  const connectionState = connectionStateOf(session);
  if (connectionState === null) return;
  reportPracticeError(arena, session, code, text);
  closeWithError(connectionState.connection, code, text);
  arena.deps.health.countRefusal(code);
  handleDisconnect(arena, session);
}

function reportPracticeError(
  { unrankedMatches }: ArenaState,
  { activity }: Session,
  code: CloseCode,
  text?: string,
) {
  if (activity.state !== "playing") return;
  const { id, runner } = activity.match;
  const message = text ?? ERROR_CATALOGUE[code].text;
  unrankedMatches.get(id)?.practiceErrors?.add({ tick: runner.state.tick, code, message });
}

export function terminateSession(arena: ArenaState, session: Session): void {
  const connectionState = connectionStateOf(session);
  if (connectionState === null) return;
  connectionState.connection.terminate();
  handleDisconnect(arena, session);
}

/** Terminates bots that didn't answer the previous ping, then pings all remaining bots. */
export function pingAll(arena: ArenaState): void {
  for (const session of arena.sessions.values()) {
    const connectionState = connectionStateOf(session);
    if (connectionState === null) continue;
    if (connectionState.isAwaitingPong) terminateSession(arena, session);
    else {
      connectionState.isAwaitingPong = true;
      connectionState.connection.ping();
    }
  }
}
