// Lists all HP changes of both fighters. The rows add up to the final HP.
import { firstTwo } from "#base/util/assert-defined.ts";
import { hpBreakdown } from "#core/engine/hp-breakdown.ts";
import type { HpBreakdown } from "#core/engine/hp-breakdown.ts";
import { DAMAGE_SOURCES } from "#core/engine/types.ts";
import type { FighterStats, IdleReason, MatchStats } from "#core/engine/types.ts";
import { IDLE_REASON_TEXT } from "#core/replay/idle-reason-text.ts";
import { DAMAGE_SOURCE_TEXTS, formatSignedChange } from "#site/viewer/match-texts.ts";

type HpTableRow = {
  label: string;
  /** One amount per seat. Losses are negative. */
  amounts: number[];
  pickupCounts?: number[];
};

/** Builds the table rows. Omits rows in which neither side changes. */
export function buildHpTable({ fighters }: Pick<MatchStats, "fighters">) {
  const [a, b] = firstTwo(fighters);
  const accounts = [hpBreakdown(a, b), hpBreakdown(b, a)];
  const buildRow = (label: string, selectAmount: (account: HpBreakdown) => number): HpTableRow => ({
    label,
    amounts: accounts.map(selectAmount),
  });
  const healed = {
    ...buildRow("healed", (account) => account.healed),
    pickupCounts: fighters.map(({ pickups }) => pickups.health),
  };
  const rows = [
    buildRow("initial HP", ({ start }) => start),
    healed,
    ...DAMAGE_SOURCES.map((name) =>
      buildRow(DAMAGE_SOURCE_TEXTS[name], ({ opponentDamage }) => -(opponentDamage[name] ?? 0)),
    ),
    ...DAMAGE_SOURCES.map((name) =>
      buildRow(`own ${DAMAGE_SOURCE_TEXTS[name]}`, ({ selfDamage }) => -(selfDamage[name] ?? 0)),
    ),
    buildRow("the zone", (account) => -account.zoneDamage),
    buildRow("overkill", ({ overkill }) => overkill),
  ];
  return {
    rows: rows.filter(({ amounts }) => amounts.some((amount) => amount !== 0)),
    left: accounts.map(({ remaining: remainingHp }) => remainingHp),
  };
}

/** Minimum share of the largest difference for a second difference to be mentioned. */
const MIN_NAMED_FRACTION = 0.5;
const MAX_NAMED = 2;

type DecisionStats = Pick<MatchStats, "fighters" | "reason">;

/**
 * Explains a loss in one sentence: failed turns if they ended the match, otherwise the largest HP
 * differences. Returns null if no row is negative.
 */
export function describeDecision(stats: DecisionStats, loser: number): string | null {
  if (stats.reason === "forfeit") return FORFEIT_TEXT;
  if (stats.reason === "disqualification") return describeDisqualification(stats.fighters[loser]);
  return describeLargestGaps(stats, loser);
}

/** Covers every kind of forfeit: disconnected for too long, not ready in time, or removed. */
const FORFEIT_TEXT = "Disconnected for too long, not ready in time, or removed from the ladder.";

/** Names the most frequent reason for failed turns. */
function describeDisqualification(fighter: FighterStats | undefined): string {
  const counts = Object.entries(fighter?.server_idles ?? {}) as [IdleReason, number][];
  const [mainReason] = counts.toSorted(([, countA], [, countB]) => countB - countA);
  const reasonText =
    mainReason === undefined ? "" : ` (${mainReason[1]}: ${IDLE_REASON_TEXT[mainReason[0]]})`;
  return `Too many consecutive turns failed${reasonText}.`;
}

function describeLargestGaps(stats: Pick<MatchStats, "fighters">, loser: number): string | null {
  const gaps = buildHpTable(stats)
    .rows.map(({ label, amounts }) => {
      const [loserAmount, winnerAmount] =
        loser === 0 ? firstTwo(amounts) : firstTwo(amounts.toReversed());
      return {
        what: label,
        lost: loserAmount,
        other: winnerAmount,
        gap: winnerAmount - loserAmount,
      };
    })
    .filter(({ gap }) => gap > 0)
    .toSorted((gapA, winnerAmount) => winnerAmount.gap - gapA.gap);
  const [largestGap] = gaps;
  if (largestGap === undefined) return null;
  const namedGaps = gaps
    .slice(0, MAX_NAMED)
    .filter(({ gap }) => gap >= MIN_NAMED_FRACTION * largestGap.gap);
  const gapTexts = namedGaps.map(
    ({ what: label, lost: loserAmount, other: winnerAmount }) =>
      `${label} (${formatHp(loserAmount)} HP against ${formatHp(winnerAmount)})`,
  );
  return `${gapTexts.length === 1 ? "Largest difference" : "Largest differences"}: ${gapTexts.join(" and ")}.`;
}

const formatHp = (amount: number): string => (amount === 0 ? "0" : formatSignedChange(amount));
