// Connection to a bot's socket, a house bot's worker or a test.

/** Sends frames. Received frames go to a `Listener`. */
export type Connection = {
  /**
   * Never throws. No effect on a closed or dead connection. The same applies to `sendObservation`.
   */
  send(text: string): void;
  /**
   * Sends an observation as ASCII text. Calls `onWritten` once it has been handed to the transport,
   * no later than the end of this event loop iteration.
   */
  sendObservation(text: string, onWritten: () => void): void;
  /** Closes with a reason and detaches the listener immediately: later input has no effect. */
  close(code: number, reason: string): void;
  /** Drops the connection without a close frame. */
  terminate(): void;
  ping(): void;
  /** Bytes accepted but not yet taken by the peer. */
  readonly bufferedBytes: number;
};

export type Listener = {
  /** A data frame; null if it is binary. */
  onFrame(text: string | null): void;
  onPong(): void;
  /** Called once after the connection is gone, for whatever reason. */
  onClose(): void;
};
