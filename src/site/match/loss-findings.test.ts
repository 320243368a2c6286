import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { firstTwo } from "#base/util/assert-defined.ts";
import { RULES } from "#core/engine/rules.ts";
import { DAMAGE_SOURCES } from "#core/engine/types.ts";
import type { DamageSource, MatchStats } from "#core/engine/types.ts";
import { playMatch } from "#tools/simulator/match.ts";

import { buildHpTable, describeDecision } from "./hp-table.ts";
import { lossFindingsFor } from "./loss-findings.ts";

const CAGE = new URL("../../testing/fixtures/golden/cage.stats.json", import.meta.url);

/** Returns the sum of the amounts in a sentence. */
function sumOf(sentence: string): number {
  const [first, ...parts] = sentence.split(" = ")[0]!.matchAll(/([+−]?) ?(\d+)/g);
  return parts.reduce(
    (sum, [, sign, hp]) => sum + (sign === "+" ? 1 : -1) * Number(hp),
    Number(first![2]),
  );
}

test("shows the loser HP totals and makes no claims about exchanges", () => {
  const { fighters, ticks } = JSON.parse(readFileSync(CAGE, "utf8")) as MatchStats;
  const [a, b] = firstTwo(fighters);
  const { own, opponent, zone } = {
    own: a.damage_taken - b.damage_dealt - a.taken_by_source.zone,
    opponent: b.damage_dealt,
    zone: a.taken_by_source.zone,
  };
  const texts = lossFindingsFor(a, b, ticks);
  const account = texts.find((text) => text.startsWith("120 hp"));
  assert.ok(account, texts.join(" "));
  assert.ok(own > 0 && account.includes(`− ${own} from own areas`), account);
  assert.ok(account.includes(`− ${opponent} from opponent`), account);
  assert.equal(account.includes("zone"), zone > 0);
  assert.ok(!texts.some((text) => text.includes("exchange")), texts.join(" "));
});

test("adds up HP gains and losses, including healing and overkill", () => {
  const baseAmounts = { healed: 0, beyond: 0 };
  for (let seed = 0; seed < 12; seed += 1) {
    const { stats } = playMatch({ map: "cage", seed, bots: ["ts-starter", "brawler"] });
    const [a, b] = stats.fighters;
    for (const [fighter, secondStats] of [
      [a, b],
      [b, a],
    ]) {
      const texts = lossFindingsFor(fighter!, secondStats!, stats.ticks);
      const account = texts.find((text) => text.startsWith("120 hp"))!;
      assert.equal(sumOf(account), fighter!.hp, account);
      assert.ok(account.endsWith(`= ${fighter!.hp} left.`), account);
      if (account.includes("healed")) baseAmounts.healed += 1;
      if (account.includes("overkill")) baseAmounts.beyond += 1;
    }
  }
  assert.ok(baseAmounts.healed > 0 && baseAmounts.beyond > 0, JSON.stringify(baseAmounts));
});

const cage = () => JSON.parse(readFileSync(CAGE, "utf8")) as MatchStats;

/** Returns statistics for two fighters that contain only the damage they took from each other. */
function exchanged(a: Partial<Record<DamageSource, number>>, b: typeof a, healed = 0): MatchStats {
  const stats = cage();
  const [firstStats, two] = firstTwo(stats.fighters);
  for (const source of DAMAGE_SOURCES) {
    firstStats.taken_by_source[source] = two.dealt_by_source[source] = a[source] ?? 0;
    two.taken_by_source[source] = firstStats.dealt_by_source[source] = b[source] ?? 0;
  }
  [firstStats.healed, two.healed] = [0, healed];
  for (const fighter of stats.fighters)
    fighter.damage_taken = RULES.hp + fighter.healed - fighter.hp;
  return stats;
}

const DECIDED: [loser: 0 | 1, taken: Parameters<typeof exchanged>, words: string | null][] = [
  [
    0,
    [
      { strike: 56, bolt: 27, wall_slam: 18 },
      { strike: 68, bolt: 7 },
    ],
    "Largest differences: bolt (−27 HP against −7) and wall slam (−18 HP against 0).",
  ],
  [1, [{ bolt: 4 }, { bolt: 44, hook: 12 }], "Largest difference: bolt (−44 HP against −4)."],
  [
    0,
    [{ zone: 12, hook: 12 }, {}],
    "Largest differences: hook (−12 HP against 0) and the zone (−12 HP against 0).",
  ],
  [0, [{ strike: 10 }, { strike: 30 }], null],
];
for (const [loser, [a, b], expectedText] of DECIDED)
  test(`names the decisive factor: ${expectedText ?? "no negative row"}`, () => {
    assert.equal(describeDecision(exchanged(a, b), loser), expectedText);
  });

test("names failed turns before damage", () => {
  const stats = exchanged({ bolt: 7 }, {});
  const loser = firstTwo(stats.fighters)[0];
  loser.server_idles = { timeout: 2, disconnected: 10 };
  assert.match(describeDecision(stats, 0) ?? "", /^Largest difference: bolt/);
  const disqualified = { ...stats, reason: "disqualification" } as const;
  const expectedText = "Too many consecutive turns failed (10: no connection).";
  assert.equal(describeDecision(disqualified, 0), expectedText);
  const forfeit = { ...stats, reason: "forfeit" } as const;
  assert.equal(
    describeDecision(forfeit, 0),
    "Disconnected for too long, not ready in time, or removed from the ladder.",
  );
});

test("mentions healing that only the opponent received", () => {
  const stats = exchanged({}, {}, 30);
  assert.equal(describeDecision(stats, 0), "Largest difference: healed (0 HP against +30).");
});

test("keeps row labels short enough for narrow screens", () => {
  for (const { label: rowLabel } of buildHpTable(cage()).rows)
    assert.ok(rowLabel.length <= 20, rowLabel);
});
