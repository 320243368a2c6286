export type VersionSummary = { id: string; label: string; created: string; retired: boolean };

/** When the last rated game ended, and its match id. Both are null without rated games. */
export type LastPlayedMatch = { lastPlayed: string | null; lastMatchId: string | null };

export type ByVersion<E extends LastPlayedMatch> = ReadonlyMap<string, E>;

/** Returns the version that played the last rated game, or null without rated games. */
export function lastPlayedVersion<V extends VersionSummary>(
  versions: readonly V[],
  board: ByVersion<LastPlayedMatch>,
): V | null {
  return maxByKey(versions, (version) => lastPlayedKey(board.get(version.id)));
}

/** Instants are UTC and of equal length, so they sort as text. */
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
