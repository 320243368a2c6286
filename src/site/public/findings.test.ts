import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { bothOf } from "#base/units/sure.ts";
import type { MatchStats } from "#core/engine/types.ts";
import { playMatch } from "#tools/simulator/match.ts";

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
      if (account.includes("more than it had")) told.beyond += 1;
    }
  }
  assert.ok(told.healed > 0 && told.beyond > 0, JSON.stringify(told));
});
