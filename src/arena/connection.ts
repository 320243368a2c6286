// The face of whoever is at the other end: a bot's socket, a house bot's worker, a test.

/** Frames go out through it; what comes in is handed to a `Listener`. */
export type Connection = {
  /**
   * Never throws; does nothing once the connection is closed or dead. `written` is called when the
   * text is handed on, at the latest when the running turn of the event loop ends.
   */
  send(text: string, written?: () => void): void;
  /** Closes with a reason and stops listening at once: nothing that comes later acts. */
  close(code: number, reason: string): void;
  /** Drops the connection without a word. */
  terminate(): void;
  ping(): void;
  /** Bytes accepted by `send` and not yet taken by the other end. */
  readonly buffered: number;
};

export type Listener = {
  /** One data frame; null stands for a binary one. */
  frame(text: string | null): void;
  pong(): void;
  /** Once, after the connection is gone, for whatever reason. */
  closed(): void;
};
