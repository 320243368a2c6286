// The store as one life of the server sees it: slow, failing, or gone with the server.

import type { OpponentRequest } from "#core/events/request.ts";
import type { LadderId, RequestId } from "#core/words/ids.ts";
import { StoreError } from "#data/store/errors.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { FinalStanding, SeasonRecord } from "#data/store/season.ts";
import type { NotedPlaces } from "#data/store/standings.ts";
import { around } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";

import type { Weather } from "./conditions.ts";
import type { SeededDice } from "./dice.ts";
import type { Timeline } from "./timeline.ts";

export type StoreFace = {
  timeline: Timeline;
  weather: Weather;
  dice: SeededDice;
  /** False once the server is dead, so that no answer reaches it any more. */
  isAlive(): boolean;
  /** The match is now in the store, whatever the answer will be. */
  stored(match: FinishedMatch): void;
  /** The answer that it is stored is on its way to the server. */
  confirmed(match: FinishedMatch): void;
  /** Seasons were opened; the standings of one were stored. */
  opened(seasons: readonly SeasonRecord[]): void;
  archived(season: string, places: readonly FinalStanding[]): void;
  /** Places were stored, or those of a later day let go. */
  noted(places: NotedPlaces): void;
  /** An opponent request was stored; it was cancelled or given up. */
  wished(request: OpponentRequest): void;
  unwished(requestId: RequestId, isCancelled: boolean): void;
  /** The final standings of a ladder were stored. */
  finished(ladderId: LadderId, at: string, places: readonly FinalStanding[]): void;
};

const SLOW_MS = 4000;
/** The share of writes failing as unavailable that were stored nevertheless. */
const STORED_SHARE = 0.5;
const never = <T>(): Promise<T> => new Promise<T>(() => {});

export function faultyStore(store: Store, face: StoreFace): Store {
  const nouns = around(told(store, face), (method, _, { access }) => async (...values) => {
    const apply = async () => (access === "write" ? method(...values) : undefined);
    await mood(face, apply);
    const answer = await method(...values);
    return face.isAlive() ? answer : never();
  });
  const save = (match: FinishedMatch) => saveMatch(store, face, match);
  return { ...nouns, matches: { ...nouns.matches, save }, close: () => store.close() };
}

/** The store itself. It reports what is stored for good, even if the answer gets lost. */
function told(store: Store, face: StoreFace): Store {
  return changedStore(store, {
    seasons: {
      open: async (seasons) => {
        const isNew = await store.seasons.open(seasons);
        face.opened(seasons);
        return isNew;
      },
      archive: async (id, archivedAt, places) => {
        const isNew = await store.seasons.archive(id, archivedAt, places);
        if (isNew) face.archived(id, places);
        return isNew;
      },
    },
    ladders: {
      finish: async (id, finishedAt, places) => {
        const isNew = await store.ladders.finish(id, finishedAt, places);
        if (isNew) face.finished(id, finishedAt, places);
        return isNew;
      },
    },
    requests: {
      add: async (request, audit) => {
        const outcome = await store.requests.add(request, audit);
        if (outcome === "added") face.wished(request);
        return outcome;
      },
      cancel: async (...call) => {
        const cancelled = await store.requests.cancel(...call);
        if (cancelled !== null) face.unwished(cancelled.id, true);
        return cancelled;
      },
      drop: async (id) => {
        const isDropped = await store.requests.drop(id);
        if (isDropped) face.unwished(id, false);
        return isDropped;
      },
    },
    standings: {
      note: async (places, since) => {
        const isChanged = await store.standings.note(places, since);
        if (isChanged) face.noted(places);
        return isChanged;
      },
    },
  });
}

/** Applies the present conditions to a call before it is answered. */
async function mood(face: StoreFace, apply: () => Promise<unknown>): Promise<void> {
  const { weather, dice } = face;
  if (!face.isAlive()) return never();
  switch (weather.store) {
    case "fine":
    case "io":
      return;
    case "slow":
      await pause(face, dice.between(1, SLOW_MS));
      return;
    case "unavailable":
      if (dice.chance(STORED_SHARE)) await apply();
      throw new StoreError("unavailable", "the store is out of reach");
    case "full":
      throw new StoreError("full", "the store is full");
  }
}

async function saveMatch(store: Store, face: StoreFace, match: FinishedMatch): Promise<boolean> {
  const commit = async () => {
    const isNew = await store.matches.save(match);
    face.stored(match);
    return isNew;
  };
  if (face.weather.store === "io") throw new StoreError("io", "the disk fails");
  await mood(face, commit);
  const isNew = await commit();
  if (!face.isAlive()) return never();
  if (face.weather.store === "slow") await pause(face, face.dice.between(1, SLOW_MS));
  if (!face.isAlive()) return never();
  face.confirmed(match);
  return isNew;
}

/** The rest of the call is dropped if the server dies meanwhile. */
function pause(face: StoreFace, ms: number): Promise<void> {
  return new Promise((resolve) => {
    face.timeline.after(ms, () => {
      if (face.isAlive()) resolve();
    });
  });
}
