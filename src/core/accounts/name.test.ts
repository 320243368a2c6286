import assert from "node:assert/strict";
import { it } from "node:test";

import {
  accountOf,
  botNameFault,
  isBotName,
  ownerFault,
  ownerFold,
  ownerIdOf,
  ownerPath,
  playRefusal,
} from "./name.ts";

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
  for (const name of good) assert.equal(botNameFault(name), null, name);
  for (const name of [...bad, ...hidden]) {
    assert.ok(!isBotName(name), JSON.stringify(name));
    assert.equal(botNameFault(name), "malformed");
  }
});

it("T85 keeps reserved names from new bots and people in any letter case", () => {
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
    assert.equal(botNameFault(name), "reserved", name);
    assert.equal(botNameFault(name.toUpperCase()), "reserved", name);
    assert.equal(ownerFault(name), "reserved", name);
  }
  assert.ok(isBotName("house-kiter"), "a house bot is found by its name");
});

it("reserves prefixes of the server's own names, for bots and owners alike", () => {
  const names = [
    "house-official",
    "House_Champ",
    "bout-mod",
    "BOUT_team",
    "administrator",
    "Staff",
  ];
  for (const name of names) {
    assert.equal(botNameFault(name), "reserved", name);
    assert.equal(ownerFault(name), "reserved", name);
    assert.ok(isBotName(name), `a bot that has the name ${name} is still found`);
  }
  for (const name of ["houseplant", "bouts", "staffer", "my-admin"]) {
    assert.equal(botNameFault(name), null, name);
    assert.equal(ownerFault(name), null, name);
  }
});

it("keeps owners from beginning like a host of this server", () => {
  for (const owner of ["bout.example", "Bout.Support", "house.bots", "HOUSE.x"])
    assert.equal(ownerFault(owner), "reserved", owner);
  for (const owner of ["ada.l", "about.ada", "secure-login.example.com"])
    assert.equal(ownerFault(owner), null, owner);
});

it("takes as an owner any text that could be a label, of 1 to 39 code points", () => {
  const good = ["a", "Team A", "ada.l", "Zoë", "日本", "🤖".repeat(39), ".x", "x".repeat(39)];
  const bad = ["", " a", "a ", "a/b", "a@b", "a#b", "50%", ".", "..", "🤖".repeat(40), "a\tb"];
  for (const owner of good) assert.equal(ownerFault(owner), null, owner);
  for (const owner of [...bad, "a\u200Bb", "ab\u202E", "a\u00A0b", "\uD800"])
    assert.equal(ownerFault(owner), "malformed", JSON.stringify(owner));
});

it("T85 takes no owner with a word of letters that pass for one another", () => {
  const bad = [
    "h\u043euse",
    "\u041aiter",
    "b\u03bfut",
    "Team \u0430da",
    "\u0430d\u0430\u217f",
    "\u00b5bot",
  ];
  const good = [
    "\u041a\u043e\u0442",
    "Team \u041a\u043e\u0442",
    "Team-\u03a9",
    "\u03bb",
    "bot\u65e5\u672c",
    "\u0416\u0416 2",
  ];
  for (const owner of bad) assert.equal(ownerFault(owner), "malformed", JSON.stringify(owner));
  for (const owner of good) assert.equal(ownerFault(owner), null, JSON.stringify(owner));
});

it("T85 keeps reserved words and ids from owners, however they are written", () => {
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
  for (const word of [...words, "owner", "me", "ＡＤＭＩＮ", "\u212Aiter", "ｈouse"])
    for (const owner of [word, word.toUpperCase()])
      assert.equal(ownerFault(owner), "reserved", owner);
  const id = "019b8e2a-7d00-7000-8000-00000000000a";
  for (const owner of [id, id.toUpperCase()]) assert.equal(ownerFault(owner), "malformed", owner);
  const free = [ownerFault("owners"), ownerFault(id.slice(1)), botNameFault("support")];
  assert.deepEqual(free, [null, null, null]);
});

it("folds the ways to write one owner into one", () => {
  for (const owner of ["Zoë", "zoe\u0308", "ＺＯË", " zoë "])
    assert.equal(ownerFold(owner), "zoë", JSON.stringify(owner));
  assert.notEqual(ownerFold("zoe"), ownerFold("zoë"));
});

it("tells owners apart by account, by what they write, and the house from everybody", () => {
  const idOf = (owner: string, accountId: string | null = null, house = false) =>
    ownerIdOf({ house, owner, accountId });
  assert.equal(idOf(" ＺＯË "), "anon:zoë");
  assert.equal(idOf("Zoë", "a1"), "a1");
  assert.equal(idOf("house", null, true), "house");
  assert.equal(idOf("house"), "anon:house");
});

const ACCOUNT = "019b8e2a-7d00-7000-8000-00000000000a";

it("knows the account in an owner's id, and where its profile is", () => {
  const pathOf = (ownerId: string, ownerBanned = false) =>
    ownerPath({ owner: "Ada.L", ownerId, ownerBanned });
  assert.equal(accountOf(ACCOUNT), ACCOUNT);
  assert.equal(pathOf(ACCOUNT), "/user/Ada.L");
  assert.equal(pathOf(ACCOUNT, true), null);
  for (const ownerId of ["house", "anon:ada.l", `anon:${ACCOUNT}`])
    assert.deepEqual([accountOf(ownerId), pathOf(ownerId)], [null, null], ownerId);
});

it("lets bots play that have an account or are the house's, and others in anonymous mode", () => {
  const told = (ownerId: string, house = false) =>
    [true, false].map((isAnonymous) => playRefusal({ house, ownerId }, isAnonymous));
  assert.deepEqual(told(ACCOUNT), [null, null]);
  assert.deepEqual(told("house", true), [null, null]);
  assert.deepEqual(told("anon:ada"), [null, "account_required"]);
});
