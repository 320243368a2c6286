type Tag = { name: string; description: string; paths: readonly string[] };

/** The first match wins, so longer prefixes come first. */
export const TAGS: readonly Tag[] = [
  {
    name: "operator",
    description: "Operator functions for admins.",
    paths: ["/api/admin"],
  },
  {
    name: "own account",
    description: "The caller's account with its bots and keys.",
    paths: ["/api/account"],
  },
  {
    name: "own bot",
    description: "Operations for a bot with its own token.",
    paths: ["/api/me"],
  },
  {
    name: "bots",
    description: "Bots, their versions and histories, their owners, and search.",
    paths: ["/api/bots", "/api/users", "/api/search"],
  },
  {
    name: "matches",
    description: "Stored matches, their statistics and replays.",
    paths: ["/api/matches", "/replays"],
  },
  {
    name: "ladders",
    description: "Standings, seasons, events and current activity.",
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
    description: "Guides, schemas, downloads and server information.",
    paths: ["/"],
  },
];

export function tagOf(path: string): string {
  const tag = TAGS.find(({ paths }) => paths.some((start) => path.startsWith(start)));
  if (tag === undefined) throw new Error(`no tag matches ${path}`);
  return tag.name;
}
