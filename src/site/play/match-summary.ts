// Who fights in a human match, and the decisive numbers at its end.
import type { DamageSource } from "#core/engine/types.ts";
import { HUMAN_SEAT } from "#core/ids/match-modes.ts";
import { describeEndDecision } from "#site/viewer/end-summary.ts";
import type { EndSummary } from "#site/viewer/end-summary.ts";
import { DAMAGE_SOURCE_TEXTS } from "#site/viewer/match-texts.ts";
import type { FighterBots } from "#site/viewer/portraits.ts";

import { describeVerdict } from "./match-texts.ts";
import type { PlayerNames } from "./match-texts.ts";
import type { PlayEndMessage, PlayHelloMessage } from "./messages.ts";

/** Players fight only house bots. */
export function humanMatchBots({ fighter, opponent }: PlayHelloMessage): FighterBots {
  return {
    [fighter]: { name: HUMAN_SEAT.name },
    [opponent.fighter]: { name: opponent.name, house: true },
  };
}

export function summarizeHumanMatch(end: PlayEndMessage, playerNames: PlayerNames): EndSummary {
  const { stats, reason } = end;
  return {
    title: describeVerdict(end, playerNames),
    decision: [describeEndDecision({ reason, ticks: stats?.ticks ?? 0 }), mainDamageText(end)].join(
      "",
    ),
    rows: (stats?.fighters ?? []).map(({ id, damage_dealt, hp }) => ({
      id,
      name: id === playerNames.ownId ? "You" : playerNames.opponentName,
      damageDealt: damage_dealt,
      hp,
    })),
  };
}

/** Names the largest source of the loser's damage. */
function mainDamageText({ winner, reason, stats }: PlayEndMessage): string {
  const loser = stats?.fighters.find(({ id }) => winner !== null && id !== winner);
  if (loser === undefined || reason !== "last_standing") return "";
  const [largest] = (Object.entries(loser.taken_by_source) as [DamageSource, number][]).toSorted(
    ([, damage], [, otherDamage]) => otherDamage - damage,
  );
  return largest === undefined ? "" : `, mostly by ${DAMAGE_SOURCE_TEXTS[largest[0]]}`;
}
