import assert from "node:assert/strict";
import { test } from "node:test";

import { allGrids, mapView } from "#core/engine/maps.ts";
import { observationFor } from "#core/engine/observe.ts";
import { statsOfReplay } from "#core/engine/replay.ts";
import { RULES } from "#core/engine/rules.ts";
import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { readDocPage } from "#testing/fixtures/doc-page.ts";
import { garbagePlayer } from "#testing/fixtures/garbage-player.ts";
import { recordMatch } from "#testing/fixtures/record-match.ts";
import { referencePlayer } from "#testing/fixtures/reference-player.ts";

import { ERROR_CODES } from "./errors.ts";
import { printEnd, printError, printHello, printQueued } from "./print-messages.ts";
import { printObservation } from "./print-observation.ts";

const KIB = 1024;
const SEEDS = 6;
const LONGEST_ID = "f".repeat(36);
const LONGEST_LABEL = "\u{1F94A}".repeat(DEFAULT_LIMITS.version_label_max);
const FAILED = { reason: "timeout", message: "x".repeat(150) } as const;

const fighters = (["A", "B"] as const).map((id) => ({
  id,
  bot_id: LONGEST_ID,
  name: "x".repeat(DEFAULT_LIMITS.bot_name_max),
  version: LONGEST_LABEL,
}));
const deadlines = {
  startup_ms: 1e7,
  tick_ms: 1e7,
  budget_ms: 1e9,
  reconnect_ms: 1e7,
  failed_ticks_to_disqualify: 1e6,
  messages_per_tick: 1e6,
};

/**
 * Returns the size in bytes of the largest message of each kind, over complete matches with valid
 * and invalid turns on every map.
 */
function largestSizes(): Record<string, number> {
  const sizes: Record<string, number> = { hello: 0, observation: 0, end: 0, other: 0 };
  const recordSize = (kind: string, text: string) => {
    sizes[kind] = Math.max(sizes[kind]!, Buffer.byteLength(text));
  };
  const ids = { matchId: LONGEST_ID, ladderId: "x".repeat(32), mode: "practice" as const };
  for (const grid of allGrids()) {
    const hello = { ...ids, fighter: "A" as const, fighters, deadlines, rules: RULES };
    recordSize("hello", printHello({ ...hello, map: mapView(grid) }));
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const player = seed % 2 === 0 ? garbagePlayer(seed) : referencePlayer("fight", seed);
      const replay = recordMatch(grid, seed, player, {
        onTick: (fight) => {
          for (const seat of [0, 1])
            recordSize(
              "observation",
              printObservation(LONGEST_ID, observationFor(fight, seat), 300_000, 300_000, FAILED),
            );
        },
      });
      const stats = statsOfReplay({
        ...replay,
        header: { ...replay.header, fighters },
      });
      const endMessage = {
        winner: null,
        reason: "server_fault",
        voided: true,
        unratedReason: "account_changed",
      } as const;
      recordSize(
        "end",
        printEnd({ ...ids, ...endMessage, ratingChange: -999, stats: JSON.stringify(stats) }),
      );
    }
  }
  for (const code of ERROR_CODES) recordSize("other", printError(code));
  recordSize("other", printQueued(LONGEST_LABEL, 99_999.9, ids.ladderId));
  return sizes;
}

test("no server message exceeds half of the documented maximum", () => {
  const [, documentedBound] = /at most (\d+) KiB\b/.exec(readDocPage("protocol").prose) ?? [];
  const documentedBytes = Number(documentedBound) * KIB;
  const sizes = largestSizes();
  for (const [kind, bytes] of Object.entries(sizes)) {
    assert.ok(bytes > 0, kind);
    assert.ok(bytes <= documentedBytes / 2, `${kind}: ${bytes} of ${documentedBytes} bytes`);
  }
});
