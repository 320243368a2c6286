// Preloaded into a child process whose stdin is a pipe from its parent: the pipe ends when the
// parent does, however that happens, and the child with it.

process.stdin.on("close", () => process.exit());
process.stdin.resume();
