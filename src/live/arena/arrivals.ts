// Bots come and go: whose connection it is, what it takes over, and what remains when it drops.

import { ERRORS } from "#core/protocol/errors.ts";
import type { ClosingCode } from "#core/protocol/errors.ts";
import { BINARY_FRAME, parseMessage } from "#core/protocol/parse.ts";
import { whoAsks } from "#data/access/credentials.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { floodSuspension, noteFlood } from "#live/diagnostics/floods.ts";
import type { StallWatch } from "#live/health/stall.ts";

import type { ArenaState } from "./arena-state.ts";
import type { Connection, Listener } from "./connection.ts";
import { tellDrain } from "./drain.ts";
import { admits, floodText } from "./flood.ts";
import { hearOutside, isForQueue } from "./queueing.ts";
import { openSession, openVisit, reads, refuse, replaceVisit, visitOf } from "./session.ts";
import type { Guest, Session, Visit } from "./session.ts";

type Arrival = { bot: BotRecord } | { refused: ClosingCode; text?: string | undefined };

async function identify({ deps }: ArenaState, authorization: string | undefined): Promise<Arrival> {
  const asker = await whoAsks(deps.credentials, authorization);
  if (asker.kind === "refused") return { refused: asker.code, text: asker.text };
  const refused = deps.mayPlay(asker.bot);
  return refused === null ? { bot: asker.bot } : { refused };
}

/**
 * Admits a connection by its token. If credentials change during the look-up, the look-up starts
 * again, so that no revoked token slips in.
 */
export async function arrive(
  arena: ArenaState,
  stalls: StallWatch,
  connection: Connection,
  authorization: string | undefined,
): Promise<Listener | null> {
  for (;;) {
    const { changes } = arena;
    const arrival = await identify(arena, authorization);
    if ("refused" in arrival) {
      refuse(connection, arrival.refused, arrival.text);
      arena.deps.health.refused(arrival.refused);
      return null;
    }
    if (changes !== arena.changes) continue;
    const { bot } = arrival;
    const suspension = floodSuspension(arena, bot.id);
    if (suspension !== null) {
      refuse(connection, "rate_limited", suspension);
      arena.deps.health.refused("rate_limited");
      return null;
    }
    return welcome(arena, stalls, { key: bot.id, bot }, connection);
  }
}

/** Gives the session this connection; an older one is told and closed. */
export function welcome(
  arena: ArenaState,
  stalls: StallWatch,
  guest: Guest,
  connection: Connection,
): Listener {
  const visit = openVisit(connection, arena.deps.settings.current());
  const known = arena.sessions.get(guest.key);
  const session = known ?? openSession(guest, visit);
  if (known === undefined) arena.sessions.set(session.key, session);
  else {
    session.bot = guest.bot;
    if (visitOf(session) !== null) arena.deps.health.refused("replaced");
    replaceVisit(session, visit);
  }
  const { activity } = session;
  if (activity.state === "playing")
    activity.game.running.take({
      type: "attached",
      seat: activity.seat,
      at: arena.deps.clock.now(),
    });
  tellDrain(arena, connection);
  return new BotListener(arena, stalls, session, visit);
}

/** One object without closures: hundreds are called in turn, from cold memory. */
class BotListener implements Listener {
  readonly #arena: ArenaState;
  readonly #stalls: StallWatch;
  readonly #session: Session;
  readonly #visit: Visit;

  constructor(arena: ArenaState, stalls: StallWatch, session: Session, visit: Visit) {
    this.#arena = arena;
    this.#stalls = stalls;
    this.#session = session;
    this.#visit = visit;
  }

  frame(text: string | null): void {
    const at = this.#now();
    if (this.#isCurrent()) hear(this.#arena, this.#session, this.#visit, text, at);
  }

  pong(): void {
    if (this.#isCurrent()) this.#visit.pinged = false;
  }

  closed(): void {
    this.#now();
    if (this.#isCurrent()) drop(this.#arena, this.#session);
  }

  /** Compensates first for a stall that is only noticed now. */
  #now(): number {
    const at = this.#arena.deps.clock.now();
    this.#stalls.check(at);
    return at;
  }

  #isCurrent(): boolean {
    return visitOf(this.#session) === this.#visit;
  }
}

function hear(
  arena: ArenaState,
  session: Session,
  visit: Visit,
  text: string | null,
  at: number,
): void {
  if (!admits(visit.flood, at)) {
    const text = floodText(visit.flood);
    if (noteFlood(arena, session.bot)) forfeit(session);
    expel(arena, session, "rate_limited", floodSuspension(arena, session.bot.id) ?? text);
    return;
  }
  const message = text === null ? BINARY_FRAME : parseMessage(text);
  const { activity } = session;
  if (activity.state === "playing" && !isForQueue(visit, message))
    activity.game.running.take({ type: "message", seat: activity.seat, at, message });
  else {
    hearOutside(arena, session, visit, message);
    if (!reads(session)) cutOff(arena, session);
  }
}

/** The other bot wins: this one is not let back in before the match would be lost anyway. */
function forfeit({ activity }: Session): void {
  if (activity.state !== "playing") return;
  activity.game.running.take({ type: "removed", seat: activity.seat });
}

/** The connection is gone: its place in the queue goes with it, while a match goes on. */
function drop(arena: ArenaState, session: Session): void {
  const { activity } = session;
  if (activity.state === "playing") {
    activity.visit = null;
    const at = arena.deps.clock.now();
    activity.game.running.take({ type: "dropped", seat: activity.seat, at });
  } else endSession(arena, session);
}

export function endSession({ sessions }: ArenaState, session: Session): void {
  session.activity = { state: "ended" };
  sessions.delete(session.key);
}

/** Closes the bot's connection with a code; its match goes on without it. */
export function expel(arena: ArenaState, session: Session, code: ClosingCode, text?: string): void {
  const visit = visitOf(session);
  if (visit === null) return;
  noteError(arena, session, code, text);
  refuse(visit.connection, code, text);
  arena.deps.health.refused(code);
  drop(arena, session);
}

/** The report of a practice game tells of what closed the bot's connection. */
function noteError({ bouts }: ArenaState, { activity }: Session, code: ClosingCode, text?: string) {
  if (activity.state !== "playing") return;
  const { id, running } = activity.game;
  const message = text ?? ERRORS[code].text;
  bouts.get(id)?.errors?.note({ tick: running.match.tick, code, message });
}

/** Cuts off a bot that does not read or does not answer pings. */
export function cutOff(arena: ArenaState, session: Session): void {
  const visit = visitOf(session);
  if (visit === null) return;
  visit.connection.terminate();
  drop(arena, session);
}

/** One round of pings; bots that did not answer the last one are cut off. */
export function pingAll(arena: ArenaState): void {
  for (const session of arena.sessions.values()) {
    const visit = visitOf(session);
    if (visit === null) continue;
    if (visit.pinged) cutOff(arena, session);
    else {
      visit.pinged = true;
      visit.connection.ping();
    }
  }
}
