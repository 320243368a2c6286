// Bots come and go: who a connection is, what it takes over, what is left when it drops.

import type { ClosingCode } from "#core/protocol/errors.ts";
import { BINARY_FRAME, parseMessage } from "#core/protocol/parse.ts";
import { whoAsks } from "#data/store/credentials.ts";
import type { BotRecord } from "#data/store/store.ts";
import type { StallWatch } from "#live/health/stall.ts";

import type { Hall } from "./arena-state.ts";
import type { Connection, Listener } from "./connection.ts";
import { tellDrain } from "./drain.ts";
import { admits, floodText } from "./flood.ts";
import { hearOutside, isForQueue } from "./queueing.ts";
import { openSession, openVisit, reads, refuse, replaceVisit, visitOf } from "./session.ts";
import type { Guest, Session, Visit } from "./session.ts";

type Arrival = { bot: BotRecord } | { refused: ClosingCode; text?: string | undefined };

async function identify({ deps }: Hall, authorization: string | undefined): Promise<Arrival> {
  const asker = await whoAsks(deps.credentials, authorization);
  if (asker.kind === "refused") return { refused: asker.code, text: asker.text };
  const refused = deps.mayPlay(asker.bot);
  return refused === null ? { bot: asker.bot } : { refused };
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
    if (changes !== hall.changes) continue;
    const { bot } = arrival;
    return welcome(hall, stalls, { key: bot.id, bot }, connection);
  }
}

/** Makes the connection the session's own; an older one is told and closed. */
export function welcome(
  hall: Hall,
  stalls: StallWatch,
  guest: Guest,
  connection: Connection,
): Listener {
  const visit = openVisit(connection, hall.deps.settings.current());
  const known = hall.sessions.get(guest.key);
  const session = known ?? openSession(guest, visit);
  if (known === undefined) hall.sessions.set(session.key, session);
  else replaceVisit(session, visit);
  const { activity } = session;
  if (activity.state === "playing")
    activity.game.running.take({
      type: "attached",
      seat: activity.seat,
      at: hall.deps.clock.now(),
    });
  tellDrain(hall, connection);
  return new BotListener(hall, stalls, session, visit);
}

/** One object without closures: hundreds of them are heard in turn, from cold memory. */
class BotListener implements Listener {
  readonly #hall: Hall;
  readonly #stalls: StallWatch;
  readonly #session: Session;
  readonly #visit: Visit;

  constructor(hall: Hall, stalls: StallWatch, session: Session, visit: Visit) {
    this.#hall = hall;
    this.#stalls = stalls;
    this.#session = session;
    this.#visit = visit;
  }

  frame(text: string | null): void {
    const at = this.#now();
    if (this.#isCurrent()) hear(this.#hall, this.#session, this.#visit, text, at);
  }

  pong(): void {
    if (this.#isCurrent()) this.#visit.pinged = false;
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
    return visitOf(this.#session) === this.#visit;
  }
}

function hear(hall: Hall, session: Session, visit: Visit, text: string | null, at: number): void {
  if (!admits(visit.flood, at)) {
    expel(hall, session, "rate_limited", floodText(visit.flood));
    return;
  }
  const message = text === null ? BINARY_FRAME : parseMessage(text);
  const { activity } = session;
  if (activity.state === "playing" && !isForQueue(visit, message))
    activity.game.running.take({ type: "message", seat: activity.seat, at, message });
  else {
    hearOutside(hall, session, visit, message);
    if (!reads(session)) cutOff(hall, session);
  }
}

/** The connection is gone: a place in the queue goes with it, a match goes on. */
function drop(hall: Hall, session: Session): void {
  const { activity } = session;
  if (activity.state === "playing") {
    activity.visit = null;
    const at = hall.deps.clock.now();
    activity.game.running.take({ type: "dropped", seat: activity.seat, at });
  } else endSession(hall, session);
}

export function endSession({ sessions }: Hall, session: Session): void {
  session.activity = { state: "ended" };
  sessions.delete(session.key);
}

/** Closes the bot's connection with a code; a match it plays goes on without it. */
export function expel(hall: Hall, session: Session, code: ClosingCode, text?: string): void {
  const visit = visitOf(session);
  if (visit === null) return;
  refuse(visit.connection, code, text);
  drop(hall, session);
}

/** Cuts off a bot that does not read or does not answer pings. */
export function cutOff(hall: Hall, session: Session): void {
  const visit = visitOf(session);
  if (visit === null) return;
  visit.connection.terminate();
  drop(hall, session);
}

/** One round of pings; whoever did not answer the last one is cut off. */
export function pingAll(hall: Hall): void {
  for (const session of hall.sessions.values()) {
    const visit = visitOf(session);
    if (visit === null) continue;
    if (visit.pinged) cutOff(hall, session);
    else {
      visit.pinged = true;
      visit.connection.ping();
    }
  }
}
