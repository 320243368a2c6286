// The store as seen by one server process: slow, failing, or cut off when the process dies.

import type { OpponentRequest } from "#core/events/opponent-request.ts";
import type { LadderId, RequestId } from "#core/ids/ids.ts";
import { StoreError } from "#data/store/errors.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { FinalStanding, SeasonRecord } from "#data/store/season.ts";
import type { DailyPlaces } from "#data/store/standings.ts";
import { wrapRepositories } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

import type { SimulatedConditions } from "./conditions.ts";
import type { SeededDice } from "./dice.ts";
import type { Timeline } from "./timeline.ts";

export type FaultyStoreDeps = {
  timeline: Timeline;
  conditions: SimulatedConditions;
  dice: SeededDice;
  /** False once the server process is dead. It then gets no more responses. */
  isAlive(): boolean;
  /** The match is stored, whatever response the server gets. */
  onMatchStored(match: FinishedMatch): void;
  /** The response that confirms the match is on its way to the server. */
  onMatchConfirmed(match: FinishedMatch): void;
  onSeasonsOpened(seasons: readonly SeasonRecord[]): void;
  onSeasonArchived(season: string, places: readonly FinalStanding[]): void;
  /** Daily places were stored, or a later day's places were deleted. */
  onPlacesStored(places: DailyPlaces): void;
  onRequestAdded(request: OpponentRequest): void;
  onRequestRemoved(requestId: RequestId, isCancelled: boolean): void;
  onLadderFinished(ladderId: LadderId, at: string, places: readonly FinalStanding[]): void;
};

const MAX_SLOW_MS = 4000;
/** Share of writes failing with "unavailable" that are stored anyway. */
const SHARE_STORED_DESPITE_ERROR = 0.5;
const never = <T>(): Promise<T> => new Promise<T>(() => {});

export function faultyStore(store: Store, deps: FaultyStoreDeps): Store {
  const namespaces = wrapRepositories(
    withStoreCallbacks(store, deps),
    (method, _, { access }) =>
      async (...values) => {
        const apply = async () => (access === "write" ? method(...values) : undefined);
        await applyConditions(deps, apply);
        const result = await method(...values);
        return deps.isAlive() ? result : never();
      },
  );
  const save = (match: FinishedMatch) => saveMatch(store, deps, match);
  return { ...namespaces, matches: { ...namespaces.matches, save }, close: () => store.close() };
}

/** Reports everything that is stored, even if the response is lost. */
function withStoreCallbacks(store: Store, deps: FaultyStoreDeps): Store {
  return overrideStore(store, {
    seasons: {
      open: async (seasons) => {
        const isNew = await store.seasons.open(seasons);
        deps.onSeasonsOpened(seasons);
        return isNew;
      },
      archive: async (id, archivedAt, places) => {
        const isNew = await store.seasons.archive(id, archivedAt, places);
        if (isNew) deps.onSeasonArchived(id, places);
        return isNew;
      },
    },
    ladders: {
      finish: async (id, finishedAt, places) => {
        const isNew = await store.ladders.finish(id, finishedAt, places);
        if (isNew) deps.onLadderFinished(id, finishedAt, places);
        return isNew;
      },
    },
    requests: {
      add: async (request, audit) => {
        const outcome = await store.requests.add(request, audit);
        if (outcome === "added") deps.onRequestAdded(request);
        return outcome;
      },
      cancel: async (...call) => {
        const cancelledRequest = await store.requests.cancel(...call);
        if (cancelledRequest !== null) deps.onRequestRemoved(cancelledRequest.id, true);
        return cancelledRequest;
      },
      cancelById: async (id) => {
        const isDropped = await store.requests.cancelById(id);
        if (isDropped) deps.onRequestRemoved(id, false);
        return isDropped;
      },
    },
    standings: {
      record: async (places, since) => {
        const isChanged = await store.standings.record(places, since);
        if (isChanged) deps.onPlacesStored(places);
        return isChanged;
      },
    },
  });
}

async function applyConditions(
  deps: FaultyStoreDeps,
  apply: () => Promise<unknown>,
): Promise<void> {
  const { conditions, dice } = deps;
  if (!deps.isAlive()) return never();
  switch (conditions.store) {
    case "fine":
    case "io":
      return;
    case "slow":
      await pause(deps, dice.between(1, MAX_SLOW_MS));
      return;
    case "unavailable":
      if (dice.chance(SHARE_STORED_DESPITE_ERROR)) await apply();
      throw new StoreError("unavailable", "the store is unavailable");
    case "full":
      throw new StoreError("full", "the store is full");
  }
}

async function saveMatch(
  store: Store,
  deps: FaultyStoreDeps,
  match: FinishedMatch,
): Promise<boolean> {
  const commit = async () => {
    const isNew = await store.matches.save(match);
    deps.onMatchStored(match);
    return isNew;
  };
  if (deps.conditions.store === "io") throw new StoreError("io", "disk error");
  await applyConditions(deps, commit);
  const isNew = await commit();
  if (!deps.isAlive()) return never();
  if (deps.conditions.store === "slow") await pause(deps, deps.dice.between(1, MAX_SLOW_MS));
  if (!deps.isAlive()) return never();
  deps.onMatchConfirmed(match);
  return isNew;
}

/** The rest of the call is dropped if the server dies during the pause. */
function pause(deps: FaultyStoreDeps, ms: number): Promise<void> {
  return new Promise((resolve) => {
    deps.timeline.after(ms, () => {
      if (deps.isAlive()) resolve();
    });
  });
}
