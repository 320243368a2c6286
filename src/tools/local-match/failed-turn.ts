import { IDLE_REASONS } from "#core/engine/types.ts";
import type { IdleReason } from "#core/engine/types.ts";

import type { Player } from "./local-match.ts";

/** A tick without a valid turn, with the referee's reason. */
export type FailedTurn = { tick: number; reason: IdleReason; message: string };

type ObservedEventFields = { type: string; part?: string; reason?: string; message?: string };

/** Observations without this text report no failed turn, so they aren't parsed. */
const FAILED_TURN_MARK = '"part":"turn"';

/** Calls the listener with each failed turn before the player receives the observation. */
export function withFailureListener(
  player: Player,
  onFailedTurn: (failedTurn: FailedTurn) => void,
): Player {
  return {
    ...player,
    handleMessage: (text, wire) => {
      const failedTurn = text.includes(FAILED_TURN_MARK) ? parseFailedTurn(text) : null;
      if (failedTurn !== null) onFailedTurn(failedTurn);
      player.handleMessage(text, wire);
    },
  };
}

/** An observation reports on the previous tick. */
function parseFailedTurn(text: string): FailedTurn | null {
  const { type, tick, events } = JSON.parse(text) as {
    type: string;
    tick: number;
    events: ObservedEventFields[];
  };
  if (type !== "observation") return null;
  for (const { part, reason: reasonText, message = "" } of events) {
    const reason = IDLE_REASONS.find((reason) => reason === reasonText);
    if (part === "turn" && reason !== undefined) return { tick: tick - 1, reason, message };
  }
  return null;
}
