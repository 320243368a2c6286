// The face of whoever is at the other end: a bot's socket, a house bot's worker, a test.

/** Frames go out through it; what comes in is handed to a `Listener`. */
export type Connection = {
  /** Never throws; does nothing once the connection is closed or dead. As does `show`. */
  send(text: string): void;
  /**
   * Sends an observation, a text of ASCII alone. `written` is called when it is handed on, at the
   * latest when the running turn of the event loop ends.
   */
  show(text: string, written: () => void): void;
  /** Closes with a reason and stops listening at once: nothing that comes later acts. */
  close(code: number, reason: string): void;
  /** Drops the connection without a word. */
  terminate(): void;
  ping(): void;
  /** Bytes accepted and not yet taken by the other end. */
  readonly buffered: number;
};

export type Listener = {
  /** One data frame; null stands for a binary one. */
  frame(text: string | null): void;
  pong(): void;
  /** Once, after the connection is gone, for whatever reason. */
  closed(): void;
};
