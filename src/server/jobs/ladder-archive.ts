// Makes the archive of a ladder whose final standings are written.

import type { Clock } from "#base/clock/clock.ts";
import { ARCHIVE_FORMAT } from "#core/resources/archive.ts";
import type { Archive } from "#core/resources/archive.ts";
import type { LeaderboardRow } from "#core/resources/ladder.ts";
import type { LadderId, MatchId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { ArchiveParts, Archives, ArchiveSum } from "#data/files/archives.ts";
import type { Store } from "#data/store/store.ts";
import { RELEASE } from "#server/composition/release.ts";
import { playedVersions } from "#server/composition/versions.ts";
import { toMatch } from "#web/api/match.ts";

export type ArchiveDeps = {
  store: Pick<Store, "matches">;
  archives: Pick<Archives, "make" | "sumOf">;
  clock: Pick<Clock, "wall">;
};

/** A ladder that is over, as anybody may know it. */
export type FinishedLadder = {
  ladderId: LadderId;
  /** The public definitions of the ladder and of its events. */
  ladder: object;
  events: readonly object[];
  /** Final, best first. */
  standings: readonly LeaderboardRow[];
};

/**
 * Makes the archive unless it is there, and says what it is. Rejects with StoreError, and with AbortError once `signal`
 * aborts; it can then be made again.
 */
export async function archiveLadder(
  deps: ArchiveDeps,
  facts: FinishedLadder,
  signal: AbortSignal,
): Promise<ArchiveSum> {
  const { archives, store } = deps;
  const { ladderId, ladder, events, standings } = facts;
  const there = await archives.sumOf(ladderId);
  if (there !== null) return there;
  const named = { archive: aboutOf(deps, ladderId), ladder, events, standings };
  const documents = Object.entries(named).map(([name, value]) => {
    return { name: `${name}.json`, text: JSON.stringify(value) };
  });
  return archives.make(ladderId, { documents, matches: pagesOf(store, ladderId) }, signal);
}

function aboutOf({ clock }: ArchiveDeps, ladderId: LadderId): Archive {
  return {
    format: ARCHIVE_FORMAT,
    made: clock.wall().toISOString(),
    ladder_id: ladderId,
    qualifying_games: FIXED.qualifying_games,
    versions: { release: RELEASE, ...playedVersions() },
  };
}

/** Matches that are read at once: they are put into words on the thread that serves matches. */
const PAGE = 50;

async function* pagesOf(
  { matches }: Pick<Store, "matches">,
  ladderId: LadderId,
): ArchiveParts["matches"] {
  let before: MatchId | undefined;
  for (;;) {
    const rows = (await matches.list({ ladderId, before, limit: PAGE, withStats: false })) ?? [];
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => ({ id: row.id, text: JSON.stringify(toMatch(row)) }));
    before = last.id;
  }
}
