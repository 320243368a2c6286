// The bots that every ladder includes.

export const HOUSE_OWNER = "house";

export type Difficulty = "Easy" | "Medium" | "Hard" | "Very hard";

type HouseBot = {
  name: string;
  /** The name in flags and opponent requests. */
  short: string;
  display: string;
  difficulty: Difficulty;
  /** Whether it is one of those whose mean rating is 1500. The champion floats above. */
  holdsScale: boolean;
};

/** From the easiest to the hardest. */
export const HOUSE_BOTS = [
  {
    name: "house-kiter",
    short: "kiter",
    display: "Kiter",
    difficulty: "Easy",
    holdsScale: true,
  },
  {
    name: "house-brawler",
    short: "brawler",
    display: "Brawler",
    difficulty: "Medium",
    holdsScale: true,
  },
  {
    name: "house-ts-starter",
    short: "ts-starter",
    display: "Starter",
    difficulty: "Hard",
    holdsScale: true,
  },
  {
    name: "house-champion",
    short: "champion",
    display: "Champion",
    difficulty: "Very hard",
    holdsScale: false,
  },
] as const satisfies readonly HouseBot[];

export type HouseKind = (typeof HOUSE_BOTS)[number]["short"];
export const HOUSE_KINDS: readonly HouseKind[] = HOUSE_BOTS.map(({ short }) => short);

const byName: ReadonlyMap<string, HouseBot> = new Map(HOUSE_BOTS.map((bot) => [bot.name, bot]));

/** The name shown to people; identifiers and links keep the canonical name. */
export function displayName(name: string): string {
  return byName.get(name)?.display ?? name;
}

/** The canonical name of the house bot that people mean by a display name in any letter case. */
export function houseNameOf(text: string): string | null {
  const lower = text.toLowerCase();
  return HOUSE_BOTS.find(({ display }) => display.toLowerCase() === lower)?.name ?? null;
}

/** How hard a house bot is to beat, or null for a player's bot. */
export function difficultyOf(name: string): Difficulty | null {
  return byName.get(name)?.difficulty ?? null;
}

/** Whether a bot is one of those whose mean rating is 1500. */
export function holdsScale({ house, name }: { house: boolean; name: string }): boolean {
  return house && (byName.get(name)?.holdsScale ?? true);
}
