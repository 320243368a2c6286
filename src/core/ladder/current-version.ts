// Which of a bot's versions represents it.

export type VersionFacts = { id: string; label: string; created: string; retired: boolean };

/** End and id of the last rated game; both null if there is none. */
export type LastPlayed = { lastPlayed: string | null; lastMatchId: string | null };

/** Entries by version id. */
export type ByVersion<E extends LastPlayed> = ReadonlyMap<string, E>;

/** The version that last played a rated game, or null if none has. */
export function lastPlayedVersion<V extends VersionFacts>(
  versions: readonly V[],
  board: ByVersion<LastPlayed>,
): V | null {
  return lastOf(versions, (version) => playedKey(board.get(version.id)));
}

/** Instants are UTC and all of the same length, so they sort as text. */
function playedKey(entry: LastPlayed | undefined): string | null {
  if (entry === undefined || entry.lastPlayed === null) return null;
  return `${entry.lastPlayed} ${entry.lastMatchId}`;
}

function lastOf<V>(items: readonly V[], key: (item: V) => string | null): V | null {
  let last: { item: V; key: string } | null = null;
  for (const item of items) {
    const own = key(item);
    if (own !== null && (last === null || own > last.key)) last = { item, key: own };
  }
  return last?.item ?? null;
}
