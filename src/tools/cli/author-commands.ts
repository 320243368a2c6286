// The commands of `bout`, in the order in which its help lists them. Each command's code is loaded
// when the command runs.

export type CommandEntry = {
  description: string;
  run(args: readonly string[]): Promise<void>;
};

export type CommandTable = Readonly<Record<string, CommandEntry>>;

export const AUTHOR_COMMANDS: CommandTable = {
  onboard: {
    description: "create an account and a bot, play a practice match, then play ranked",
    run: async (args) => (await import("#tools/author-commands/onboard.ts")).runOnboard(args),
  },
  sim: {
    description: "simulate matches between two bots",
    run: async (args) => (await import("#tools/author-commands/sim.ts")).runSim(args),
  },
  play: {
    description: "play against a bot in the terminal",
    run: async (args) => (await import("#tools/author-commands/play.ts")).runPlay(args),
  },
  replay: {
    description: "verify a replay and show it",
    run: async (args) => (await import("#tools/author-commands/replay.ts")).runReplay(args),
  },
  verify: {
    description: "compute a leaderboard from its matches, and compare",
    run: async (args) => (await import("#tools/author-commands/verify.ts")).runVerify(args),
  },
};
