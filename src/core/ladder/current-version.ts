export type VersionSummary = { id: string; label: string; created: string; retired: boolean };

/** End and id of the last rated game; both null if there is none. */
export type LastPlayedMatch = { lastPlayed: string | null; lastMatchId: string | null };

/** Entries by version id. */
export type ByVersion<E extends LastPlayedMatch> = ReadonlyMap<string, E>;

/** Returns the version that last played a rated game, or null if none has. */
export function lastPlayedVersion<V extends VersionSummary>(
  versions: readonly V[],
  board: ByVersion<LastPlayedMatch>,
): V | null {
  return maxByKey(versions, (version) => lastPlayedKey(board.get(version.id)));
}

/** UTC instants of equal length, so they sort as text. */
function lastPlayedKey(entry: LastPlayedMatch | undefined): string | null {
  if (entry === undefined || entry.lastPlayed === null) return null;
  return `${entry.lastPlayed} ${entry.lastMatchId}`;
}

function maxByKey<V>(items: readonly V[], key: (item: V) => string | null): V | null {
  let last: { item: V; key: string } | null = null;
  for (const item of items) {
    const itemKey = key(item);
    if (itemKey !== null && (last === null || itemKey > last.key)) last = { item, key: itemKey };
  }
  return last?.item ?? null;
}
