// The commands of `bout`, in the order of its help. Each loads its code only when it runs.

export type CommandEntry = {
  about: string;
  run(args: readonly string[]): Promise<void>;
};

export type CommandTable = Readonly<Record<string, CommandEntry>>;

/** What bot authors need. They get these as a package too. */
export const AUTHOR_COMMANDS: CommandTable = {
  onboard: {
    about: "register a bot, let it practise, and play: with an account where one is needed",
    run: async (args) => (await import("#tools/cli/onboard.ts")).runOnboard(args),
  },
  sim: {
    about: "let two bots fight many games here, and say how sure the result is",
    run: async (args) => (await import("#tools/cli/sim.ts")).runSim(args),
  },
  play: {
    about: "fight a bot yourself in the terminal",
    run: async (args) => (await import("#tools/cli/play.ts")).runPlay(args),
  },
  replay: {
    about: "verify a replay and show it",
    run: async (args) => (await import("#tools/cli/replay.ts")).runReplay(args),
  },
  verify: {
    about: "compute a leaderboard from its games, and compare",
    run: async (args) => (await import("#tools/cli/verify.ts")).runVerify(args),
  },
};
