// The messages the server sends on a bot socket, as text. Keys are in the order of the protocol
// page.

import { sure } from "#base/units/sure.ts";
import type { Deadlines, EndReason, FighterId, ReplayFighter } from "#core/engine/types.ts";
import type { LadderId, MatchId } from "#core/words/ids.ts";
import type { Mode, UnratedReason } from "#core/words/rated.ts";

import { ERRORS } from "./errors.ts";
import type { ErrorCode } from "./errors.ts";
import { PROTOCOL_VERSION } from "./version.ts";

export type ShownMap = {
  name: string;
  width: number;
  height: number;
  center: readonly [number, number];
  rows: readonly string[];
};

export type HelloParts = {
  matchId: MatchId;
  ladderId: LadderId;
  mode: Mode;
  fighter: FighterId;
  fighters: readonly ReplayFighter[];
  deadlines: Deadlines;
  map: ShownMap;
  rules: object;
};

export type End = {
  matchId: MatchId;
  ladderId: LadderId;
  mode: Mode;
  winner: FighterId | null;
  reason: EndReason | "server_fault";
  voided: boolean;
  /** Null for a rated match. */
  unratedReason: UnratedReason | null;
  ratingChange: number | null;
  /** The statistics document as JSON text, printed once for all recipients. */
  stats: string;
};

const withoutId = ({ id, bot_id, name, version }: ReplayFighter) => ({
  bot_id,
  name,
  version,
  fighter: id,
});

/** In a duel `opponent` is the other fighter; with more seats, the next one in seat order. */
export function printHello(hello: HelloParts): string {
  const seat = hello.fighters.findIndex(({ id }) => id === hello.fighter);
  const self = sure(hello.fighters[seat], "fighter of the hello");
  const opponent = sure(hello.fighters[(seat + 1) % hello.fighters.length], "opponent");
  return JSON.stringify({
    type: "hello",
    protocol_version: PROTOCOL_VERSION,
    match_id: hello.matchId,
    ladder_id: hello.ladderId,
    mode: hello.mode,
    bot_id: self.bot_id,
    fighter: hello.fighter,
    opponent: withoutId(opponent),
    fighters: hello.fighters,
    deadlines: hello.deadlines,
    map: hello.map,
    rules: hello.rules,
  });
}

const watchUrl = (matchId: MatchId): string => `/match/${matchId}`;

export function printEnd(end: End): string {
  const head = JSON.stringify({
    type: "end",
    match_id: end.matchId,
    winner: end.winner,
    reason: end.reason,
    ...(end.voided && { voided: true }),
    rated: end.unratedReason === null,
    unrated_reason: end.unratedReason,
    watch_url: watchUrl(end.matchId),
    rating_change: end.ratingChange,
    ladder_id: end.ladderId,
    mode: end.mode,
  });
  return `${head.slice(0, -1)},"stats":${end.stats}}`;
}

export function printQueued(version: string, estimatedWaitS: number, ladderId: LadderId): string {
  return JSON.stringify({
    type: "queued",
    version,
    estimated_wait_s: estimatedWaitS,
    ladder_id: ladderId,
  });
}

/** `detail` says what was wrong in this case; the default is the catalogue's text. */
export function printError(code: ErrorCode, detail?: string): string {
  return JSON.stringify({ type: "error", code, message: detail ?? ERRORS[code].text });
}

export function printReplaced(): string {
  return JSON.stringify({ type: "replaced", code: "replaced", message: ERRORS.replaced.text });
}

/** `deadline` is a UTC instant. */
export function printServerDraining(deadline: string): string {
  return JSON.stringify({ type: "server_draining", drain_deadline: deadline });
}
