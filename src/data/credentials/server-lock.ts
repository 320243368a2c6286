// Prevents a second server from using the same data folder or database.

/**
 * Acquired before anything is written. The operating system releases the lock when the process
 * ends, even after a crash.
 */
export type ServerLock = {
  /** Publishes this server's address. Other servers show it when they fail to get the lock. */
  announce(address: string): Promise<void>;
  /**
   * Call before each write. Reacquires a lost lock, and rejects with StoreError until that
   * succeeds.
   */
  ensureHeld(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Null if the server that holds the lock is unknown. */
export type LockHolder = { pid: number; address: string | null } | null;

export type LockStatus = { isLocked: false } | { isLocked: true; holder: LockHolder };

/** Thrown if another server holds the lock. Nothing was changed. */
export class LockHeld extends Error {
  constructor(resource: string, holder: LockHolder) {
    const location = holder?.address ? ` at ${holder.address}` : "";
    const holderText = holder === null ? "another process" : `process ${holder.pid}${location}`;
    super(`${resource} is already in use by ${holderText}; nothing was changed`);
    this.name = "LockHeld";
  }
}
