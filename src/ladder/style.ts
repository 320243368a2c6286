// How bots fight, read from what they did in a season; and who is best at what.

import { gamesOf, winRate } from "./version-record.ts";
import type { Results } from "./version-record.ts";

export type Play = {
  botId: string;
  games: number;
  ticks: number;
  moves: number;
  dashes: number;
  uses: number;
  hits: number;
  damageDealt: number;
  damageTaken: number;
};

export type Weapon = { botId: string; attack: string; uses: number; hits: number; damage: number };

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
const NAMING_SHARE = 50;

/** Games that it takes to be called a specialist. */
const SPECIALIST_GAMES = 10;
/** A map's record counts as if so many usual games had been played there as well. */
const USUAL_GAMES = 20;

export type Style = {
  botId: string;
  style: StyleName;
  games: number;
  favourite: string | null;
  /** Percentages and averages have two decimals. */
  favouriteShare: number;
  accuracy: number;
  attacksPer100Ticks: number;
  stepsPer100Ticks: number;
  damageDealt: number;
  damageTaken: number;
};

export function styleOf(play: Play, weapons: readonly Weapon[]): Style {
  const { botId, games, ticks } = play;
  const damage = weapons.reduce((sum, weapon) => sum + weapon.damage, 0);
  const favourite = greatest(weapons, (weapon) => weapon.damage);
  const share = favourite === null ? 0 : percent(favourite.damage, damage);
  return {
    botId,
    style: damage === 0 ? "pacifist" : nameOf(favourite, share),
    games,
    favourite: damage === 0 ? null : (favourite?.attack ?? null),
    favouriteShare: share,
    accuracy: percent(play.hits, play.uses),
    attacksPer100Ticks: average(100 * play.uses, ticks),
    stepsPer100Ticks: average(100 * (play.moves + play.dashes), ticks),
    damageDealt: average(play.damageDealt, games),
    damageTaken: average(play.damageTaken, games),
  };
}

function nameOf(favourite: Weapon | null, share: number): StyleName {
  if (favourite === null || share < NAMING_SHARE) return "all-rounder";
  return STYLE_BY_ATTACK[favourite.attack] ?? "all-rounder";
}

export type MapRecord = Results & { botId: string; map: string };
export type MapSpecialist = {
  map: string;
  botId: string;
  games: number;
  winRate: number;
  usualWinRate: number;
};

/**
 * For each map the bot that does there most better than it usually does; one with few games there
 * counts for less. A map on which nobody does better has none.
 */
export function mapSpecialists(records: readonly MapRecord[]): MapSpecialist[] {
  const usual = new Map(
    [...Map.groupBy(records, ({ botId }) => botId)].map(([botId, own]) => [botId, shareOf(own)]),
  );
  const byMap = Map.groupBy(records, ({ map }) => map);
  return [...byMap.keys()].toSorted().flatMap((map) => {
    const often = (byMap.get(map) ?? []).filter((one) => gamesOf(one) >= SPECIALIST_GAMES);
    const gain = (one: MapRecord) => {
      const weight = gamesOf(one) / (gamesOf(one) + USUAL_GAMES);
      return weight * (shareOf([one]) - (usual.get(one.botId) ?? 0));
    };
    const best = greatest(often, gain);
    if (best === null || gain(best) <= 0) return [];
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
  botId: string;
  games: number;
  damagePerGame: number;
  accuracy: number;
};

/** For each attack the bot that does most damage a game with it. */
export function attackSpecialists(
  play: readonly Play[],
  weapons: readonly Weapon[],
): AttackSpecialist[] {
  const games = new Map(play.map((one) => [one.botId, one.games]));
  const perGame = ({ botId, damage }: Weapon) => damage / (games.get(botId) ?? Infinity);
  const byAttack = Map.groupBy(weapons, ({ attack }) => attack);
  return [...byAttack.keys()].toSorted().flatMap((attack) => {
    const often = (byAttack.get(attack) ?? []).filter(
      ({ botId }) => (games.get(botId) ?? 0) >= SPECIALIST_GAMES,
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
