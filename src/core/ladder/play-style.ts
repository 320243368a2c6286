import type { BotId } from "#core/ids/ids.ts";
import type { Results } from "#core/ids/results.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import { totalGames, winRate } from "./version-record.ts";

export type BotPlayTotals = {
  botId: BotId;
  games: number;
  ticks: number;
  moves: number;
  dashes: number;
  uses: number;
  hits: number;
  damageDealt: number;
  damageTaken: number;
  healed: number;
  wallSlams: number;
  zoneDamage: number;
  idles: number;
};

export type BotWeapon = {
  botId: BotId;
  attack: string;
  uses: number;
  hits: number;
  damage: number;
};

export type WeaponTotals = Omit<BotWeapon, "botId" | "attack">;

export type PlayStats = Omit<BotPlayTotals, "botId" | "games">;

type StyleName =
  | "duellist"
  | "marksman"
  | "grappler"
  | "bouncer"
  | "bomber"
  | "arsonist"
  | "all-rounder"
  | "pacifist";

const STYLE_BY_ATTACK: Readonly<Record<string, StyleName>> = {
  strike: "duellist",
  bolt: "marksman",
  hook: "grappler",
  repulse: "bouncer",
  blast: "bomber",
  scorch: "arsonist",
};
/** Minimum share of the bot's weapon damage, in percent, for an attack to name the style. */
const STYLE_MIN_SHARE = 40;

/** A bot's most unusual habit compared to other bots, apart from its choice of attacks. */
type PlayManner = "aggressive" | "patient" | "nimble" | "steady" | "even";
/** A rate is notable if it differs from the average by this factor in either direction. */
const NOTABLE_RATIO = 1.1;

type Rates = { attacks: number; steps: number };

/** A map's record is smoothed with this many games at the bot's overall rate. */
const PRIOR_GAMES = 20;
/** Minimum gain in the share of points, 0 to 1. Smaller gains are due to chance. */
const MIN_GAIN = 0.05;

export type BotStyleSummary = {
  botId: BotId;
  style: StyleName;
  manner: PlayManner;
  games: number;
  favourite: string | null;
  /** Percentages and averages have two decimals. */
  favouriteShare: number;
  accuracy: number;
  attacksPer100Ticks: number;
  stepsPer100Ticks: number;
  damageDealt: number;
  damageTaken: number;
  healed: number;
  wallSlams: number;
  zoneDamage: number;
  idles: number;
};

export type PaceTotals = Pick<BotPlayTotals, "ticks" | "uses" | "moves" | "dashes">;

export function averageRates(playTotals: readonly PaceTotals[]): Rates {
  const sum = (count: (entry: PaceTotals) => number) =>
    playTotals.reduce((total, entry) => total + count(entry), 0);
  const ticks = sum((entry) => entry.ticks);
  return {
    attacks: average(100 * sum((entry) => entry.uses), ticks),
    steps: average(100 * sum((entry) => entry.moves + entry.dashes), ticks),
  };
}

/** Returns a bot's style. `baseline` is the average rate of the compared bots. */
export function summarizeStyle(
  playTotals: BotPlayTotals,
  weapons: readonly BotWeapon[],
  baseline: Rates,
): BotStyleSummary {
  const { botId, games, ticks } = playTotals;
  const favourite = maxBy(weapons, (weapon) => weapon.damage);
  const share = favourite === null ? 0 : damageShare(favourite.damage, weapons);
  const dealsNoDamage = favourite === null || favourite.damage === 0;
  return {
    botId,
    style: dealsNoDamage ? "pacifist" : styleName(favourite, share),
    manner: playManner(averageRates([playTotals]), baseline),
    games,
    favourite: dealsNoDamage ? null : favourite.attack,
    favouriteShare: share,
    accuracy: percent(playTotals.hits, playTotals.uses),
    attacksPer100Ticks: average(100 * playTotals.uses, ticks),
    stepsPer100Ticks: average(100 * (playTotals.moves + playTotals.dashes), ticks),
    damageDealt: average(playTotals.damageDealt, games),
    damageTaken: average(playTotals.damageTaken, games),
    healed: average(playTotals.healed, games),
    wallSlams: average(playTotals.wallSlams, games),
    zoneDamage: average(playTotals.zoneDamage, games),
    idles: average(playTotals.idles, games),
  };
}

/** Returns the damage as a percentage of the damage by all these weapons, to two decimal places. */
export function damageShare(damage: number, weapons: readonly WeaponTotals[]): number {
  const total = weapons.reduce((sum, weapon) => sum + weapon.damage, 0);
  return percent(damage, total);
}

