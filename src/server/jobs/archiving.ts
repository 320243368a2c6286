// Makes the archives of ladders that are over, one at a time, after their final standings.

import type { EventDefinition } from "#core/events/event.ts";
import type { LiveEvents } from "#core/events/events.ts";
import type { LadderRecord } from "#data/store/ladder.ts";
import type { Store } from "#data/store/store.ts";
import type { Log } from "#live/arena/deps.ts";
import { publicEvents, toLadder } from "#web/api/ladder.ts";
import { finalRow } from "#web/api/leaderboard-rows.ts";

import { archiveLadder } from "./ladder-archive.ts";
import type { ArchiveDeps } from "./ladder-archive.ts";

export type ArchivingDeps = Omit<ArchiveDeps, "store"> & {
  store: Pick<Store, "matches" | "ladders">;
  events: Pick<LiveEvents, "onLadder">;
  /** An event as everybody sees it. */
  shown: (event: EventDefinition) => object;
  log: Log;
};

/** Ends early, at the next ladder or page of matches, once `signal` aborts. */
export async function archiveFinished(deps: ArchivingDeps, signal: AbortSignal): Promise<void> {
  for (const ladder of await deps.store.ladders.list())
    if (ladder.finishedAt !== null && ladder.archive === null && !signal.aborted)
      await archive(deps, ladder, signal);
}

async function archive(deps: ArchivingDeps, record: LadderRecord, signal: AbortSignal) {
  const { store, events, shown, clock, log } = deps;
  const ladderId = record.id;
  const madeAt = clock.wall().toISOString();
  const facts = {
    ladderId,
    ladder: toLadder(record, madeAt, events),
    events: publicEvents(events, ladderId).map(shown),
    standings: (await store.ladders.standings(ladderId)).map((place) => finalRow(place).row),
  };
  const { bytes, sha256 } = await archiveLadder(deps, facts, signal);
  await store.ladders.noteArchive(ladderId, { bytes, sha256, madeAt });
  log.info({ ladder: ladderId, bytes }, "the archive of a ladder was made");
}
