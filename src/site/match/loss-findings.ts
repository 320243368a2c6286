// Turns match statistics into advice for the author of the losing bot.
import { totalDamage, hpBreakdown } from "#core/engine/hp-breakdown.ts";
import { RULES } from "#core/engine/rules.ts";
import { ATTACKS } from "#core/engine/types.ts";
import type { FighterStats, IdleReason, Refusal } from "#core/engine/types.ts";
import { IDLE_REASON_TEXT } from "#core/replay/idle-reason-text.ts";
import { REFUSAL_TEXTS } from "#site/viewer/match-texts.ts";

/** Minimum share of all turns for a fault to be mentioned. */
const NOTABLE_REFUSED_FRACTION = 0.1;
/** Minimum share of the damage taken. */
const NOTABLE_ZONE_FRACTION = 0.08;
/** An attack used at least this often without a hit counts as wasted. */
const WASTED_USES = 4;

type FighterStatsPair = { stats: FighterStats; opponentStats: FighterStats; ticks: number };

/** Returns findings about one fighter, most important first. */
export function lossFindingsFor(
  stats: FighterStats,
  opponentStats: FighterStats,
  ticks: number,
): string[] {
  const statsPair = { stats, opponentStats, ticks };
  return [
    describeFailedTurns,
    account,
    zone,
    describeStuns,
    describeRefusals,
    describeMissedAttacks,
    describeSlowReplies,
  ].flatMap((describe) => describe(statsPair) ?? []);
}

function describeFailedTurns({ stats, ticks }: FighterStatsPair): string | null {
  const reasons = sortedCounts(stats.server_idles);
  const sum = reasons.reduce((total, [, count]) => total + count, 0);
  if (sum === 0) return null;
  const items = reasons.map(
    ([reason, count]) => `${IDLE_REASON_TEXT[reason as IdleReason]} ${count}×`,
  );
  return `${sum} of ${ticks} ticks had no valid turn: ${items.join(", ")}.`;
}

function account({ stats, opponentStats }: FighterStatsPair): string {
  const { start, healed, selfDamage, zoneDamage, opponentDamage, overkill, remaining } =
    hpBreakdown(stats, opponentStats);
  const parts: [hp: number, text: string][] = [
    [healed, `+ ${healed} healed`],
    [totalDamage(selfDamage), `− ${totalDamage(selfDamage)} from own areas`],
    [zoneDamage, `− ${zoneDamage} from the zone`],
    [totalDamage(opponentDamage), `− ${totalDamage(opponentDamage)} from opponent`],
    [overkill, `+ ${overkill} overkill`],
  ];
  const balanceTerms = parts.filter(([hp]) => hp > 0).map(([, text]) => ` ${text}`);
  return `${start} hp${balanceTerms.join("")} = ${remaining} left.`;
}

function zone({ stats }: FighterStatsPair): string | null {
  const damage = stats.taken_by_source.zone;
  if (damage === 0 || damage < stats.damage_taken * NOTABLE_ZONE_FRACTION) return null;
  return `${stats.zone_ticks} ticks outside the zone cost ${damage} HP.`;
}

function describeStuns({ stats, opponentStats }: FighterStatsPair): string | null {
  if (stats.stunned === 0) return null;
  return `${stats.stunned} turns lost to stuns, after ${opponentStats.wall_slams} wall ${opponentStats.wall_slams === 1 ? "slam" : "slams"}.`;
}

function describeRefusals({ stats, ticks }: FighterStatsPair): string | null {
  if (stats.refused_turns < ticks * NOTABLE_REFUSED_FRACTION) return null;
  const [mainRefusal] = sortedCounts(stats.rejected);
  if (mainRefusal === undefined) return null;
  const reasonText = REFUSAL_TEXTS[mainRefusal[0] as Refusal];
  return `${stats.refused_turns} of ${ticks} turns had a rejected action, most often (${mainRefusal[1]}×): ${reasonText}.`;
}

function describeMissedAttacks({ stats }: FighterStatsPair): string | null {
  const missedAttacks = ATTACKS.filter((name) => {
    const { uses, hits } = stats.weapons[name];
    return uses >= WASTED_USES && hits === 0;
  });
  if (missedAttacks.length === 0) return null;
  const items = missedAttacks.map((name) => `${name} (${stats.weapons[name].uses}×)`);
  return `Never hit with ${items.join(", ")}.`;
}

function describeSlowReplies({ stats: { timing } }: FighterStatsPair): string | null {
  if (timing === null || timing.near_limit === 0) return null;
  return `${timing.near_limit} of ${timing.replies} responses took over 80 % of the ${timing.tick_ms} ms tick.`;
}

export function sortedCounts(counts: Partial<Record<string, number>>): [string, number][] {
  return Object.entries(counts)
    .filter((entry): entry is [string, number] => (entry[1] ?? 0) > 0)
    .sort((a, b) => b[1] - a[1]);
}

/** Returns the upper end of a scale that fits both sides' damage. */
export function damageScale(fighters: readonly FighterStats[]): number {
  const damageAmounts = fighters.flatMap(({ taken_by_source }) => Object.values(taken_by_source));
  return Math.max(RULES.hp / 4, ...damageAmounts);
}
