// What the lost games of a version have in common, in sentences that an author can act on.

import { RULES } from "#core/engine/rules.ts";
import type { Losses } from "#core/resources/bot-record.ts";
import { SOURCE_WORDS } from "#site/viewer/words.ts";

/** Lost games from which a share means something. */
const TELLING = 5;
/** How much more often than usual a map has to be lost to be worth a sentence. */
const REMARKABLE = 1.25;

/** Most important first. */
export function lossFindings(losses: Losses): string[] {
  if (losses.games === 0) return [];
  return [mostTaken, worstTrade, worstMap, worstOpponent].flatMap((find) => find(losses) ?? []);
}

type Source = Losses["damage"][number];

const ZONE_ADVICE = `The zone shrinks from tick ${RULES.zone.start} on: move towards the middle before that.`;

const named = ({ source }: Source): string => SOURCE_WORDS[source];

function mostTaken({ damage, games }: Losses): string | null {
  const [most] = damage;
  const all = sumOf(damage.map(({ taken }) => taken));
  if (most === undefined || all === 0) return null;
  const share = Math.round((most.taken / all) * 100);
  const finding = `${share} % of the damage it took in these ${games} losses came from`;
  return most.source === "zone"
    ? `${finding} the zone. ${ZONE_ADVICE}`
    : `${finding} ${named(most)}.`;
}

/** The source where the winners gained most on it. Fighters deal no zone damage. */
function worstTrade({ damage, games }: Losses): string | null {
  const attacks = damage.filter(({ source }) => source !== "zone");
  const [worst] = attacks.toSorted((one, other) => gapOf(other) - gapOf(one));
  if (worst === undefined || gapOf(worst) <= 0) return null;
  const [taken, dealt] = [worst.taken, worst.dealt].map((sum) => Math.round(sum / games));
  return `It loses most ground to ${named(worst)}: ${taken} hp taken a game, ${dealt} dealt.`;
}

const gapOf = ({ taken, dealt }: Source): number => taken - dealt;

function worstMap({ maps }: Losses): string | null {
  const [games, lost] = [sumOf(maps.map((one) => one.games)), sumOf(maps.map((one) => one.lost))];
  if (games === 0) return null;
  const usual = lost / games;
  const [worst] = maps
    .filter((one) => one.lost >= TELLING && one.lost / one.games >= REMARKABLE * usual)
    .toSorted((one, other) => other.lost / other.games - one.lost / one.games);
  if (worst === undefined) return null;
  const [here, everywhere] = [worst.lost / worst.games, usual].map((x) => Math.round(x * 100));
  return `Its worst map is ${worst.map}: ${here} % of games lost, ${everywhere} % on all maps.`;
}

function worstOpponent({ opponents, games }: Losses): string | null {
  const [worst] = opponents;
  if (worst === undefined || worst.games < TELLING) return null;
  const share = Math.round((worst.games / games) * 100);
  return `${share} % of the losses were against ${worst.display_name}.`;
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
