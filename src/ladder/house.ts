// The bots that every ladder brings along.

export const HOUSE_OWNER = "house";

export type Difficulty = "Easy" | "Medium" | "Hard" | "Very hard";

type HouseBot = {
  name: string;
  /** As flags and opponent requests say it. */
  short: string;
  display: string;
  difficulty: Difficulty;
};

export const HOUSE_BOTS = [
  { name: "house-kiter", short: "kiter", display: "Kiter", difficulty: "Easy" },
  { name: "house-brawler", short: "brawler", display: "Brawler", difficulty: "Medium" },
  { name: "house-ts-starter", short: "ts-starter", display: "Starter", difficulty: "Hard" },
  { name: "house-champion", short: "champion", display: "Champion", difficulty: "Very hard" },
] as const satisfies readonly HouseBot[];

const byName: ReadonlyMap<string, HouseBot> = new Map(HOUSE_BOTS.map((bot) => [bot.name, bot]));

/** The name to show people; identifiers and links keep the canonical name. */
export function displayName(name: string): string {
  return byName.get(name)?.display ?? name;
}

/** How hard a house bot is to beat; null for a player's bot. */
export function difficultyOf(name: string): Difficulty | null {
  return byName.get(name)?.difficulty ?? null;
}
