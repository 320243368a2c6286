import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { bothOf } from "#base/units/sure.ts";
import { RULES } from "#core/engine/rules.ts";
import { DAMAGE_SOURCES } from "#core/engine/types.ts";
import type { DamageSource, MatchStats } from "#core/engine/types.ts";
import { playMatch } from "#tools/simulator/match.ts";

import { accountOf, decidedWords } from "./account.ts";
import { findingsOf } from "./findings.ts";

const CAGE = new URL("../../testing/fixtures/golden/cage.stats.json", import.meta.url);

/** Adds up the sum that a sentence spells out. */
function sumOf(sentence: string): number {
  const [first, ...parts] = sentence.split(" = ")[0]!.matchAll(/([+−]?) ?(\d+)/g);
  return parts.reduce(
    (sum, [, sign, hp]) => sum + (sign === "+" ? 1 : -1) * Number(hp),
    Number(first![2]),
  );
}

test("the loser reads the account of its hp, not that it won an exchange", () => {
  const { fighters, ticks } = JSON.parse(readFileSync(CAGE, "utf8")) as MatchStats;
  const [a, b] = bothOf(fighters);
  const { own, opponent, zone } = {
    own: a.damage_taken - b.damage_dealt - a.taken_by_source.zone,
    opponent: b.damage_dealt,
    zone: a.taken_by_source.zone,
  };
  const texts = findingsOf(a, b, ticks);
  const account = texts.find((text) => text.startsWith("120 hp"));
  assert.ok(account, texts.join(" "));
  assert.ok(own > 0 && account.includes(`− ${own} by its own areas`), account);
  assert.ok(account.includes(`− ${opponent} by the other one`), account);
  assert.equal(account.includes("zone"), zone > 0);
  assert.ok(!texts.some((text) => text.includes("exchange")), texts.join(" "));
});

test("the account on a page adds up, healing and last blows included", () => {
  const told = { healed: 0, beyond: 0 };
  for (let seed = 0; seed < 12; seed += 1) {
    const { stats } = playMatch({ map: "cage", seed, bots: ["ts-starter", "brawler"] });
    const [a, b] = stats.fighters;
    for (const [fighter, other] of [
      [a, b],
      [b, a],
    ]) {
      const texts = findingsOf(fighter!, other!, stats.ticks);
      const account = texts.find((text) => text.startsWith("120 hp"))!;
      assert.equal(sumOf(account), fighter!.hp, account);
      assert.ok(account.endsWith(`= ${fighter!.hp} left.`), account);
      if (account.includes("healed")) told.healed += 1;
      if (account.includes("beyond the last hp")) told.beyond += 1;
    }
  }
  assert.ok(told.healed > 0 && told.beyond > 0, JSON.stringify(told));
});

const cage = () => JSON.parse(readFileSync(CAGE, "utf8")) as MatchStats;

/** Two fighters who did nothing but what each took of the other. */
function exchanged(a: Partial<Record<DamageSource, number>>, b: typeof a, healed = 0): MatchStats {
  const stats = cage();
  const [one, two] = bothOf(stats.fighters);
  for (const source of DAMAGE_SOURCES) {
    one.taken_by_source[source] = two.dealt_by_source[source] = a[source] ?? 0;
    two.taken_by_source[source] = one.dealt_by_source[source] = b[source] ?? 0;
  }
  [one.healed, two.healed] = [0, healed];
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
    "The largest differences: bolt (−27 hp against −7) and wall slam (−18 hp against 0).",
  ],
  [1, [{ bolt: 4 }, { bolt: 44, hook: 12 }], "The largest difference: bolt (−44 hp against −4)."],
  [
    0,
    [{ zone: 12, hook: 12 }, {}],
    "The largest differences: hook (−12 hp against 0) and the zone (−12 hp against 0).",
  ],
  [0, [{ strike: 10 }, { strike: 30 }], null],
];
for (const [loser, [a, b], words] of DECIDED)
  test(`names what decided: ${words ?? "nothing that it lost ground in"}`, () => {
    assert.equal(decidedWords(exchanged(a, b), loser), words);
  });

test("names the turns that failed before what was lost in a fight", () => {
  const stats = exchanged({ bolt: 7 }, {});
  const loser = bothOf(stats.fighters)[0];
  loser.server_idles = { timeout: 2, disconnected: 10 };
  assert.match(decidedWords(stats, 0) ?? "", /^The largest difference: bolt/);
  const disqualified = { ...stats, reason: "disqualification" } as const;
  const words = "Too many turns in a row failed (10: no connection).";
  assert.equal(decidedWords(disqualified, 0), words);
  const forfeit = { ...stats, reason: "forfeit" } as const;
  assert.equal(
    decidedWords(forfeit, 0),
    "It was gone: away for too long, not ready in time, or off the ladder.",
  );
});

test("names healing that only the other one had", () => {
  const stats = exchanged({}, {}, 30);
  assert.equal(decidedWords(stats, 0), "The largest difference: healed (0 hp against +30).");
});

test("rows of the account are short, as narrow screens need them", () => {
  for (const { what } of accountOf(cage()).rows) assert.ok(what.length <= 20, what);
});
