// Pinned replays over plain maps.

import type { MatchId } from "#core/words/ids.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";

import { highlightsOf } from "./memory-seasons.ts";

type Pin = { matchId: MatchId; keeper: string; at: string };

export type PinFacts = { pins: Pin[] };

type Facts = PinFacts & {
  accounts: ReadonlyMap<string, unknown>;
  matches: ReadonlyMap<string, FinishedMatch>;
};

type PinMethods = Pick<
  Store["replays"],
  "star" | "unstar" | "starred" | "pinEmbedded" | "highlighted" | "renewPins"
>;

export function pinMethods(facts: Facts, isKept: (id: MatchId) => boolean): PinMethods {
  const add = (matchId: MatchId, keeper: string, at: string) => {
    facts.pins = facts.pins.filter((pin) => pin.matchId !== matchId || pin.keeper !== keeper);
    facts.pins.push({ matchId, keeper, at });
  };
  const unpin = (keeper: string, ids: readonly MatchId[]) => {
    const isMeant = (pin: Pin) => pin.keeper === keeper && ids.includes(pin.matchId);
    const deleted = facts.pins.filter(isMeant).map(({ matchId }) => matchId);
    facts.pins = facts.pins.filter((pin) => !isMeant(pin));
    return deleted.filter((id) => !isKept(id));
  };
  return {
    star: async (accountId, matchId, at, most) => {
      if (!facts.accounts.has(accountId) || !isKept(matchId)) return "no_replay";
      const starred = pinnedFor(facts, accountId);
      if (starred.includes(matchId)) return "starred";
      if (starred.length >= most) return "star_limit";
      add(matchId, accountId, at);
      return "starred";
    },
    unstar: async (accountId, matchId) => unpin(accountId, [matchId]),
    starred: async (accountId) => pinnedFor(facts, accountId),
    pinEmbedded: async (matchId, at) => {
      if (isKept(matchId)) add(matchId, "embed", at);
    },
    highlighted: async () => highlighted(facts),
    renewPins: async (ids, embedded) => {
      const pinned = pinnedFor(facts, "highlight");
      for (const id of ids) if (!pinned.includes(id) && isKept(id)) add(id, "highlight", "");
      const former = pinned.filter((id) => !ids.includes(id));
      const oldest = pinnedFor(facts, "embed").slice(embedded);
      const gone = new Set([...unpin("highlight", former), ...unpin("embed", oldest)]);
      return { gone: [...gone], isDone: true };
    },
  };
}

/** Newest first. */
function pinnedFor({ pins }: PinFacts, keeper: string): MatchId[] {
  const key = ({ at, matchId }: Pin) => `${at} ${matchId}`;
  return pins
    .filter((pin) => pin.keeper === keeper)
    .toSorted((a, b) => (key(a) < key(b) ? 1 : -1))
    .map(({ matchId }) => matchId);
}

function highlighted({ matches }: Facts): MatchId[] {
  const ranked = [...matches.values()].filter(({ mode }) => mode === "ranked");
  const groups = Map.groupBy(ranked, ({ ladderId, season }) => `${ladderId} ${season}`);
  const ids = [...groups.values()].flatMap((played) =>
    Object.values(highlightsOf(played.filter(({ voided }) => !voided))),
  );
  return [...new Set(ids)];
}
