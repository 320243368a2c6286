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
