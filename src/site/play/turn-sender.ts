// Sends each choice immediately while staying within the per-tick message limit.
import type { Turn } from "#core/engine/types.ts";

import { turnFrame } from "./messages.ts";

/** Fraction of a tick after which a delayed change is sent. */
const LATEST_SEND_FRACTION = 0.8;

export type TurnSenderDeps = {
  send: (text: string) => void;
  /** Calls back after a delay. Returns a function that cancels the callback. */
  after: (ms: number, callback: () => void) => () => void;
  tickMs: number;
  maxMessages: number;
  /** A hidden page sends nothing, so the player eventually forfeits. */
  isPageVisible: () => boolean;
};

export type TurnSender = {
  startTick(tick: number): void;
  setTurn(turn: Turn): void;
  stop(): void;
};

export function createTurnSender({
  send,
  after,
  tickMs,
  maxMessages,
  isPageVisible,
}: TurnSenderDeps): TurnSender {
  const emptyTurn = turnFrame(0, {});
  let tick = 0;
  let sentCount = 0;
  let sentFrame = emptyTurn;
  let nextFrame = emptyTurn;
  let cancelTimer = () => {};

  function sendIfChanged(): void {
    if (nextFrame === sentFrame) return;
    send(nextFrame);
    sentFrame = nextFrame;
    sentCount += 1;
  }

  function sendFinal(): void {
    if (sentCount === 0 && nextFrame === sentFrame && isPageVisible()) send(sentFrame);
    else sendIfChanged();
  }

  return {
    startTick: (nextTick) => {
      cancelTimer();
      tick = nextTick;
      sentCount = 0;
      sentFrame = turnFrame(tick, {});
      nextFrame = sentFrame;
      // The last message of a tick is reserved for the final choice.
      cancelTimer = after(LATEST_SEND_FRACTION * tickMs, sendFinal);
    },
    setTurn: (turn) => {
      nextFrame = turnFrame(tick, turn);
      if (sentCount < maxMessages - 2) sendIfChanged();
    },
    stop: () => cancelTimer(),
  };
}
