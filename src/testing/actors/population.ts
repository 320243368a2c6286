// The simulated bots with their owners, online hours, versions and true strengths, drawn before the
// run starts.

import { DAY_US, HOUR_US } from "#base/util/time.ts";
import { HOUSE_BOTS, HOUSE_OWNER } from "#core/ids/house-bots.ts";
import type { AccountId, LadderId } from "#core/ids/ids.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";
import { drawStrength } from "#testing/simulation/strength.ts";
import type { Strength } from "#testing/simulation/strength.ts";

import { drawCharacter } from "./behaviour.ts";
import type { Character } from "./behaviour.ts";
import { drawLadders } from "./ladder-plan.ts";
import type { PlannedLadder } from "./ladder-plan.ts";

type VersionSpec = {
  label: string;
  from: number;
  strength: Strength;
};

export type AccountHolder = {
  id: AccountId;
  handle: string;
  isBanned: boolean;
  hasLeft: boolean;
};

/** Null for a bot that is always online. */
type AwakeHours = { peak: number; length: number } | null;

export type BotSpec = {
  name: string;
  owner: string;
  /**
   * Handle of the account that registered the bot or will claim it; null if the bot never belongs
   * to an account.
   */
  account: string | null;
  /** Time at which the account claims the bot, in µs; null if the account registered it. */
  claimedAt: number | null;
  house: boolean;
  character: Character;
  registersAt: number;
  hours: AwakeHours;
  /** Ladders on which the bot queues, one at a time. */
  ladders: readonly LadderId[];
  /** At least one, oldest first. */
  versions: readonly VersionSpec[];
};

export type PopulationOptions = {
  bots: number;
  days: number;
  manners: "mixed" | Character;
  /** Ladders other than the public ladder. If there are none, players have no accounts. */
  ladderPlans: readonly PlannedLadder[];
};

/** True strengths in points. The three anchors average 1500. */
export const HOUSE_POINTS: Record<string, number> = {
  kiter: 1380,
  brawler: 1500,
  "ts-starter": 1620,
  champion: 1950,
};
export const PLAYER_POINTS = { mean: 1550, deviation: 250 };
const VERSION_GAIN = { mean: 30, deviation: 70 };
const DAYS_PER_VERSION = 2.5;
const MAX_BOTS_PER_OWNER = 4;
/** Share of owners with an account, and share of their bots that are claimed after registration. */
const SHARE_ACCOUNTS = 0.6;
const SHARE_CLAIMED = 0.25;
/**
 * Shares of players that exist at the start, are always online, or play in their continent's
 * evening.
 */
const SHARE_AT_START = 0.7;
const SHARE_ALWAYS_AWAKE = 0.15;
const SHARE_EVENING = 0.75;
const EVENING = { hour: 19, deviation: 2 };

export function drawPopulation(dice: SeededDice, options: PopulationOptions): BotSpec[] {
  const houseBots = HOUSE_BOTS.map(({ name, short }) =>
    createHouseBot(dice, name, HOUSE_POINTS[short]!),
  );
  const players: BotSpec[] = [];
  for (let owner = 0; houseBots.length + players.length < options.bots; owner += 1) {
    const remainingBots = options.bots - houseBots.length - players.length;
    const count = Math.min(remainingBots, 1 + dice.below(MAX_BOTS_PER_OWNER));
    for (let bot = 0; bot < count; bot += 1)
      players.push(createPlayerBot(dice, `owner${owner}`, `bot${owner}-${bot}`, options));
  }
  return [...houseBots, ...players];
}

function createHouseBot(dice: SeededDice, name: string, points: number): BotSpec {
  return {
    name,
    owner: HOUSE_OWNER,
    account: null,
    claimedAt: null,
    house: true,
    character: "polite",
    registersAt: 0,
    hours: null,
    ladders: [],
    versions: [{ label: "v1", from: 0, strength: drawStrength(dice, points) }],
  };
}

function createPlayerBot(
  dice: SeededDice,
  owner: string,
  name: string,
  { days, manners, ladderPlans }: PopulationOptions,
): BotSpec {
  const registersAt = dice.chance(SHARE_AT_START) ? 0 : Math.floor(dice.between(0, days * DAY_US));
  return {
    name,
    ...drawOwner(dice, owner, {
      registersAt,
      end: days * DAY_US,
      hasAccounts: ladderPlans.length > 0,
    }),
    house: false,
    character: manners === "mixed" ? drawCharacter(dice) : manners,
    registersAt,
    hours: drawHours(dice),
    ladders: drawLadders(dice.branch(`ladders of ${name}`), ladderPlans),
    versions: drawVersions(dice, registersAt, days * DAY_US),
  };
}

type OwnerContext = { registersAt: number; end: number; hasAccounts: boolean };

/** Names of owners without an account are case-insensitive. */
function drawOwner(
  dice: SeededDice,
  owner: string,
  { registersAt, end, hasAccounts }: OwnerContext,
): Pick<BotSpec, "owner" | "account" | "claimedAt"> {
  const isUpperCase = dice.chance(0.5);
  const accountDice = dice.branch(`account of ${owner}`);
  if (!hasAccounts || !accountDice.chance(SHARE_ACCOUNTS))
    return { owner: isUpperCase ? owner.toUpperCase() : owner, account: null, claimedAt: null };
  if (!dice.chance(SHARE_CLAIMED)) return { owner, account: owner, claimedAt: null };
  return {
    owner: `${owner} of old`,
    account: owner,
    claimedAt: Math.ceil(dice.between(registersAt, end)),
  };
}

function drawHours(dice: SeededDice): AwakeHours {
  if (dice.chance(SHARE_ALWAYS_AWAKE)) return null;
  const peak = dice.chance(SHARE_EVENING)
    ? dice.normal(EVENING.hour, EVENING.deviation)
    : dice.between(0, 24);
  return { peak, length: dice.between(3, 12) };
}

function drawVersions(dice: SeededDice, registersAt: number, end: number): VersionSpec[] {
  const versions: VersionSpec[] = [];
  let points = dice.normal(PLAYER_POINTS.mean, PLAYER_POINTS.deviation);
  for (let from = registersAt; from <= end || versions.length === 0;) {
    const label = `v${versions.length + 1}`;
    versions.push({ label, from, strength: drawStrength(dice, points) });
    points += dice.normal(VERSION_GAIN.mean, VERSION_GAIN.deviation);
    from += Math.ceil(dice.exponential(DAYS_PER_VERSION * DAY_US));
  }
  return versions;
}

export type Shift = { wakeTime: number; sleepTime: number };

/**
 * Returns when a bot is online on a given day, in µs since the start of the run. Bots without
 * online hours are always online.
 */
export function drawShift(dice: SeededDice, { hours, registersAt }: BotSpec, day: number): Shift {
  if (hours === null) return { wakeTime: registersAt, sleepTime: Infinity };
  const midpoint = day * DAY_US + (hours.peak + dice.normal(0, 0.5)) * HOUR_US;
  const halfLength = (hours.length * dice.between(0.6, 1.4) * HOUR_US) / 2;
  return {
    wakeTime: Math.round(Math.max(registersAt, midpoint - halfLength)),
    sleepTime: Math.round(midpoint + halfLength),
  };
}
