import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { playMatch } from "#tools/simulator/match.ts";

import { totalDamage, hpBreakdown } from "./hp-breakdown.ts";
import type { HpBreakdown } from "./hp-breakdown.ts";
import { LOG_HIT, LOG_ZONE_DAMAGE } from "./log.ts";
import { MAP_NAMES } from "./maps.ts";
import { RULES } from "./rules.ts";
import type { MatchStats } from "./types.ts";

const GOLDEN = new URL("../../testing/fixtures/golden/", import.meta.url);

function breakdownsOf({ fighters: [a, b] }: MatchStats): HpBreakdown[] {
  return [hpBreakdown(a!, b!), hpBreakdown(b!, a!)];
}

function assertAddsUp(stats: MatchStats): void {
  for (const [seat, breakdown] of breakdownsOf(stats).entries()) {
    const { hp, damage_taken } = stats.fighters[seat]!;
    const { start, healed, selfDamage, zoneDamage, opponentDamage, overkill, remaining } =
      breakdown;
    const taken = totalDamage(selfDamage) + zoneDamage + totalDamage(opponentDamage);
    assert.equal(start + healed - taken + overkill, remaining);
    assert.deepEqual([start, taken, remaining], [RULES.hp, damage_taken, hp]);
    assert.ok(overkill === 0 || (overkill > 0 && hp === 0), `${overkill} beyond ${hp}`);
    assert.deepEqual(
      Object.keys(selfDamage).filter((name) => name !== "blast" && name !== "scorch"),
      [],
    );
  }
}

test("the HP breakdown adds up to the remaining HP in every golden match", () => {
  const files = readdirSync(GOLDEN).filter((file) => file.endsWith(".stats.json"));
  const allFiles = files.map((file) => readFileSync(new URL(file, GOLDEN), "utf8"));
  const played = allFiles.map((text) => JSON.parse(text) as MatchStats | null);
  const statedTotal = played.filter((stats) => stats !== null);
  assert.ok(statedTotal.length > 10, `${statedTotal.length}`);
  for (const stats of statedTotal) assertAddsUp(stats);
});

test("attributes damage to its source in fights of every kind", () => {
  const sum = { own: 0, zone: 0, opponent: 0, healed: 0, beyond: 0 };
  for (const [seed, map] of MAP_NAMES.entries())
    for (const bots of [
      ["ts-starter", "brawler"],
      ["random", "ts-starter"],
      ["random", "random"],
    ] as const) {
      const countedDamage = [0, 1].map(() => ({ own: 0, zone: 0, opponent: 0 }));
      const { stats } = playMatch({ map, seed, bots: [...bots] }, ({ fight: { log } }) => {
        for (const { kind, by, target, value } of log.records.slice(0, log.length)) {
          if (kind === LOG_ZONE_DAMAGE) countedDamage[target]!.zone += value;
          if (kind === LOG_HIT) countedDamage[target]![by === target ? "own" : "opponent"] += value;
        }
      });
      assertAddsUp(stats);
      for (const [
        seat,
        { selfDamage, zoneDamage, opponentDamage, healed, overkill },
      ] of breakdownsOf(stats).entries()) {
        const split = {
          own: totalDamage(selfDamage),
          zone: zoneDamage,
          opponent: totalDamage(opponentDamage),
        };
        assert.deepEqual(split, countedDamage[seat]);
        for (const [part, hp] of Object.entries({ ...split, healed, beyond: overkill }))
          sum[part as keyof typeof sum] += hp;
      }
    }
  for (const [part, hp] of Object.entries(sum)) assert.ok(hp > 0, `no fight had any ${part}`);
});
