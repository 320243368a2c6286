// The operator commands. They require a checkout with its dependencies, and the Node version that
// the checkout installs.

import type { CommandTable } from "./author-commands.ts";

export const OPERATOR_COMMANDS: CommandTable = {
  serve: {
    description: "run a server",
    run: async (args) => (await import("./serve.ts")).runServe(args),
  },
  demo: {
    description: "run a demo ladder with sample bots on this machine (flags as for serve)",
    run: async (args) => (await import("./demo.ts")).runDemo(args),
  },
  config: {
    description: "check a --config file with ladders and events",
    run: async (args) => (await import("./config.ts")).runConfig(args),
  },
  admin: {
    description: "manage a server: bots, accounts, owners, ladders, events, settings",
    run: async (args) => (await import("#tools/operator-commands/admin.ts")).runAdmin(args),
  },
  doctor: {
    description: "check that a server can run here, and find problems",
    run: async (args) => (await import("#tools/doctor/doctor-command.ts")).runDoctor(args),
  },
  "load-test": {
    description: "measure how many matches this machine can serve",
    run: async (args) => (await import("#tools/load-test/load-test-command.ts")).runLoadTest(args),
  },
  backup: {
    description: "copy a running ladder",
    run: async (args) => (await import("#tools/backup/backup-command.ts")).runBackup(args),
  },
  restore: {
    description: "restore a ladder from a backup",
    run: async (args) => (await import("#tools/backup/restore-command.ts")).runRestore(args),
  },
  "rotate-keys": {
    description: "replace the session signing key",
    run: async (args) => (await import("#tools/backup/rotate-keys-command.ts")).runRotateKeys(args),
  },
};
