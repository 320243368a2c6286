// Turns by version and kept replays, over plain maps.

import { seatFigures } from "#core/ladder/seat-figures.ts";
import { sumOfTurns } from "#core/ladder/version-health.ts";
import type { BotId, MatchId, VersionId } from "#core/words/ids.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";

export type UpkeepFacts = {
  /** Match and keeper of each replay that was released. */
  released: Set<string>;
};

type Facts = UpkeepFacts & { matches: Map<string, FinishedMatch> };

export function turnMethods(facts: Facts): Pick<Store["figures"], "turns" | "carryTurns"> {
  return {
    turns: async (versionIds, window) =>
      versionIds.flatMap((versionId) => {
        const sum = sumOfTurns(turnsOf(facts, versionId).slice(0, window));
        return sum === null ? [] : [{ versionId, ...sum }];
      }),
    carryTurns: async () => 0,
  };
}

export function replayMethods(facts: Facts): Store["replays"] {
  const has = (id: MatchId) => isKept(facts, id);
  return {
    has: async (id) => has(id),
    ids: async () => [...facts.matches.keys()].filter(has),
    release: async (botIds, keep, most) => {
      const beyond = botIds.map((botId) => release(facts, botId, keep, most));
      const isDone = beyond.every((ids) => ids.length < most);
      return { gone: [...new Set(beyond.flat())].filter((id) => !has(id)), isDone };
    },
    releaseCasual: async (keep, most) => {
      const gone = release(facts, CASUAL, keep, most);
      return { gone, isDone: gone.length < most };
    },
  };
}

const ageKey = ({ ended, id }: FinishedMatch) => `${ended} ${id}`;

function newestFirst(matches: Iterable<FinishedMatch>): FinishedMatch[] {
  return [...matches].toSorted((a, b) => (ageKey(a) < ageKey(b) ? 1 : -1));
}

function turnsOf({ matches }: Facts, versionId: VersionId) {
  return newestFirst(matches.values())
    .flatMap(({ stats, mode, voided, seats }) => {
      const seat = seats.findIndex((one) => one.versionId === versionId);
      return mode !== "ranked" || voided || seat === -1
        ? []
        : seatFigures(stats).slice(seat, seat + 1);
    })
    .map(({ turns }) => turns);
}

/** Keeper of the replays of human and practice games. */
const CASUAL = "casual";

const keepersOf = ({ mode, seats }: FinishedMatch) =>
  mode === "ranked" ? seats.map(({ botId }) => botId) : [CASUAL];

function isKept({ matches, released }: Facts, id: string): boolean {
  const match = matches.get(id);
  return match !== undefined && keepersOf(match).some((one) => !released.has(`${id} ${one}`));
}

function release({ matches, released }: Facts, keeper: BotId, keep: number, most: number) {
  const keeping = newestFirst(matches.values())
    .filter((match) => keepersOf(match).includes(keeper))
    .filter(({ id }) => !released.has(`${id} ${keeper}`));
  const oldest = keeping.slice(keep).toReversed();
  const beyond = oldest.slice(0, most).map(({ id }) => id);
  for (const id of beyond) released.add(`${id} ${keeper}`);
  return beyond;
}
