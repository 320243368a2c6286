// Who is there: house bots, owners and their bots, when they are awake, and the versions they
// bring, each with its true strength. All of it is settled before time begins.

import { DAY, HOUR } from "#base/units/time.ts";
import { HOUSE_BOTS, HOUSE_OWNER } from "#core/words/house.ts";
import type { AccountId, LadderId } from "#core/words/ids.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";
import { drawStrength } from "#testing/simulation/truth.ts";
import type { Strength } from "#testing/simulation/truth.ts";

import { drawCharacter } from "./behaviour.ts";
import type { Character } from "./behaviour.ts";
import { drawLadders } from "./ladder-plan.ts";
import type { PlannedLadder } from "./ladder-plan.ts";

type VersionSpec = {
  label: string;
  /** µs at which the bot starts to play with it. */
  from: number;
  strength: Strength;
};

/** Of a person who has bots. */
export type AccountHolder = {
  id: AccountId;
  handle: string;
  isBanned: boolean;
  hasLeft: boolean;
};

/** Null for a bot that never sleeps. */
type Hours = { peak: number; length: number } | null;

export type BotSpec = {
  name: string;
  owner: string;
  /** The handle of the account that owns it, or will; null for none. */
  account: string | null;
  /** µs at which its account claims it; null for one that was the account's from the start. */
  claimedAt: number | null;
  house: boolean;
  character: Character;
  /** µs at which it is registered. */
  arrives: number;
  hours: Hours;
  /** Where a player's bot queues, one of them each time. */
  ladders: readonly LadderId[];
  /** The oldest first; at least one. */
  versions: readonly VersionSpec[];
};

export type PopulationOptions = {
  /** All bots, including the house's. */
  bots: number;
  days: number;
  manners: "mixed" | Character;
  /** Ladders other than public; where there are none, nobody has an account. */
  plans: readonly PlannedLadder[];
};

/** True points of the house bots; the three that hold the scale average 1500. */
export const HOUSE_POINTS: Record<string, number> = {
  kiter: 1380,
  brawler: 1500,
  "ts-starter": 1620,
  champion: 1950,
};
export const PLAYER_POINTS = { mean: 1550, deviation: 250 };
/** What a new version gains over the previous one. */
const GAIN = { mean: 30, deviation: 70 };
const DAYS_PER_VERSION = 2.5;
const MOST_BOTS_PER_OWNER = 4;
/** Of the owners: have an account. Of their bots: are claimed later. */
const SHARE_ACCOUNTS = 0.6;
const SHARE_CLAIMED = 0.25;
/**
 * Shares of the players: there from the start; never asleep; awake in the evenings of one
 * continent.
 */
const SHARE_AT_START = 0.7;
const SHARE_SLEEPLESS = 0.15;
const SHARE_EVENING = 0.75;
const EVENING = { hour: 19, deviation: 2 };

export function drawPopulation(dice: SeededDice, options: PopulationOptions): BotSpec[] {
  const house = HOUSE_BOTS.map(({ name, short }) => houseBot(dice, name, HOUSE_POINTS[short]!));
  const players: BotSpec[] = [];
  for (let owner = 0; house.length + players.length < options.bots; owner += 1) {
    const room = options.bots - house.length - players.length;
    const count = Math.min(room, 1 + dice.below(MOST_BOTS_PER_OWNER));
    for (let bot = 0; bot < count; bot += 1)
      players.push(player(dice, `owner${owner}`, `bot${owner}-${bot}`, options));
  }
  return [...house, ...players];
}

function houseBot(dice: SeededDice, name: string, points: number): BotSpec {
  return {
    name,
    owner: HOUSE_OWNER,
    account: null,
    claimedAt: null,
    house: true,
    character: "polite",
    arrives: 0,
    hours: null,
    ladders: [],
    versions: [{ label: "v1", from: 0, strength: drawStrength(dice, points) }],
  };
}

function player(
  dice: SeededDice,
  owner: string,
  name: string,
  { days, manners, plans }: PopulationOptions,
): BotSpec {
  const arrives = dice.chance(SHARE_AT_START) ? 0 : Math.floor(dice.between(0, days * DAY));
  return {
    name,
    ...drawOwner(dice, owner, { arrives, end: days * DAY, hasAccounts: plans.length > 0 }),
    house: false,
    character: manners === "mixed" ? drawCharacter(dice) : manners,
    arrives,
    hours: drawHours(dice),
    ladders: drawLadders(dice.branch(`ladders of ${name}`), plans),
    versions: drawVersions(dice, arrives, days * DAY),
  };
}

type Stay = { arrives: number; end: number; hasAccounts: boolean };

/** Owners without an account are the same in any letter case. */
function drawOwner(
  dice: SeededDice,
  owner: string,
  { arrives, end, hasAccounts }: Stay,
): Pick<BotSpec, "owner" | "account" | "claimedAt"> {
  const isLoud = dice.chance(0.5);
  const own = dice.branch(`account of ${owner}`);
  if (!hasAccounts || !own.chance(SHARE_ACCOUNTS))
    return { owner: isLoud ? owner.toUpperCase() : owner, account: null, claimedAt: null };
  if (!dice.chance(SHARE_CLAIMED)) return { owner, account: owner, claimedAt: null };
  return {
    owner: `${owner} of old`,
    account: owner,
    claimedAt: Math.ceil(dice.between(arrives, end)),
  };
}

function drawHours(dice: SeededDice): Hours {
  if (dice.chance(SHARE_SLEEPLESS)) return null;
  const peak = dice.chance(SHARE_EVENING)
    ? dice.normal(EVENING.hour, EVENING.deviation)
    : dice.between(0, 24);
  return { peak, length: dice.between(3, 12) };
}

function drawVersions(dice: SeededDice, arrives: number, end: number): VersionSpec[] {
  const versions: VersionSpec[] = [];
  let points = dice.normal(PLAYER_POINTS.mean, PLAYER_POINTS.deviation);
  for (let from = arrives; from <= end || versions.length === 0;) {
    const label = `v${versions.length + 1}`;
    versions.push({ label, from, strength: drawStrength(dice, points) });
    points += dice.normal(GAIN.mean, GAIN.deviation);
    from += Math.ceil(dice.exponential(DAYS_PER_VERSION * DAY));
  }
  return versions;
}

/** When the bot next falls asleep, seen from a moment when it is awake; and when it wakes. */
export type Shift = { wakes: number; sleeps: number };

/** The shift of a day, in µs since time began. A bot without hours has a shift that never ends. */
export function drawShift(dice: SeededDice, { hours, arrives }: BotSpec, day: number): Shift {
  if (hours === null) return { wakes: arrives, sleeps: Infinity };
  const middle = day * DAY + (hours.peak + dice.normal(0, 0.5)) * HOUR;
  const half = (hours.length * dice.between(0.6, 1.4) * HOUR) / 2;
  return {
    wakes: Math.round(Math.max(arrives, middle - half)),
    sleeps: Math.round(middle + half),
  };
}
