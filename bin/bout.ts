#!/usr/bin/env node
// The `bout` command, with one file per subcommand.

import { enableCompileCache } from "node:module";
import { join } from "node:path";

const COMMANDS: Record<string, { about: string; run(args: string[]): Promise<void> }> = {
  serve: {
    about: "run the ladder",
    run: async (args) => (await import("#tools/cli/serve.ts")).runServe(args),
  },
  demo: {
    about: "run a ladder with sample bots on this machine; takes the flags of serve",
    run: async (args) => (await import("#tools/cli/demo.ts")).runDemo(args),
  },
  onboard: {
    about: "register a bot, let it practise, and play: with an account where one is needed",
    run: async (args) => (await import("#tools/cli/onboard.ts")).runOnboard(args),
  },
  sim: {
    about: "let two bots fight many games here, and say how sure the result is",
    run: async (args) => (await import("#tools/cli/sim.ts")).runSim(args),
  },
  replay: {
    about: "verify a replay and show it",
    run: async (args) => (await import("#tools/cli/replay.ts")).runReplay(args),
  },
  verify: {
    about: "compute a leaderboard from its games, and compare",
    run: async (args) => (await import("#tools/cli/verify.ts")).runVerify(args),
  },
  config: {
    about: "check a file of ladders and events before a server starts with it",
    run: async (args) => (await import("#tools/cli/config.ts")).runConfig(args),
  },
  admin: {
    about: "operate a ladder: bots, accounts, owners, ladders",
    run: async (args) => (await import("#tools/cli/admin.ts")).runAdmin(args),
  },
  doctor: {
    about: "look at what a server needs, and say what to do",
    run: async (args) => (await import("#tools/doctor/doctor-command.ts")).runDoctor(args),
  },
  rehearse: {
    about: "try how much this machine can take, with a ladder that is thrown away",
    run: async (args) => (await import("#tools/rehearse/rehearse-command.ts")).runRehearse(args),
  },
  backup: {
    about: "copy a ladder, while it runs",
    run: async (args) => (await import("#tools/keep/backup-command.ts")).runBackup(args),
  },
  restore: {
    about: "bring a ladder back from a backup",
    run: async (args) => (await import("#tools/keep/restore-command.ts")).runRestore(args),
  },
  "rotate-keys": {
    about: "sign sessions with a new key",
    run: async (args) => (await import("#tools/keep/rotate-command.ts")).runRotateKeys(args),
  },
  play: {
    about: "fight a bot yourself in the terminal",
    run: async (args) => (await import("#tools/cli/play.ts")).runPlay(args),
  },
};

const EXIT_USAGE = 2;

// What the build compiled; threads and sample bots inherit it. Halves the time of a short command.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../dist/compiled");
enableCompileCache(process.env.NODE_COMPILE_CACHE);

function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { about }]) => `  ${name.padEnd(13)}${about}`);
  return ["usage: bout COMMAND [flags], or bout --version", "", ...lines].join("\n");
}

async function versions(): Promise<string> {
  const { RELEASE, playedVersions } = await import("#server/composition/versions.ts");
  const { engine, protocol, rules } = playedVersions();
  return `bout ${RELEASE} (engine ${engine}, protocol ${protocol}, rules ${rules})`;
}

const [name = "", ...args] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command !== undefined) await command.run(args);
else if (["--help", "-h", "help"].includes(name)) console.log(usage());
else if (name === "--version") console.log(await versions());
else {
  console.error(name === "" ? usage() : `bout: there is no command '${name}'.\n${usage()}`);
  process.exitCode = EXIT_USAGE;
}