function playManner(ownRates: Rates, baseline: Rates): PlayManner {
  const [attacks, steps] = [
    rateRatio(ownRates.attacks, baseline.attacks),
    rateRatio(ownRates.steps, baseline.steps),
  ];
  const isAttackRateStronger = logDistance(attacks) >= logDistance(steps);
  const strongerRatio = isAttackRateStronger ? attacks : steps;
  if (logDistance(strongerRatio) < Math.log(NOTABLE_RATIO)) return "even";
  if (isAttackRateStronger) return strongerRatio > 1 ? "aggressive" : "patient";
  return strongerRatio > 1 ? "nimble" : "steady";
}

const rateRatio = (ownRates: number, baseline: number): number =>
  baseline === 0 ? 1 : ownRates / baseline;
const logDistance = (times: number): number => Math.abs(Math.log(times));

function styleName(favourite: BotWeapon, share: number): StyleName {
  if (share < STYLE_MIN_SHARE) return "all-rounder";
  return STYLE_BY_ATTACK[favourite.attack] ?? "all-rounder";
}

export type MapRecord = Results & { botId: BotId; map: string };
export type MapSpecialist = {
  map: string;
  botId: BotId;
  games: number;
  winRate: number;
  usualWinRate: number;
};

/**
 * Returns, for each map, the bot that exceeds its overall rate by the widest margin. Few games
 * count less. Omits maps without a clear leader.
 */
export function mapSpecialists(records: readonly MapRecord[]): MapSpecialist[] {
  const baseline = new Map(
    [...Map.groupBy(records, ({ botId }) => botId)].map(([botId, ownRates]) => [
      botId,
      pointsShare(ownRates),
    ]),
  );
  const byMap = Map.groupBy(records, ({ map }) => map);
  return [...byMap.keys()].toSorted().flatMap((map) => {
    const qualifying = (byMap.get(map) ?? []).filter(
      (entry) => totalGames(entry) >= FIXED_LIMITS.specialist_games,
    );
    const gain = (entry: MapRecord) => {
      const weight = totalGames(entry) / (totalGames(entry) + PRIOR_GAMES);
      return weight * (pointsShare([entry]) - (baseline.get(entry.botId) ?? 0));
    };
    const best = maxBy(qualifying, gain);
    if (best === null || gain(best) < MIN_GAIN) return [];
    const { botId } = best;
    const usualWinRate = round2(100 * (baseline.get(botId) ?? 0));
    return [{ map, botId, games: totalGames(best), winRate: winRate(best) ?? 0, usualWinRate }];
  });
}

function pointsShare(records: readonly Results[]): number {
  const games = records.reduce((sum, record) => sum + totalGames(record), 0);
  const points = records.reduce((sum, { wins, draws }) => sum + wins + draws / 2, 0);
  return games === 0 ? 0 : points / games;
}

export type AttackSpecialist = {
  attack: string;
  botId: BotId;
  games: number;
  damagePerGame: number;
  accuracy: number;
};

export function attackSpecialists(
  playTotals: readonly BotPlayTotals[],
  weapons: readonly BotWeapon[],
): AttackSpecialist[] {
  const games = new Map(playTotals.map((entry) => [entry.botId, entry.games]));
  const damagePerGameOf = ({ botId, damage }: BotWeapon) => damage / (games.get(botId) ?? Infinity);
  const byAttack = Map.groupBy(weapons, ({ attack }) => attack);
  return [...byAttack.keys()].toSorted().flatMap((attack) => {
    const qualifying = (byAttack.get(attack) ?? []).filter(
      ({ botId }) => (games.get(botId) ?? 0) >= FIXED_LIMITS.specialist_games,
    );
    const best = maxBy(qualifying, damagePerGameOf);
    if (best === null || best.damage === 0) return [];
    const { botId, uses, hits } = best;
    const damagePerGame = round2(damagePerGameOf(best));
    return [
      { attack, botId, games: games.get(botId) ?? 0, damagePerGame, accuracy: percent(hits, uses) },
    ];
  });
}

function maxBy<T>(items: readonly T[], value: (item: T) => number): T | null {
  let best: T | null = null;
  for (const item of items) if (best === null || value(item) > value(best)) best = item;
  return best;
}

const round2 = (value: number): number => Math.round(100 * value) / 100;
const average = (sum: number, count: number): number => (count === 0 ? 0 : round2(sum / count));
/** Capped, because an area that hits twice can have more hits than uses. */
const percent = (part: number, whole: number): number => Math.min(100, average(100 * part, whole));
