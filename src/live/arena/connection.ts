/**
 * A connection to a bot's socket, a house bot worker or a test bot. Received frames go to a
 * `Listener`.
 */
export type Connection = {
  /**
   * Never throws. Has no effect once the connection is closed. The same applies to
   * `sendObservation`.
   */
  send(text: string): void;
  /**
   * Sends an observation, which must be ASCII. Calls `onWritten` when the text has been handed to
   * the transport, at the latest at the end of the current event loop iteration.
   */
  sendObservation(text: string, onWritten: () => void): void;
  /**
   * Closes the connection and detaches the listener immediately, so that later input is ignored.
   */
  close(code: number, reason: string): void;
  terminate(): void;
  ping(): void;
  /** Bytes accepted for sending that the peer hasn't read yet. */
  readonly bufferedBytes: number;
};

export type Listener = {
  /** Called for each data frame. `text` is null for a binary frame. */
  onFrame(text: string | null): void;
  onPong(): void;
  /** Called once when the connection is gone, for any reason. */
  onClose(): void;
};
