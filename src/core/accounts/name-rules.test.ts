import assert from "node:assert/strict";
import { it } from "node:test";

import {
  accountIdOfOwner,
  botNameError,
  isBotName,
  ownerNameError,
  normalizeOwner,
  ownerIdOf,
  ownerProfilePath,
  playRefusal,
} from "./name-rules.ts";

it("T85 accepts only ASCII names of 2 to 24 characters", () => {
  const validNames = ["ab", "A-1_b", "x".repeat(24), "--", "_x"];
  const invalidNames = [
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
  for (const name of validNames) assert.equal(botNameError(name), null, name);
  for (const name of [...invalidNames, ...hidden]) {
    assert.ok(!isBotName(name), JSON.stringify(name));
    assert.equal(botNameError(name), "malformed");
  }
});

it("T85 rejects reserved names for new bots and owners, case-insensitively", () => {
  const names = ["house-kiter", "ts-starter", "Champion", "starter", "BRAWLER", "Kiter", "house"];
  const words = [
    "admin",
    "human",
    "api",
    "system",
    "bout",
    "constructor",
    "prototype",
    "__proto__",
  ];
  for (const name of [...names, ...words, "null", "undefined"]) {
    assert.equal(botNameError(name), "reserved", name);
    assert.equal(botNameError(name.toUpperCase()), "reserved", name);
    assert.equal(ownerNameError(name), "reserved", name);
  }
  assert.ok(isBotName("house-kiter"), "a house bot can be looked up by name");
});

it("rejects prefixes of official names for bots and owners", () => {
  const names = [
    "house-official",
    "House_Champ",
    "bout-mod",
    "BOUT_team",
    "administrator",
    "Staff",
  ];
  for (const name of names) {
    assert.equal(botNameError(name), "reserved", name);
    assert.equal(ownerNameError(name), "reserved", name);
    assert.ok(isBotName(name), `an existing bot named ${name} can still be looked up`);
  }
  for (const name of ["houseplant", "bouts", "staffer", "my-admin"]) {
    assert.equal(botNameError(name), null, name);
    assert.equal(ownerNameError(name), null, name);
  }
});

it("rejects owner names that start like one of this server's host names", () => {
  for (const owner of ["bout.example", "Bout.Support", "house.bots", "HOUSE.x"])
    assert.equal(ownerNameError(owner), "reserved", owner);
  for (const owner of ["ada.l", "about.ada", "secure-login.example.com"])
    assert.equal(ownerNameError(owner), null, owner);
});

it("accepts any valid label of 1 to 39 code points as an owner", () => {
  const validNames = ["a", "Team A", "ada.l", "Zoë", "日本", "🤖".repeat(39), ".x", "x".repeat(39)];
  const invalidNames = [
    "",
    " a",
    "a ",
    "a/b",
    "a@b",
    "a#b",
    "50%",
    ".",
    "..",
    "🤖".repeat(40),
    "a\tb",
  ];
  for (const owner of validNames) assert.equal(ownerNameError(owner), null, owner);
  for (const owner of [...invalidNames, "a\u200Bb", "ab\u202E", "a\u00A0b", "\uD800"])
    assert.equal(ownerNameError(owner), "malformed", JSON.stringify(owner));
});

it("T85 rejects owners that mix look-alike scripts within a word", () => {
  const invalidNames = [
    "h\u043euse",
    "\u041aiter",
    "b\u03bfut",
    "Team \u0430da",
    "\u0430d\u0430\u217f",
    "\u00b5bot",
  ];
  const validNames = [
    "\u041a\u043e\u0442",
    "Team \u041a\u043e\u0442",
    "Team-\u03a9",
    "\u03bb",
    "bot\u65e5\u672c",
    "\u0416\u0416 2",
  ];
  for (const owner of invalidNames)
    assert.equal(ownerNameError(owner), "malformed", JSON.stringify(owner));
  for (const owner of validNames) assert.equal(ownerNameError(owner), null, JSON.stringify(owner));
});

it("T85 rejects reserved words and ids as owners, in any spelling", () => {
  const words = [
    "deleted",
    "anonymous",
    "public",
    "operator",
    "moderator",
    "support",
    "root",
    "sysadmin",
    "security",
  ];
  for (const reservedWord of [...words, "owner", "me", "ＡＤＭＩＮ", "\u212Aiter", "ｈouse"])
    for (const owner of [reservedWord, reservedWord.toUpperCase()])
      assert.equal(ownerNameError(owner), "reserved", owner);
  const id = "019b8e2a-7d00-7000-8000-00000000000a";
  for (const owner of [id, id.toUpperCase()])
    assert.equal(ownerNameError(owner), "malformed", owner);
  const free = [ownerNameError("owners"), ownerNameError(id.slice(1)), botNameError("support")];
  assert.deepEqual(free, [null, null, null]);
});

it("normalizes all spellings of an owner to one form", () => {
  for (const owner of ["Zoë", "zoe\u0308", "ＺＯË", " zoë "])
    assert.equal(normalizeOwner(owner), "zoë", JSON.stringify(owner));
  assert.notEqual(normalizeOwner("zoe"), normalizeOwner("zoë"));
});

it("distinguishes owners by account and by name, and the house from both", () => {
  const idOf = (owner: string, accountId: string | null = null, house = false) =>
    ownerIdOf({ house, owner, accountId });
  assert.equal(idOf(" ＺＯË "), "anon:zoë");
  assert.equal(idOf("Zoë", "a1"), "a1");
  assert.equal(idOf("house", null, true), "house");
  assert.equal(idOf("house"), "anon:house");
});

const ACCOUNT = "019b8e2a-7d00-7000-8000-00000000000a";

it("returns the account id and profile path of an owner", () => {
  const pathOf = (ownerId: string, ownerBanned = false) =>
    ownerProfilePath({ owner: "Ada.L", ownerId, ownerBanned });
  assert.equal(accountIdOfOwner(ACCOUNT), ACCOUNT);
  assert.equal(pathOf(ACCOUNT), "/user/Ada.L");
  assert.equal(pathOf(ACCOUNT, true), null);
  for (const ownerId of ["house", "anon:ada.l", `anon:${ACCOUNT}`])
    assert.deepEqual([accountIdOfOwner(ownerId), pathOf(ownerId)], [null, null], ownerId);
});

it("lets bots of accounts and the house play, and other bots only in anonymous mode", () => {
  const describeOwner = (ownerId: string, house = false) =>
    [true, false].map((isAnonymous) => playRefusal({ house, ownerId }, isAnonymous));
  assert.deepEqual(describeOwner(ACCOUNT), [null, null]);
  assert.deepEqual(describeOwner("house", true), [null, null]);
  assert.deepEqual(describeOwner("anon:ada"), [null, "account_required"]);
});
