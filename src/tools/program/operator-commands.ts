// The commands of operators. They need a checkout: its dependencies, and the Node it installs.

import type { CommandTable } from "./commands.ts";

export const OPERATOR_COMMANDS: CommandTable = {
  serve: {
    about: "run the ladder",
    run: async (args) => (await import("#tools/cli/serve.ts")).runServe(args),
  },
  demo: {
    about: "run a ladder with sample bots on this machine; takes the flags of serve",
    run: async (args) => (await import("#tools/cli/demo.ts")).runDemo(args),
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
};
