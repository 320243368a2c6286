// A ladder with a past, as files: ranked bots, and their matches with statistics.

import { statsOfReplay } from "#core/engine/replay.ts";
import { monthOf } from "#core/ladder/season.ts";
import { LIMITS } from "#core/words/limits.ts";
import { hashToken } from "#data/access/token.ts";
import { trimReplays } from "#data/files/replay-trim.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { sampleBout } from "#testing/fixtures/sample-bout.ts";
import { playersOf } from "#testing/store-cases/store-fill.ts";
import {
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleVersion,
} from "#testing/store-cases/store-samples.ts";

export const BOTS = 100;
/** Enough for every bot to be ranked. */
const MATCHES = 3000;
/** Saved together, so that they share commits. */
const TOGETHER = 250;

/** Of a real fight, so that pages about a match have something to show. */
const STATS = JSON.stringify(statsOfReplay(sampleBout("keep", 3).replay));

export const tokenOf = (number: number): string => `bench-token-${number}`;

type Size = { bots: number; matches: number };

/** Fills a data folder, from which the server then reads as after a restart. */
export async function seed(
  data: string,
  { bots, matches }: Size = { bots: BOTS, matches: MATCHES },
): Promise<void> {
  const store = await openStore({ data });
  for (let number = 0; number < bots; number += 1) {
    await store.bots.add(sampleBot(number), hashToken(tokenOf(number)), null);
    await store.versions.add(sampleVersion(number), null);
  }
  const now = new Date().toISOString();
  for (let first = 0; first < matches; first += TOGETHER) {
    const numbers = Array.from({ length: TOGETHER }, (_, index) => first + index);
    await Promise.all(numbers.map((number) => store.matches.save(pastMatch(number, bots, now))));
  }
  await releaseOld(store);
  await store.close();
}

/** As a server that has run for long: otherwise its first cleanup takes minutes of the bench. */
async function releaseOld(store: Store): Promise<void> {
  const replays = { remove: async () => 0 };
  const allowed = { perBot: LIMITS.replays_per_bot, held: [] };
  await trimReplays({ store, replays }, allowed, new AbortController().signal);
}

/** The bot with the lower number wins two games in three. */
function pastMatch(number: number, bots: number, now: string): FinishedMatch {
  const players = playersOf(number, bots).toSorted((one, other) => one - other);
  const winner = players[number % 3 === 0 ? 1 : 0]!;
  const seats = players.map((player, seat) => sampleSeat(player, { fighter: "AB"[seat]! }));
  const times = { season: monthOf(now), started: now, ended: now };
  return sampleMatch(number, {
    ...times,
    stats: STATS,
    winnerBotId: sampleId("bot", winner),
    seats,
  });
}
