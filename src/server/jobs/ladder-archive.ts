import type { Clock } from "#base/clock/clock.ts";
import { ARCHIVE_FORMAT } from "#core/api/archive.ts";
import type { Archive } from "#core/api/archive.ts";
import type { LeaderboardRow } from "#core/api/ladder.ts";
import type { LadderId, MatchId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { ArchiveContents, Archives, ArchiveChecksum } from "#data/files/archives.ts";
import type { Store } from "#data/store/store.ts";
import { RELEASE } from "#server/composition/release.ts";
import { runningVersions } from "#server/composition/versions.ts";
import { toMatch } from "#web/api/match.ts";

export type ArchiveDeps = {
  store: Pick<Store, "matches">;
  archives: Pick<Archives, "make" | "checksum">;
  clock: Pick<Clock, "wall">;
};

export type FinishedLadder = {
  ladderId: LadderId;
  ladder: object;
  events: readonly object[];
  /** Final standings, best first. */
  standings: readonly LeaderboardRow[];
};

/**
 * Creates the archive if it doesn't exist and returns its details. Rejects with StoreError, or with
 * AbortError when `signal` aborts. It is safe to retry.
 */
export async function archiveLadder(
  deps: ArchiveDeps,
  finishedLadder: FinishedLadder,
  signal: AbortSignal,
): Promise<ArchiveChecksum> {
  const { archives, store } = deps;
  const { ladderId, ladder, events, standings } = finishedLadder;
  const existing = await archives.checksum(ladderId);
  if (existing !== null) return existing;
  const namedDocuments = { archive: archiveManifestOf(deps, ladderId), ladder, events, standings };
  const documents = Object.entries(namedDocuments).map(([name, value]) => {
    return { name: `${name}.json`, text: JSON.stringify(value) };
  });
  return archives.make(ladderId, { documents, matches: matchPagesOf(store, ladderId) }, signal);
}

function archiveManifestOf({ clock }: ArchiveDeps, ladderId: LadderId): Archive {
  return {
    format: ARCHIVE_FORMAT,
    made: clock.wall().toISOString(),
    ladder_id: ladderId,
    qualifying_games: FIXED_LIMITS.qualifying_games,
    versions: { release: RELEASE, ...runningVersions() },
  };
}

/** Number of matches per page. Small, because they are serialized on the main thread. */
const PAGE = 50;

async function* matchPagesOf(
  { matches }: Pick<Store, "matches">,
  ladderId: LadderId,
): ArchiveContents["matches"] {
  let before: MatchId | undefined;
  for (;;) {
    const rows = (await matches.list({ ladderId, before, limit: PAGE, withStats: false })) ?? [];
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => ({ id: row.id, text: JSON.stringify(toMatch(row)) }));
    before = last.id;
  }
}
