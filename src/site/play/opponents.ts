// The house bots as opponents of people, from the easiest to the hardest.
import { HOUSE_BOTS } from "#core/words/house.ts";
import type { Difficulty, HouseKind } from "#core/words/house.ts";

export type Opponent = {
  short: HouseKind;
  name: string;
  display: string;
  difficulty: Difficulty;
  /** How it fights, in half a line. */
  about: string;
};

const ABOUT: Record<HouseKind, string> = {
  kiter: "Keeps five steps away, shoots, and pushes you off.",
  brawler: "Walks straight at you, strikes, hooks and slams.",
  "ts-starter": "Learns how you step, and presses when it is ahead.",
  champion: "Plays its ideas forward before it chooses one.",
};

/** Those that can be fought here. */
export function opponentsAmong(shorts: readonly HouseKind[]): Opponent[] {
  return HOUSE_BOTS.filter(({ short }) => shorts.includes(short)).map((bot) => ({
    ...bot,
    about: ABOUT[bot.short],
  }));
}
