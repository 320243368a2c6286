// The failed turns of a bot, as its own observations report them.

import { IDLE_REASONS } from "#core/engine/types.ts";
import type { IdleReason } from "#core/engine/types.ts";

import type { Player } from "./local-match.ts";

/** A tick without a valid turn, and why, in the referee's words. */
export type FailedTurn = { tick: number; reason: IdleReason; message: string };

type Told = { type: string; part?: string; reason?: string; message?: string };

/** Only an observation with this text can report a failed turn; others are not parsed. */
const MARK = '"part":"turn"';

/** Wraps a player so that `note` hears of its failed turns before the player does. */
export function watchFailures(player: Player, note: (failed: FailedTurn) => void): Player {
  return {
    ...player,
    hear: (text, wire) => {
      const failed = text.includes(MARK) ? failedTurnOf(text) : null;
      if (failed !== null) note(failed);
      player.hear(text, wire);
    },
  };
}

/** An observation reports on the tick before its own. */
function failedTurnOf(text: string): FailedTurn | null {
  const { type, tick, events } = JSON.parse(text) as { type: string; tick: number; events: Told[] };
  if (type !== "observation") return null;
  for (const { part, reason: told, message = "" } of events) {
    const reason = IDLE_REASONS.find((reason) => reason === told);
    if (part === "turn" && reason !== undefined) return { tick: tick - 1, reason, message };
  }
  return null;
}
