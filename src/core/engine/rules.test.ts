import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import {
  BLAST,
  BOLT,
  COLLISION,
  HOOK,
  REPULSE,
  SCORCH,
  STRIKE,
  UNKNOWN_ATTACK,
  WALL_SLAM,
  ZONE,
} from "./integer-codes.ts";
import { allGrids } from "./maps.ts";
import { ENGINE_VERSION, RULES, RULES_VERSION, checkRules } from "./rules.ts";
import type { AttackName } from "./types.ts";
import { ATTACKS, DAMAGE_SOURCES } from "./types.ts";

function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`).join(",")}}`;
}

test("states the versions of this engine", () => {
  assert.deepEqual([ENGINE_VERSION, RULES_VERSION, RULES.version], ["0.23.0", "0.22.0", "0.22.0"]);
});

test("rules and maps match the published hash", () => {
  const maps = Object.fromEntries(allGrids().map(({ name, rows }) => [name, rows]));
  const hash = createHash("sha256")
    .update(canonical({ maps, rules: RULES }))
    .digest("hex");
  assert.equal(hash, "c35b0d546327210d3c206303df89cd4642bb26fcd2533e15c233aa38b98ad10f");
});

test("hello lists the rules in the published order", () => {
  assert.deepEqual(Object.keys(RULES), [
    "version",
    "hp",
    "max_ticks",
    "directions",
    "dash",
    "attacks",
    "wall_slam",
    "collision",
    "power",
    "heal",
    "zone",
    "pickups",
    "shout",
  ]);
  assert.deepEqual(
    Object.values(RULES.attacks).map((attack) => Object.keys(attack).join(" ")),
    [
      "target acts damage cooldown recovery range",
      "target acts damage bounce_damage bounces cooldown recovery range",
      "target acts damage cooldown recovery range",
      "target acts damage cooldown recovery radius push",
      "target acts damage cooldown recovery range radius fuse",
      "target acts damage cooldown recovery range radius burns",
    ],
  );
});

function withAttack(name: AttackName, change: Partial<Record<string, number>>) {
  return { attacks: { ...RULES.attacks, [name]: { ...RULES.attacks[name], ...change } } };
}

test("rejects rules in which an area or a recovery lasts longer than the attack's cooldown", () => {
  checkRules(RULES);
  const blast = withAttack("blast", { fuse: 11 });
  const scorch = withAttack("scorch", { burns: 15 });
  const hook = withAttack("hook", { recovery: 19 });
  assert.throws(() => checkRules(blast), {
    message: "rules: a blast must end before the next one",
  });
  assert.throws(() => checkRules(scorch), /a scorch must end before the next one/);
  assert.throws(() => checkRules(hook), /hook recovers later than it is ready/);
});

test("every code is the index of its word", () => {
  assert.deepEqual(
    [STRIKE, BOLT, HOOK, REPULSE, BLAST, SCORCH].map((code) => ATTACKS[code]),
    ATTACKS,
  );
  assert.equal(UNKNOWN_ATTACK, ATTACKS.length);
  assert.deepEqual(
    [WALL_SLAM, COLLISION, ZONE].map((code) => DAMAGE_SOURCES[code]),
    ["wall_slam", "collision", "zone"],
  );
});
