// Bots come and go: who a connection is, what it takes over, what is left when it drops.

import { schemeText } from "#core/protocol/errors.ts";
import type { ClosingCode } from "#core/protocol/errors.ts";
import { BINARY_FRAME, parseMessage } from "#core/protocol/parse.ts";
import type { BotRecord } from "#data/store/store.ts";
import { hashToken } from "#data/store/token.ts";
import type { StallWatch } from "#live/health/stall.ts";

import type { Hall } from "./arena-state.ts";
import type { Connection, Listener } from "./connection.ts";
import { tellDrain } from "./drain.ts";
import { admits } from "./flood.ts";
import { hearOutside, isForQueue, leaveQueue } from "./queueing.ts";
import { connect, dismiss, openSession, reads, refuse } from "./session.ts";
import type { Session } from "./session.ts";

type Arrival = { bot: BotRecord } | { refused: ClosingCode; text?: string | undefined };

const BEARER = /^Bearer +(\S+)$/i;

/** Finds the bot behind an Authorization header. Only the header counts, never the address. */
async function identify(hall: Hall, authorization: string | undefined): Promise<Arrival> {
  if (authorization === undefined) return { refused: "missing_authorization" };
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) return { refused: "invalid_token", text: schemeText(authorization) };
  const found = await hall.deps.store.botByToken(hashToken(token));
  if (found === null) return { refused: "invalid_token" };
  const { bot, stale } = found;
  if (bot.status !== "active") return { refused: bot.status };
  if (stale) return { refused: "invalid_token" };
  if (!bot.house && !hall.deps.anonymous) return { refused: "account_required" };
  return { bot };
}

/**
 * Lets a connection in under its token. A change of credentials during the look-up makes the
 * look-up start again, so that no dead token slips in.
 */
export async function arrive(
  hall: Hall,
  stalls: StallWatch,
  connection: Connection,
  authorization: string | undefined,
): Promise<Listener | null> {
  for (;;) {
    const { changes } = hall;
    const arrival = await identify(hall, authorization);
    if ("refused" in arrival) {
      refuse(connection, arrival.refused, arrival.text);
      return null;
    }
    const versions = await hall.deps.store.versionsOf(arrival.bot.id);
    if (changes !== hall.changes) continue;
    const session = hall.sessions.get(arrival.bot.id) ?? openSession(arrival.bot, versions);
    return welcome(hall, stalls, session, connection);
  }
}

/** Makes the connection the session's own; an older one is told and closed. */
export function welcome(
  hall: Hall,
  stalls: StallWatch,
  session: Session,
  connection: Connection,
): Listener {
  leaveQueue(session);
  dismiss(session, "replaced");
  hall.sessions.set(session.key, session);
  connect(session, connection);
  const { activity } = session;
  if (activity.state === "playing")
    activity.game.running?.take({
      type: "attached",
      seat: activity.seat,
      at: hall.deps.clock.now(),
    });
  tellDrain(hall, connection);
  return new BotListener(hall, stalls, session, connection);
}

/** One object without closures: hundreds of them are heard in turn, from cold memory. */
class BotListener implements Listener {
  readonly #hall: Hall;
  readonly #stalls: StallWatch;
  readonly #session: Session;
  readonly #connection: Connection;

  constructor(hall: Hall, stalls: StallWatch, session: Session, connection: Connection) {
    this.#hall = hall;
    this.#stalls = stalls;
    this.#session = session;
    this.#connection = connection;
  }

  frame(text: string | null): void {
    const at = this.#now();
    if (this.#isCurrent()) hear(this.#hall, this.#session, text, at);
  }

  pong(): void {
    if (this.#isCurrent()) this.#session.pinged = false;
  }

  closed(): void {
    this.#now();
    if (this.#isCurrent()) drop(this.#hall, this.#session);
  }

  /** A stall that is only seen now is made up for first. */
  #now(): number {
    const at = this.#hall.deps.clock.now();
    this.#stalls.check(at);
    return at;
  }

  #isCurrent(): boolean {
    return this.#session.connection === this.#connection;
  }
}

function hear(hall: Hall, session: Session, text: string | null, at: number): void {
  if (!admits(session.flood, at, hall.deps.limits)) {
    expel(hall, session, "rate_limited");
    return;
  }
  const message = text === null ? BINARY_FRAME : parseMessage(text);
  const { activity } = session;
  if (activity.state === "playing" && !isForQueue(session, message))
    activity.game.running?.take({ type: "message", seat: activity.seat, at, message });
  else {
    hearOutside(hall, session, message);
    if (!reads(session)) cutOff(hall, session);
  }
}

/** The connection is gone: a place in the queue goes with it, a match goes on. */
function drop(hall: Hall, session: Session): void {
  session.connection = null;
  session.questions = [];
  leaveQueue(session);
  const { activity } = session;
  if (activity.state === "playing")
    activity.game.running?.take({
      type: "dropped",
      seat: activity.seat,
      at: hall.deps.clock.now(),
    });
  else hall.sessions.delete(session.key);
}

/** Closes the bot's connection with a code; a match it plays goes on without it. */
export function expel(hall: Hall, session: Session, code: ClosingCode): void {
  dismiss(session, code);
  drop(hall, session);
}

/** Cuts off a bot that does not read or does not answer pings. */
export function cutOff(hall: Hall, session: Session): void {
  session.connection?.terminate();
  drop(hall, session);
}

/** One round of pings; whoever did not answer the last one is cut off. */
export function pingAll(hall: Hall): void {
  for (const session of hall.sessions.values()) {
    if (session.connection === null) continue;
    if (session.pinged) cutOff(hall, session);
    else {
      session.pinged = true;
      session.connection.ping();
    }
  }
}
