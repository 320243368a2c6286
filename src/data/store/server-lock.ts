// The lock that keeps a second server from a data folder or a database.

/** Held from before anything is touched to the end of the process, which frees it however it ends. */
export type ServerLock = {
  /** Lets whoever is refused know where this server is reached. */
  announce(address: string): Promise<void>;
  /** Asked before each write. Takes a lost lock again, and rejects with StoreError until it can. */
  assure(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Who serves already; null where that could not be found out. */
export type Holder = { pid: number; address: string | null } | null;

/** Another server has the lock. Nothing was touched. */
export class LockHeld extends Error {
  constructor(what: string, holder: Holder) {
    const at = holder?.address ? ` at ${holder.address}` : "";
    const who = holder === null ? "another process" : `process ${holder.pid}${at}`;
    super(`${what} is served by ${who} already; nothing was touched`);
    this.name = "LockHeld";
  }
}
