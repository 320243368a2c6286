// Stop signals, including those for a server started through npm.
//
// npm passes SIGTERM and SIGINT to the shell that runs a script and exits when the shell does. The
// scripts in package.json replace the shell (`exec`), so that the server receives the signal. `npx
// bout` keeps the shell, which exits without passing the signal on. In that case, the server
// detects that its parent process has exited.

/** Under npm, Ctrl-C reaches the server twice: once from the terminal and once from npm. */
const NPM_COPY_MS = 500;
const PARENT_CHECK_MS = 500;
/** Values of `npm_lifecycle_event` for `npm start`, `npm run demo` and `npx bout`. */
const NPM_EVENTS = new Set(["start", "demo", "npx"]);

/**
 * Resolves on the first SIGTERM or SIGINT. Under npm, also resolves when the parent process exits.
 * A second signal calls `forceStop`.
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

/** An orphaned process gets a new parent, so a changed parent id means the parent has exited. */
function onParentExit(callback: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, PARENT_CHECK_MS);
  timer.unref();
}
