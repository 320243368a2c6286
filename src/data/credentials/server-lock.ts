// Lock that prevents a second server from using the same data folder or database.

/**
 * Acquired before anything is written. The operating system releases it when the process ends,
 * however it ends.
 */
export type ServerLock = {
  /** Publishes this server's address for the error that other servers get. */
  announce(address: string): Promise<void>;
  /**
   * Called before each write. Reacquires a lost lock; rejects with StoreError until it succeeds.
   */
  ensureHeld(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The server that holds the lock; null if unknown. */
export type LockHolder = { pid: number; address: string | null } | null;

/** Whether a server holds the lock, and which one. */
export type LockStatus = { isLocked: false } | { isLocked: true; holder: LockHolder };

/** Thrown when another server holds the lock. Nothing was changed. */
export class LockHeld extends Error {
  constructor(resource: string, holder: LockHolder) {
    const location = holder?.address ? ` at ${holder.address}` : "";
    const holderText = holder === null ? "another process" : `process ${holder.pid}${location}`;
    super(`${resource} is already in use by ${holderText}; nothing was changed`);
    this.name = "LockHeld";
  }
}
