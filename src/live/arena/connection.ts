// The far end as the arena sees it: a bot's socket, a house bot's worker or a test.

/** Sends frames; received ones go to a `Listener`. */
export type Connection = {
  /**
   * Never throws; does nothing once the connection is closed or dead. The same holds for `show`.
   */
  send(text: string): void;
  /**
   * Sends an observation, which is ASCII text. `written` is called when it has been handed on, at
   * the latest at the end of this turn of the event loop.
   */
  show(text: string, written: () => void): void;
  /** Closes with a reason and stops listening at once: nothing received later has an effect. */
  close(code: number, reason: string): void;
  /** Drops the connection without a close frame. */
  terminate(): void;
  ping(): void;
  /** Bytes accepted that the other end has not taken yet. */
  readonly buffered: number;
};

export type Listener = {
  /** One data frame; null stands for a binary one. */
  frame(text: string | null): void;
  pong(): void;
  /** Called once, after the connection is gone for whatever reason. */
  closed(): void;
};
