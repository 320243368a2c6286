import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { playMatch } from "#tools/simulator/match.ts";

import { damageIn, hpAccount } from "./hp-account.ts";
import type { HpAccount } from "./hp-account.ts";
import { LOG_HIT, LOG_ZONE_DAMAGE } from "./log.ts";
import { MAP_NAMES } from "./maps.ts";
import { RULES } from "./rules.ts";
import type { MatchStats } from "./types.ts";

const GOLDEN = new URL("../../testing/fixtures/golden/", import.meta.url);

function accountsOf({ fighters: [a, b] }: MatchStats): HpAccount[] {
  return [hpAccount(a!, b!), hpAccount(b!, a!)];
}

function assertAddsUp(stats: MatchStats): void {
  for (const [seat, account] of accountsOf(stats).entries()) {
    const { hp, damage_taken } = stats.fighters[seat]!;
    const { start, healed, own, zone, opponent, beyond, left } = account;
    const taken = damageIn(own) + zone + damageIn(opponent);
    assert.equal(start + healed - taken + beyond, left);
    assert.deepEqual([start, taken, left], [RULES.hp, damage_taken, hp]);
    assert.ok(beyond === 0 || (beyond > 0 && hp === 0), `${beyond} beyond ${hp}`);
    assert.deepEqual(
      Object.keys(own).filter((name) => name !== "blast" && name !== "scorch"),
      [],
    );
  }
}

test("the account of every golden match adds up to the hp that are left", () => {
  const files = readdirSync(GOLDEN).filter((file) => file.endsWith(".stats.json"));
  const all = files.map((file) => readFileSync(new URL(file, GOLDEN), "utf8"));
  const played = all.map((text) => JSON.parse(text) as MatchStats | null);
  const told = played.filter((stats) => stats !== null);
  assert.ok(told.length > 10, `${told.length}`);
  for (const stats of told) assertAddsUp(stats);
});

test("damage taken is attributed to its source, in fights of every kind", () => {
  const sum = { own: 0, zone: 0, opponent: 0, healed: 0, beyond: 0 };
  for (const [seed, map] of MAP_NAMES.entries())
    for (const bots of [
      ["ts-starter", "brawler"],
      ["random", "ts-starter"],
      ["random", "random"],
    ] as const) {
      const counted = [0, 1].map(() => ({ own: 0, zone: 0, opponent: 0 }));
      const { stats } = playMatch({ map, seed, bots: [...bots] }, ({ fight: { log } }) => {
        for (const { kind, by, target, value } of log.records.slice(0, log.length)) {
          if (kind === LOG_ZONE_DAMAGE) counted[target]!.zone += value;
          if (kind === LOG_HIT) counted[target]![by === target ? "own" : "opponent"] += value;
        }
      });
      assertAddsUp(stats);
      for (const [seat, { own, zone, opponent, healed, beyond }] of accountsOf(stats).entries()) {
        const split = { own: damageIn(own), zone, opponent: damageIn(opponent) };
        assert.deepEqual(split, counted[seat]);
        for (const [part, hp] of Object.entries({ ...split, healed, beyond }))
          sum[part as keyof typeof sum] += hp;
      }
    }
  for (const [part, hp] of Object.entries(sum)) assert.ok(hp > 0, `no fight had any ${part}`);
});
