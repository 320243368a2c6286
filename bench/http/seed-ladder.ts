import { statsOfReplay } from "#core/engine/replay.ts";
import { monthOf } from "#core/ladder/season.ts";
import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { hashToken } from "#data/credentials/token.ts";
import { trimReplays } from "#data/files/replay-retention.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { createSampleMatch } from "#testing/fixtures/sample-match.ts";
import { playersOf } from "#testing/store-contract/store-fill.ts";
import {
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleVersion,
} from "#testing/store-contract/store-samples.ts";

export const SEEDED_BOTS = 100;
/** Enough matches for every bot to be ranked. */
const SEEDED_MATCHES = 3000;
const CONCURRENT_SAVES = 250;

/** From a real match, so that match pages have content. */
const SAMPLE_STATS = JSON.stringify(statsOfReplay(createSampleMatch("keep", 3).replay));

export const benchToken = (number: number): string => `bench-token-${number}`;

type SeedSize = { bots: number; matches: number };

/**
 * Fills a data folder with ranked bots and their matches. A server that opens the folder reads it
 * as it would read its own data after a restart.
 */
export async function seedLadder(
  data: string,
  { bots, matches }: SeedSize = { bots: SEEDED_BOTS, matches: SEEDED_MATCHES },
): Promise<void> {
  const store = await openStore({ data });
  for (let number = 0; number < bots; number += 1) {
    await store.bots.add(sampleBot(number), hashToken(benchToken(number)), null);
    await store.versions.add(sampleVersion(number), null);
  }
  const now = new Date().toISOString();
  for (let first = 0; first < matches; first += CONCURRENT_SAVES) {
    const numbers = Array.from({ length: CONCURRENT_SAVES }, (_, index) => first + index);
    await Promise.all(
      numbers.map((number) => store.matches.save(samplePastMatch(number, bots, now))),
    );
  }
  await releaseOldReplays(store);
  await store.close();
}

/**
 * Releases replays as a long-running server would have done. Otherwise, the first cleanup would
 * take minutes of bench time.
 */
async function releaseOldReplays(store: Store): Promise<void> {
  const replays = { remove: async () => 0 };
  const allowances = { perBot: DEFAULT_LIMITS.replays_per_bot, ladderRetentions: [] };
  await trimReplays({ store, replays }, allowances, new AbortController().signal);
}

function samplePastMatch(number: number, bots: number, now: string): FinishedMatch {
  const players = playersOf(number, bots).toSorted((a, b) => a - b);
  const winner = players[number % 3 === 0 ? 1 : 0]!;
  const seats = players.map((player, seat) => sampleSeat(player, { fighter: "AB"[seat]! }));
  const timestamps = { season: monthOf(now), started: now, ended: now };
  return sampleMatch(number, {
    ...timestamps,
    stats: SAMPLE_STATS,
    winnerBotId: sampleId("bot", winner),
    seats,
  });
}
