// The turns of versions, remembered until they play again: a page about a bot asks for all of its
// versions, and all but the last few have not played since. This holds while one process alone
// writes to the database.

import type { TurnFigures } from "#core/ladder/version-health.ts";
import type { FinishedMatch, Store } from "#data/store/store.ts";

type Figures = TurnFigures & { versionId: string };

/** Versions of one read, so that none takes long: it looks at some hundred matches of each. */
const PORTION = 3;
/** Versions remembered, each some 500 bytes. */
const MOST = 20_000;

/** The same store; `turnFigures` answers with what it answered before where nothing has changed. */
export function rememberTurns(store: Store): Store {
  const remembered = new Map<string, Promise<Figures | null>>();
  let remembers = 0;

  function remember(versionId: string, reading: Promise<Figures[]>): void {
    const figures = reading.then(
      (all) => all.find((one) => one.versionId === versionId) ?? null,
      (error: unknown) => {
        if (remembered.get(versionId) === figures) remembered.delete(versionId);
        throw error;
      },
    );
    // One that is forgotten early may fail with nobody waiting for it.
    figures.catch(() => {});
    remembered.set(versionId, figures);
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size > MOST) remembered.delete(oldest);
  }

  async function turnFigures(versionIds: readonly string[], window: number): Promise<Figures[]> {
    if (window !== remembers) remembered.clear();
    remembers = window;
    const unknown = versionIds.filter((id) => !remembered.has(id));
    let reading: Promise<unknown> = Promise.resolve();
    for (let first = 0; first < unknown.length; first += PORTION) {
      const ids = unknown.slice(first, first + PORTION);
      const next = reading.then(() => store.turnFigures(ids, window));
      for (const id of ids) remember(id, next);
      reading = next;
    }
    const found = await Promise.all(versionIds.map(async (id) => remembered.get(id)));
    return found.filter((figures) => figures !== null && figures !== undefined);
  }

  const forget = ({ seats }: FinishedMatch) => {
    for (const { versionId } of seats) remembered.delete(versionId);
  };
  return {
    ...store,
    turnFigures,
    // What is read while the change is under way may be old, so it is forgotten again afterwards.
    saveMatch: async (match) => {
      forget(match);
      return store.saveMatch(match).finally(() => forget(match));
    },
    carryTurns: (most) => store.carryTurns(most).finally(() => remembered.clear()),
  };
}
