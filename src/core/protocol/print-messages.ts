// Prints the messages that the server sends on a bot socket. Keys are in the same order as on the
// protocol page.

import { assertDefined } from "#base/util/assert-defined.ts";
import type { Deadlines, EndReason, FighterId, ReplayFighter } from "#core/engine/types.ts";
import type { LadderId, MatchId } from "#core/ids/ids.ts";
import type { MatchMode, UnratedReason } from "#core/ids/match-modes.ts";

import { ERROR_CATALOGUE } from "./errors.ts";
import type { ErrorCode } from "./errors.ts";
import { PROTOCOL_VERSION } from "./version.ts";

export type MapDescription = {
  name: string;
  width: number;
  height: number;
  center: readonly [number, number];
  rows: readonly string[];
};

export type HelloFields = {
  matchId: MatchId;
  ladderId: LadderId;
  mode: MatchMode;
  fighter: FighterId;
  fighters: readonly ReplayFighter[];
  deadlines: Deadlines;
  map: MapDescription;
  rules: object;
};

export type EndFields = {
  matchId: MatchId;
  ladderId: LadderId;
  mode: MatchMode;
  winner: FighterId | null;
  reason: EndReason | "server_fault";
  voided: boolean;
  /** Null for a rated match. */
  unratedReason: UnratedReason | null;
  ratingChange: number | null;
  /** Statistics document as JSON text, printed once for all recipients. */
  stats: string;
};

const toOpponentFields = ({ id, bot_id, name, version }: ReplayFighter) => ({
  bot_id,
  name,
  version,
  fighter: id,
});

/**
 * In a duel, `opponent` is the other fighter. With more seats, it's the next fighter in seat order.
 */
export function printHello(hello: HelloFields): string {
  const seat = hello.fighters.findIndex(({ id }) => id === hello.fighter);
  const self = assertDefined(hello.fighters[seat], "fighter of the hello");
  const opponent = assertDefined(hello.fighters[(seat + 1) % hello.fighters.length], "opponent");
  return JSON.stringify({
    type: "hello",
    protocol_version: PROTOCOL_VERSION,
    match_id: hello.matchId,
    ladder_id: hello.ladderId,
    mode: hello.mode,
    bot_id: self.bot_id,
    fighter: hello.fighter,
    opponent: toOpponentFields(opponent),
    fighters: hello.fighters,
    deadlines: hello.deadlines,
    map: hello.map,
    rules: hello.rules,
  });
}

const matchPagePath = (matchId: MatchId): string => `/match/${matchId}`;

export function printEnd(endFields: EndFields): string {
  const fields = JSON.stringify({
    type: "end",
    match_id: endFields.matchId,
    winner: endFields.winner,
    reason: endFields.reason,
    ...(endFields.voided && { voided: true }),
    rated: endFields.unratedReason === null,
    unrated_reason: endFields.unratedReason,
    watch_url: matchPagePath(endFields.matchId),
    rating_change: endFields.ratingChange,
    ladder_id: endFields.ladderId,
    mode: endFields.mode,
  });
  return `${fields.slice(0, -1)},"stats":${endFields.stats}}`;
}

export function printQueued(version: string, estimatedWaitS: number, ladderId: LadderId): string {
  return JSON.stringify({
    type: "queued",
    version,
    estimated_wait_s: estimatedWaitS,
    ladder_id: ladderId,
  });
}

/** `detailText` describes the problem and defaults to the catalogue text. */
export function printError(code: ErrorCode, detailText?: string): string {
  return JSON.stringify({ type: "error", code, message: detailText ?? ERROR_CATALOGUE[code].text });
}

export function printReplaced(): string {
  return JSON.stringify({
    type: "replaced",
    code: "replaced",
    message: ERROR_CATALOGUE.replaced.text,
  });
}

/** `deadline` is a UTC instant. */
export function printServerDraining(deadline: string): string {
  return JSON.stringify({ type: "server_draining", drain_deadline: deadline });
}
