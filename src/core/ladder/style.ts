// How bots fight, judged by what they did in a season, and who is best at what.

import type { BotId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { Results } from "#core/words/results.ts";

import { gamesOf, winRate } from "./version-record.ts";

export type BotPlay = {
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
  /** Wall slams that it caused. */
  wallSlams: number;
  zoneDamage: number;
  /** Turns without a valid answer. */
  idles: number;
};

export type Weapon = { botId: BotId; attack: string; uses: number; hits: number; damage: number };

export type WeaponFigures = Omit<Weapon, "botId" | "attack">;

/** What a bot did in all its matches that have statistics; styles are derived from it. */
export type PlayFigures = Omit<BotPlay, "botId" | "games">;

type StyleName =
  | "duellist"
  | "marksman"
  | "grappler"
  | "bouncer"
  | "bomber"
  | "arsonist"
  | "all-rounder"
  | "pacifist";

/** The style of a bot that relies on one attack. */
const STYLE_BY_ATTACK: Readonly<Record<string, StyleName>> = {
  strike: "duellist",
  bolt: "marksman",
  hook: "grappler",
  repulse: "bouncer",
  blast: "bomber",
  scorch: "arsonist",
};
/** The share of a bot's weapon damage, in percent, that one attack must do to name its style. */
const NAMING_SHARE = 40;

/** What a bot does more or less often than others, apart from how it does its damage. */
type Manner = "aggressive" | "patient" | "nimble" | "steady" | "even";
/**
 * A rate is remarkable if it is this many times the usual one, or less than the usual one by the
 * same factor.
 */
const REMARKABLE = 1.1;

/** Uses of attacks, and steps, per 100 ticks. */
type Rates = { attacks: number; steps: number };

/** A map's record is smoothed with this many games at the bot's usual rate. */
const USUAL_GAMES = 20;
/** Least gain in the share of points, 0 to 1; a smaller one is chance. */
const LEAST_GAIN = 0.05;

export type Style = {
  botId: BotId;
  style: StyleName;
  manner: Manner;
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

/** What tells the pace of one bot, or of several together. */
export type PaceSums = Pick<BotPlay, "ticks" | "uses" | "moves" | "dashes">;

/** The rates of all bots together. */
export function usualRates(play: readonly PaceSums[]): Rates {
  const sum = (count: (one: PaceSums) => number) => play.reduce((all, one) => all + count(one), 0);
  const ticks = sum((one) => one.ticks);
  return {
    attacks: average(100 * sum((one) => one.uses), ticks),
    steps: average(100 * sum((one) => one.moves + one.dashes), ticks),
  };
}

/** `usual` are the rates of all bots that this one is compared with. */
export function styleOf(play: BotPlay, weapons: readonly Weapon[], usual: Rates): Style {
  const { botId, games, ticks } = play;
  const favourite = greatest(weapons, (weapon) => weapon.damage);
  const share = favourite === null ? 0 : shareOfDamage(favourite.damage, weapons);
  const isHarmless = favourite === null || favourite.damage === 0;
  return {
    botId,
    style: isHarmless ? "pacifist" : nameOf(favourite, share),
    manner: mannerOf(usualRates([play]), usual),
    games,
    favourite: isHarmless ? null : favourite.attack,
    favouriteShare: share,
    accuracy: percent(play.hits, play.uses),
    attacksPer100Ticks: average(100 * play.uses, ticks),
    stepsPer100Ticks: average(100 * (play.moves + play.dashes), ticks),
    damageDealt: average(play.damageDealt, games),
    damageTaken: average(play.damageTaken, games),
    healed: average(play.healed, games),
    wallSlams: average(play.wallSlams, games),
    zoneDamage: average(play.zoneDamage, games),
    idles: average(play.idles, games),
  };
}

/** In percent of the damage that all these weapons did; two decimals. */
export function shareOfDamage(damage: number, weapons: readonly WeaponFigures[]): number {
  const all = weapons.reduce((sum, weapon) => sum + weapon.damage, 0);
  return percent(damage, all);
}

/** Decided by the rate that is farther from the usual one. */
function mannerOf(own: Rates, usual: Rates): Manner {
  const [attacks, steps] = [ratio(own.attacks, usual.attacks), ratio(own.steps, usual.steps)];
  const isAboutAttacks = distance(attacks) >= distance(steps);
  const more = isAboutAttacks ? attacks : steps;
  if (distance(more) < Math.log(REMARKABLE)) return "even";
  if (isAboutAttacks) return more > 1 ? "aggressive" : "patient";
  return more > 1 ? "nimble" : "steady";
}

const ratio = (own: number, usual: number): number => (usual === 0 ? 1 : own / usual);
const distance = (times: number): number => Math.abs(Math.log(times));

function nameOf(favourite: Weapon, share: number): StyleName {
  if (share < NAMING_SHARE) return "all-rounder";
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
 * For each map, the bot that does better there than it usually does by the widest margin; few games
 * there count for less. A map on which nobody does clearly better has none.
 */
export function mapSpecialists(records: readonly MapRecord[]): MapSpecialist[] {
  const usual = new Map(
    [...Map.groupBy(records, ({ botId }) => botId)].map(([botId, own]) => [botId, shareOf(own)]),
  );
  const byMap = Map.groupBy(records, ({ map }) => map);
  return [...byMap.keys()].toSorted().flatMap((map) => {
    const often = (byMap.get(map) ?? []).filter((one) => gamesOf(one) >= FIXED.specialist_games);
    const gain = (one: MapRecord) => {
      const weight = gamesOf(one) / (gamesOf(one) + USUAL_GAMES);
      return weight * (shareOf([one]) - (usual.get(one.botId) ?? 0));
    };
    const best = greatest(often, gain);
    if (best === null || gain(best) < LEAST_GAIN) return [];
    const { botId } = best;
    const usualWinRate = round2(100 * (usual.get(botId) ?? 0));
    return [{ map, botId, games: gamesOf(best), winRate: winRate(best) ?? 0, usualWinRate }];
  });
}

/** The share of points in several records together, 0 to 1. */
function shareOf(records: readonly Results[]): number {
  const games = records.reduce((sum, record) => sum + gamesOf(record), 0);
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

/** For each attack, the bot that does the most damage per game with it. */
export function attackSpecialists(
  play: readonly BotPlay[],
  weapons: readonly Weapon[],
): AttackSpecialist[] {
  const games = new Map(play.map((one) => [one.botId, one.games]));
  const perGame = ({ botId, damage }: Weapon) => damage / (games.get(botId) ?? Infinity);
  const byAttack = Map.groupBy(weapons, ({ attack }) => attack);
  return [...byAttack.keys()].toSorted().flatMap((attack) => {
    const often = (byAttack.get(attack) ?? []).filter(
      ({ botId }) => (games.get(botId) ?? 0) >= FIXED.specialist_games,
    );
    const best = greatest(often, perGame);
    if (best === null || best.damage === 0) return [];
    const { botId, uses, hits } = best;
    const damagePerGame = round2(perGame(best));
    return [
      { attack, botId, games: games.get(botId) ?? 0, damagePerGame, accuracy: percent(hits, uses) },
    ];
  });
}

/** The first of the greatest items, or null if there are none. */
function greatest<T>(items: readonly T[], value: (item: T) => number): T | null {
  let best: T | null = null;
  for (const item of items) if (best === null || value(item) > value(best)) best = item;
  return best;
}

const round2 = (value: number): number => Math.round(100 * value) / 100;
const average = (sum: number, count: number): number => (count === 0 ? 0 : round2(sum / count));
/** An area that hurts twice may have more hits than uses. */
const percent = (part: number, whole: number): number => Math.min(100, average(100 * part, whole));
