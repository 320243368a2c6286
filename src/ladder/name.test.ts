import assert from "node:assert/strict";
import { it } from "node:test";

import { isBotName, isFreeBotName, isFreeHandle } from "./name.ts";

it("T85 takes ASCII names of 2 to 24 characters and nothing else", () => {
  const good = ["ab", "A-1_b", "x".repeat(24), "--", "_x"];
  const bad = [
    "a",
    "x".repeat(25),
    "",
    "a b",
    "a.b",
    "аb",
    "ａｂ",
    "\u212Aelvin",
    "e\u0301x",
    "é-x",
  ];
  const hidden = ["a\u200Bb", "ab\n", "a\u0000b", "a/b", "ab\u202E"];
  for (const name of good) assert.ok(isFreeBotName(name), name);
  for (const name of [...bad, ...hidden]) assert.ok(!isBotName(name), JSON.stringify(name));
});

it("T85 keeps reserved names from new bots and people in any letter case", () => {
  const names = ["house-kiter", "ts-starter", "Champion", "starter", "BRAWLER", "Kiter", "house"];
  const words = ["admin", "human", "api", "system", "constructor", "prototype", "__proto__"];
  for (const name of [...names, ...words, "null", "undefined"]) {
    assert.ok(!isFreeBotName(name), name);
    assert.ok(!isFreeBotName(name.toUpperCase()), name);
    assert.ok(!isFreeHandle(name), name);
  }
  assert.ok(isBotName("house-kiter"), "a house bot is found by its name");
});

it("takes handles of 2 to 39 characters that begin with a letter or digit", () => {
  for (const handle of ["ab", "0.b_c-d", "x".repeat(39)]) assert.ok(isFreeHandle(handle), handle);
  for (const handle of ["a", ".ab", "-ab", "_ab", "x".repeat(40), "a b", "аb", "ab\n"])
    assert.ok(!isFreeHandle(handle), JSON.stringify(handle));
});
