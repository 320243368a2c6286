import type { MatchId } from "#core/ids/ids.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";

import { computeHighlights } from "./memory-seasons.ts";

type Pin = { matchId: MatchId; keeper: string; at: string };

export type PinMemory = { pins: Pin[] };

type PinContext = PinMemory & {
  accounts: ReadonlyMap<string, unknown>;
  matches: ReadonlyMap<string, FinishedMatch>;
};

type PinMethods = Pick<
  Store["replays"],
  "star" | "unstar" | "listStarred" | "pinEmbedded" | "highlighted" | "renewPins"
>;

export function pinMethods(memory: PinContext, isRetained: (id: MatchId) => boolean): PinMethods {
  const addPin = (matchId: MatchId, keeper: string, at: string) => {
    memory.pins = memory.pins.filter((pin) => pin.matchId !== matchId || pin.keeper !== keeper);
    memory.pins.push({ matchId, keeper, at });
  };
  const unpin = (keeper: string, ids: readonly MatchId[]) => {
    const isSelected = (pin: Pin) => pin.keeper === keeper && ids.includes(pin.matchId);
    const deletedPins = memory.pins.filter(isSelected).map(({ matchId }) => matchId);
    memory.pins = memory.pins.filter((pin) => !isSelected(pin));
    return deletedPins.filter((id) => !isRetained(id));
  };
  return {
    star: async (accountId, matchId, at, limit) => {
      if (!memory.accounts.has(accountId) || !isRetained(matchId)) return "no_replay";
      const starred = pinnedMatches(memory, accountId);
      if (starred.includes(matchId)) return "starred";
      if (starred.length >= limit) return "star_limit";
      addPin(matchId, accountId, at);
      return "starred";
    },
    unstar: async (accountId, matchId) => unpin(accountId, [matchId]),
    listStarred: async (accountId) => pinnedMatches(memory, accountId),
    pinEmbedded: async (matchId, at) => {
      if (isRetained(matchId)) addPin(matchId, "embed", at);
    },
    highlighted: async () => highlighted(memory),
    renewPins: async (ids, embedLimit) => {
      const pinnedIds = pinnedMatches(memory, "highlight");
      for (const id of ids)
        if (!pinnedIds.includes(id) && isRetained(id)) addPin(id, "highlight", "");
      const outdated = pinnedIds.filter((id) => !ids.includes(id));
      const oldest = pinnedMatches(memory, "embed").slice(embedLimit);
      const removedIds = new Set([...unpin("highlight", outdated), ...unpin("embed", oldest)]);
      return { removedIds: [...removedIds], isDone: true };
    },
  };
}

function pinnedMatches({ pins }: PinMemory, keeper: string): MatchId[] {
  const key = ({ at, matchId }: Pin) => `${at} ${matchId}`;
  return pins
    .filter((pin) => pin.keeper === keeper)
    .toSorted((a, b) => (key(a) < key(b) ? 1 : -1))
    .map(({ matchId }) => matchId);
}

function highlighted({ matches }: PinContext): MatchId[] {
  const ranked = [...matches.values()].filter(({ mode }) => mode === "ranked");
  const groups = Map.groupBy(ranked, ({ ladderId, season }) => `${ladderId} ${season}`);
  const ids = [...groups.values()].flatMap((played) =>
    Object.values(computeHighlights(played.filter(({ voided }) => !voided))),
  );
  return [...new Set(ids)];
}
