import type { VersionComparison } from "#core/api/bot-record.ts";

/** Minimum probabilities, highest first. The first one reached determines the wording. */
const CONFIDENCE_LEVELS: readonly (readonly [chance: number, words: string])[] = [
  [0.975, "almost certainly"],
  [0.9, "very likely"],
  [0.75, "likely"],
  [0.6, "perhaps"],
];

export function describeComparison({
  a,
  b,
  difference,
  deviation,
  chance_better,
}: VersionComparison): string {
  if (difference === null || deviation === null || chance_better === null)
    return `Can't compare ${a} and ${b}: both need a rated game in the current leaderboard.`;
  const isFirstBetter = difference >= 0;
  const [better, worse] = isFirstBetter ? [a, b] : [b, a];
  const chance = isFirstBetter ? chance_better : 1 - chance_better;
  const margin = `${Math.abs(Math.round(difference))} ± ${Math.round(deviation)}`;
  const confidence = CONFIDENCE_LEVELS.find(([minChance]) => chance >= minChance)?.[1];
  const confidenceText = `${formatChance(chance)} probability that ${better} is better`;
  if (confidence === undefined)
    return `Inconclusive: ${better} is ahead of ${worse} by ${margin} points (${confidenceText}).`;
  return `${better} is ${confidence} better than ${worse}, by ${margin} points (${confidenceText}).`;
}

/** Formats a probability as a percentage. Never shows 100 %. */
function formatChance(chance: number): string {
  if (chance > 0.995) return "more than 99 %";
  return `${Math.round(chance * 100)} %`;
}
