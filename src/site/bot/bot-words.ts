// What a bot's page says in plain words.

import type { Comparison } from "#core/resources/bot-record.ts";

/** Chances from which a verdict is given; the first that is reached holds. */
const VERDICTS: readonly (readonly [chance: number, words: string])[] = [
  [0.975, "almost certainly"],
  [0.9, "very likely"],
  [0.75, "likely"],
  [0.6, "perhaps"],
];

/** Which of two versions is better, by how much, and how sure that is. */
export function comparisonWords({
  a,
  b,
  difference,
  deviation,
  chance_better,
}: Comparison): string {
  if (difference === null || deviation === null || chance_better === null)
    return `${a} and ${b} cannot be compared: both need a rated game in the live standings.`;
  const isBetter = difference >= 0;
  const [better, worse] = isBetter ? [a, b] : [b, a];
  const chance = isBetter ? chance_better : 1 - chance_better;
  const by = `${Math.abs(Math.round(difference))} ± ${Math.round(deviation)}`;
  const verdict = VERDICTS.find(([least]) => chance >= least)?.[1];
  const sure = `${percentWords(chance)} that ${better} is the better one`;
  if (verdict === undefined)
    return `There is no telling yet: ${better} is ahead of ${worse} by ${by} points, ${sure}.`;
  return `${better} is ${verdict} better than ${worse}, by ${by} points: ${sure}.`;
}

/** A chance in percent that is never quite certain. */
function percentWords(chance: number): string {
  if (chance > 0.995) return "more than 99 %";
  return `${Math.round(chance * 100)} %`;
}
