// The document beside a match that says why its bots were paired, and why it is unrated.

import { NOTHING_CHANGED, unratedReason } from "#core/ladder/unrated.ts";
import type { Mode, UnratedReason } from "#core/words/rated.ts";
import type { MatchRecord } from "#data/store/match.ts";

type Document = { unrated?: UnratedReason | null };

export function printPairing({ pairing, unratedReason: unrated }: MatchRecord): string {
  return JSON.stringify({ ...pairing, unrated } satisfies Document);
}

type Row = { mode: Mode; reason: string; voided: number; pairing: string | null };

/** Of an unrated match. Documents were once without it, when a match was unrated as void alone. */
export function storedUnratedReason({ pairing, ...row }: Row): UnratedReason | null {
  const { unrated } = (JSON.parse(pairing ?? "null") as Document | null) ?? {};
  if (unrated !== undefined) return unrated;
  const isFault = row.reason === "server_fault";
  return unratedReason({
    nobodyReady: row.voided === 1 && !isFault,
    serverFault: isFault,
    mode: row.mode,
    ...NOTHING_CHANGED,
  });
}
