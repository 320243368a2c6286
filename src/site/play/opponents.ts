import { HOUSE_BOTS } from "#core/ids/house-bots.ts";
import type { Difficulty, HouseKind } from "#core/ids/house-bots.ts";

export type PlayOpponent = {
  short: HouseKind;
  name: string;
  display: string;
  difficulty: Difficulty;
  /** Fighting style, in half a line. */
  summary: string;
};

const HOUSE_BOT_DESCRIPTIONS: Record<HouseKind, string> = {
  kiter: "Keeps five steps away, shoots, and pushes you back.",
  brawler: "Walks straight at you, strikes, hooks and slams.",
  "ts-starter": "Learns how you move, and attacks when it's ahead.",
  champion: "Simulates its options before it chooses one.",
};

/** Returns the enabled opponents, easiest first. */
export function opponentsFor(shortNames: readonly HouseKind[]): PlayOpponent[] {
  return HOUSE_BOTS.filter(({ short }) => shortNames.includes(short)).map((bot) => ({
    ...bot,
    summary: HOUSE_BOT_DESCRIPTIONS[bot.short],
  }));
}
