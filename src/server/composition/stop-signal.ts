// Stop signals of a server, including one started through npm.
//
// npm passes SIGTERM and SIGINT to the shell that runs a script, and exits when that shell does.
// The scripts of package.json replace the shell (`exec`), so the signal reaches the server. `npx
// bout` keeps the shell, which dies without passing the signal on; there the server detects that
// its parent is gone.

/** Under npm, Ctrl-C reaches the server twice: from the terminal and from npm. */
const NPM_COPY_MS = 500;
const PARENT_CHECK_MS = 500;
/** `npm_lifecycle_event` of `npm start`, `npm run demo` and `npx bout`. */
const NPM_EVENTS = new Set(["start", "demo", "npx"]);

/**
 * Resolves at the first SIGTERM or SIGINT or, under npm, when the parent process has ended. Calls
 * `forceStop` at the second signal.
 */
export function firstStopSignal(forceStop: () => void): Promise<void> {
  const isUnderNpm = NPM_EVENTS.has(process.env["npm_lifecycle_event"] ?? "");
  return new Promise((resolve) => {
    let firstSignalAt: number | null = null;
    const stop = () => {
      const now = performance.now();
      if (firstSignalAt === null) firstSignalAt = now;
      else if (!isUnderNpm || now - firstSignalAt >= NPM_COPY_MS) forceStop();
      resolve();
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
    if (isUnderNpm) onParentExit(resolve);
  });
}

/** An orphaned process gets a new parent, so its parent id changes. */
function onParentExit(callback: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, PARENT_CHECK_MS);
  timer.unref();
}
