// House bots. By default, every ladder has all of them.

export const HOUSE_OWNER = "house";

export type Difficulty = "Easy" | "Medium" | "Hard" | "Very hard";

type HouseBot = {
  name: string;
  /** Name used in flags and opponent requests. */
  short: string;
  display: string;
  difficulty: Difficulty;
  /** Whether the bot is one of the house bots whose mean rating is 1500. The champion isn't. */
  isScaleAnchor: boolean;
};

/** Easiest first. */
export const HOUSE_BOTS = [
  {
    name: "house-kiter",
    short: "kiter",
    display: "Kiter",
    difficulty: "Easy",
    isScaleAnchor: true,
  },
  {
    name: "house-brawler",
    short: "brawler",
    display: "Brawler",
    difficulty: "Medium",
    isScaleAnchor: true,
  },
  {
    name: "house-ts-starter",
    short: "ts-starter",
    display: "Starter",
    difficulty: "Hard",
    isScaleAnchor: true,
  },
  {
    name: "house-champion",
    short: "champion",
    display: "Champion",
    difficulty: "Very hard",
    isScaleAnchor: false,
  },
] as const satisfies readonly HouseBot[];

export type HouseKind = (typeof HOUSE_BOTS)[number]["short"];
export const HOUSE_KINDS: readonly HouseKind[] = HOUSE_BOTS.map(({ short }) => short);

const HOUSE_BOTS_BY_NAME: ReadonlyMap<string, HouseBot> = new Map(
  HOUSE_BOTS.map((bot) => [bot.name, bot]),
);

/** Returns the display name. Identifiers and links use the canonical name. */
export function displayName(name: string): string {
  return HOUSE_BOTS_BY_NAME.get(name)?.display ?? name;
}

/** Returns the canonical name of the house bot with this display name, ignoring case, or null. */
export function canonicalHouseName(text: string): string | null {
  const lowerCaseText = text.toLowerCase();
  return HOUSE_BOTS.find(({ display }) => display.toLowerCase() === lowerCaseText)?.name ?? null;
}

export function difficultyOf(name: string): Difficulty | null {
  return HOUSE_BOTS_BY_NAME.get(name)?.difficulty ?? null;
}

export function isScaleAnchor({ house, name }: { house: boolean; name: string }): boolean {
  return house && (HOUSE_BOTS_BY_NAME.get(name)?.isScaleAnchor ?? true);
}
