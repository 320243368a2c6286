// The lock that keeps a second server away from a data folder or a database.

/** Taken before anything is touched. The system frees it when the process ends, however it ends. */
export type ServerLock = {
  /** Tells servers that are refused where this one can be reached. */
  announce(address: string): Promise<void>;
  /** Called before each write. Retakes a lost lock; rejects with StoreError until it has it. */
  assure(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The server that holds the lock; null where that could not be found out. */
export type Holder = { pid: number; address: string | null } | null;

/** Whether a server holds the lock, and which. */
export type Holding = { isHeld: false } | { isHeld: true; holder: Holder };

/** Another server holds the lock. Nothing was touched. */
export class LockHeld extends Error {
  constructor(what: string, holder: Holder) {
    const at = holder?.address ? ` at ${holder.address}` : "";
    const who = holder === null ? "another process" : `process ${holder.pid}${at}`;
    super(`${what} is served by ${who} already; nothing was touched`);
    this.name = "LockHeld";
  }
}
