// Sends what is chosen as soon as it is chosen, within the messages that a tick may have.
import type { Turn } from "#core/engine/types.ts";

import { turnText } from "./messages.ts";

/** How much of a tick has passed when a change that was one too many is sent. */
const LAST_CALL = 0.8;

export type SenderDeps = {
  send: (text: string) => void;
  /** Calls back after a time, and returns how to prevent it. */
  after: (ms: number, call: () => void) => () => void;
  tickMs: number;
  /** Messages in one tick. */
  most: number;
  /** Whether somebody may be looking: only a page that nobody sees is silent, and loses. */
  isSeen: () => boolean;
};

export type TurnSender = {
  /** A tick begins. */
  open(tick: number): void;
  choose(turn: Turn): void;
  stop(): void;
};

export function openSender({ send, after, tickMs, most, isSeen }: SenderDeps): TurnSender {
  const nothing = turnText(0, {});
  let tick = 0;
  let sent = 0;
  let said = nothing;
  let wanted = nothing;
  let cancel = () => {};

  function say(): void {
    if (wanted === said) return;
    send(wanted);
    said = wanted;
    sent += 1;
  }

  function sayLast(): void {
    if (sent === 0 && wanted === said && isSeen()) send(said);
    else say();
  }

  return {
    open: (next) => {
      cancel();
      tick = next;
      sent = 0;
      said = turnText(tick, {});
      wanted = said;
      // The last message of a tick is kept for the choice that stands then.
      cancel = after(LAST_CALL * tickMs, sayLast);
    },
    choose: (turn) => {
      wanted = turnText(tick, turn);
      if (sent < most - 2) say();
    },
    stop: () => cancel(),
  };
}
