// Turns patterns in a version's lost games into advice for the author.

import type { Losses } from "#core/api/bot-record.ts";
import { RULES } from "#core/engine/rules.ts";
import { DAMAGE_SOURCE_TEXTS } from "#site/viewer/match-texts.ts";

/** With fewer lost games, shares aren't meaningful. */
const MIN_GAMES = 5;
/** Minimum ratio of a map's loss rate to the usual loss rate for the map to be mentioned. */
const REMARKABLE_RATIO = 1.25;

/** Returns findings, most important first. */
export function describeLosses(losses: Losses): string[] {
  if (losses.games === 0) return [];
  return [mainDamageSource, worstDamageTrade, worstMap, worstOpponent].flatMap(
    (describe) => describe(losses) ?? [],
  );
}

type LossSource = Losses["damage"][number];

const ZONE_ADVICE = `The zone shrinks from tick ${RULES.zone.start} on: move towards the center earlier.`;

const sourceName = ({ source }: LossSource): string => DAMAGE_SOURCE_TEXTS[source];

function mainDamageSource({ damage, games }: Losses): string | null {
  const [mainSource] = damage;
  const totalDamage = sumCounts(damage.map(({ taken }) => taken));
  if (mainSource === undefined || totalDamage === 0) return null;
  const percent = Math.round((mainSource.taken / totalDamage) * 100);
  const finding = `In these ${games} losses, ${percent} % of damage taken came from`;
  return mainSource.source === "zone"
    ? `${finding} the zone. ${ZONE_ADVICE}`
    : `${finding} ${sourceName(mainSource)}.`;
}

/**
 * Returns the attack with the worst damage balance. Zone damage doesn't count, because fighters
 * can't deal it.
 */
function worstDamageTrade({ damage, games }: Losses): string | null {
  const attacks = damage.filter(({ source }) => source !== "zone");
  const [worstEntry] = attacks.toSorted((a, b) => damageDeficit(b) - damageDeficit(a));
  if (worstEntry === undefined || damageDeficit(worstEntry) <= 0) return null;
  const [taken, dealt] = [worstEntry.taken, worstEntry.dealt].map((sum) => Math.round(sum / games));
  return `Worst attack matchup: ${sourceName(worstEntry)}, with ${taken} HP taken and ${dealt} dealt per game.`;
}

const damageDeficit = ({ taken, dealt }: LossSource): number => taken - dealt;

function worstMap({ maps }: Losses): string | null {
  const [games, lostGames] = [
    sumCounts(maps.map((a) => a.games)),
    sumCounts(maps.map((a) => a.lost)),
  ];
  if (games === 0) return null;
  const averageLossRate = lostGames / games;
  const [worstEntry] = maps
    .filter((a) => a.lost >= MIN_GAMES && a.lost / a.games >= REMARKABLE_RATIO * averageLossRate)
    .toSorted((a, b) => b.lost / b.games - a.lost / a.games);
  if (worstEntry === undefined) return null;
  const [mapPercent, averagePercent] = [worstEntry.lost / worstEntry.games, averageLossRate].map(
    (x) => Math.round(x * 100),
  );
  return `Worst map: ${worstEntry.map}, with ${mapPercent} % of games lost (${averagePercent} % on all maps).`;
}

function worstOpponent({ opponents, games }: Losses): string | null {
  const [worstEntry] = opponents;
  if (worstEntry === undefined || worstEntry.games < MIN_GAMES) return null;
  const percent = Math.round((worstEntry.games / games) * 100);
  return `${percent} % of losses were against ${worstEntry.display_name}.`;
}

const sumCounts = (counts: readonly number[]): number =>
  counts.reduce((sum, count) => sum + count, 0);
