// Groups of operations, by path prefix.

type Tag = { name: string; description: string; paths: readonly string[] };

/** The first match counts, so longer prefixes come first. */
export const TAGS: readonly Tag[] = [
  {
    name: "operator",
    description: "What admins may see and do.",
    paths: ["/api/admin"],
  },
  {
    name: "own account",
    description: "A person's account, with the bots and the keys that belong to it.",
    paths: ["/api/account"],
  },
  {
    name: "own bot",
    description: "What a bot's own token may see and change.",
    paths: ["/api/me"],
  },
  {
    name: "bots",
    description:
      "Bots, their versions and histories, the people behind them, and a search for both.",
    paths: ["/api/bots", "/api/users", "/api/search"],
  },
  {
    name: "matches",
    description: "Stored matches, their statistics and replays.",
    paths: ["/api/matches", "/replays"],
  },
  {
    name: "ladders",
    description: "Standings, seasons, events, and what goes on right now.",
    paths: [
      "/api/leaderboard",
      "/api/standings",
      "/api/seasons",
      "/api/ladders",
      "/api/events",
      "/api/lobby",
      "/api/status",
    ],
  },
  {
    name: "documents",
    description: "Guides, schemas, downloads, and the service about itself.",
    paths: ["/"],
  },
];

export function tagOf(path: string): string {
  const tag = TAGS.find(({ paths }) => paths.some((start) => path.startsWith(start)));
  if (tag === undefined) throw new Error(`no tag fits ${path}`);
  return tag.name;
}
