// How bots fight, read from what they did in a season; and who is best at what.

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
  /** Slams into walls that it caused. */
  wallSlams: number;
  zoneDamage: number;
  /** Turns without a valid answer. */
  idles: number;
};

export type Weapon = { botId: BotId; attack: string; uses: number; hits: number; damage: number };

export type WeaponFigures = Omit<Weapon, "botId" | "attack">;

/** What a bot did in all its matches that have statistics: what styles are read from. */
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

/** Who lives by one attack. */
const STYLE_BY_ATTACK: Readonly<Record<string, StyleName>> = {
  strike: "duellist",
  bolt: "marksman",
  hook: "grappler",
  repulse: "bouncer",
  blast: "bomber",
  scorch: "arsonist",
};
/** Percent of a bot's damage by weapons that one attack must do to name its style. */
const NAMING_SHARE = 40;

/** What a bot does more or less of than others, beside how it does its damage. */
type Manner = "aggressive" | "patient" | "nimble" | "steady" | "even";
/** A rate is remarkable that is so many times the usual one, or so many times less. */
const REMARKABLE = 1.1;

/** Uses of attacks, and steps, in 100 ticks. */
type Rates = { attacks: number; steps: number };

/** A map's record counts as if so many usual games had been played there as well. */
const USUAL_GAMES = 20;
/** Of the share of points that is gained there, 0 to 1: less is chance. */
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

/** What all bots together do in their ticks. */
export function usualRates(play: readonly BotPlay[]): Rates {
  const sum = (count: (one: BotPlay) => number) => play.reduce((all, one) => all + count(one), 0);
  const ticks = sum((one) => one.ticks);
  return {
    attacks: average(100 * sum((one) => one.uses), ticks),
    steps: average(100 * sum((one) => one.moves + one.dashes), ticks),
  };
}

/** `usual` are the rates of all bots that it is compared with. */
export function styleOf(play: BotPlay, weapons: readonly Weapon[], usual: Rates): Style {
  const { botId, games, ticks } = play;
  const damage = weapons.reduce((sum, weapon) => sum + weapon.damage, 0);
  const favourite = greatest(weapons, (weapon) => weapon.damage);
  const share = favourite === null ? 0 : percent(favourite.damage, damage);
  return {
    botId,
    style: damage === 0 ? "pacifist" : nameOf(favourite, share),
    manner: mannerOf(usualRates([play]), usual),
    games,
    favourite: damage === 0 ? null : (favourite?.attack ?? null),
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

/** By the rate that is farther from the usual one. */
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

function nameOf(favourite: Weapon | null, share: number): StyleName {
  if (favourite === null || share < NAMING_SHARE) return "all-rounder";
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
 * For each map the bot that does there most better than it usually does; one with few games there
 * counts for less. A map on which nobody does clearly better has none.
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

/** The share of points that several records hold together, 0 to 1. */
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

/** For each attack the bot that does most damage a game with it. */
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

/** The first of the greatest; null of none. */
function greatest<T>(items: readonly T[], value: (item: T) => number): T | null {
  let best: T | null = null;
  for (const item of items) if (best === null || value(item) > value(best)) best = item;
  return best;
}

const round2 = (value: number): number => Math.round(100 * value) / 100;
const average = (sum: number, count: number): number => (count === 0 ? 0 : round2(sum / count));
/** An area that hurts twice may count more hits than uses. */
const percent = (part: number, whole: number): number => Math.min(100, average(100 * part, whole));
