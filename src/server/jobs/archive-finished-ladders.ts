import type { EventDefinition } from "#core/events/event.ts";
import type { LiveEvents } from "#core/events/live-events.ts";
import type { LadderRecord } from "#data/store/ladder.ts";
import type { Store } from "#data/store/store.ts";
import type { Log } from "#live/arena/arena-deps.ts";
import { publicEvents, toLadder } from "#web/api/ladder.ts";
import { finalRow } from "#web/api/standings-entries.ts";

import { archiveLadder } from "./ladder-archive.ts";
import type { ArchiveDeps } from "./ladder-archive.ts";

export type ArchivingDeps = Omit<ArchiveDeps, "store"> & {
  store: Pick<Store, "matches" | "ladders">;
  events: Pick<LiveEvents, "onLadder">;
  toPublicView: (event: EventDefinition) => object;
  log: Log;
};

/**
 * Archives finished ladders one at a time, after their final standings are written. When `signal`
 * aborts, stops before the next ladder or page of matches.
 */
export async function archiveFinishedLadders(
  deps: ArchivingDeps,
  signal: AbortSignal,
): Promise<void> {
  for (const ladder of await deps.store.ladders.list())
    if (ladder.finishedAt !== null && ladder.archive === null && !signal.aborted)
      await archiveFinishedLadder(deps, ladder, signal);
}

async function archiveFinishedLadder(
  deps: ArchivingDeps,
  record: LadderRecord,
  signal: AbortSignal,
) {
  const { store, events, toPublicView, clock, log } = deps;
  const ladderId = record.id;
  const madeAt = clock.wall().toISOString();
  const finishedLadder = {
    ladderId,
    ladder: toLadder(record, madeAt, events),
    events: publicEvents(events, ladderId).map(toPublicView),
    standings: (await store.ladders.standings(ladderId)).map((place) => finalRow(place).row),
  };
  const { bytes, sha256 } = await archiveLadder(deps, finishedLadder, signal);
  await store.ladders.setArchive(ladderId, { bytes, sha256, madeAt });
  log.info({ ladder: ladderId, bytes }, "ladder archived");
}
