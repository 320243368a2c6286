import assert from "node:assert/strict";
import { test } from "node:test";

import { PUBLIC } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";

import { openLadders } from "./ladders.ts";

const ANN = "01900000-0000-7000-8000-00000000000a";
const CUP: LadderDefinition = { ...PUBLIC, id: "cup", name: "Cup", access: "invite" };
const bot = { id: "bot", name: "rex", house: false, ownerId: ANN };
const loner = { ...bot, ownerId: "anon:lea" };
const kiter = { ...bot, name: "house-kiter", house: true, ownerId: "house" };

test("a bot plays for as long as its account is a member, and its board lists it then", () => {
  const ladders = openLadders(fakeClock(), { ladders: [CUP] });
  assert.equal(ladders.admits(bot, CUP.id), "enrollment_required");
  ladders.admit(ANN, CUP.id);
  assert.equal(ladders.admits(bot, CUP.id), null);
  assert.equal(ladders.lists(bot, CUP.id), true);
  ladders.dismiss(ANN, CUP.id);
  assert.equal(ladders.admits(bot, CUP.id), "enrollment_required");
  assert.equal(ladders.lists(bot, CUP.id), false);
  assert.equal(ladders.lists(kiter, CUP.id), true);
});

test("members of before are members of a new process", () => {
  const members = [{ accountId: ANN, ladderId: CUP.id }];
  const ladders = openLadders(fakeClock(), { ladders: [CUP], members });
  assert.equal(ladders.admits(bot, CUP.id), null);
});

test("everybody belongs to public, and only accounts to an open ladder by enrolling", () => {
  const ladders = openLadders(fakeClock(), { ladders: [{ ...CUP, access: "open" }] });
  assert.equal(ladders.admits(bot, PUBLIC.id), null);
  assert.equal(ladders.admits(loner, PUBLIC.id), null);
  assert.equal(ladders.admits(bot, CUP.id), "enrollment_required");
  assert.equal(ladders.admits(loner, CUP.id), null);
});

test("a membership that ended is noticed, also after a new one began", async () => {
  const clock = fakeClock();
  const ladders = openLadders(clock, { ladders: [CUP] });
  const start = clock.now();
  ladders.dismiss(ANN, CUP.id);
  assert.equal(ladders.hasLeftSince(bot, CUP.id, start), false, "nobody was a member");
  ladders.admit(ANN, CUP.id);
  ladders.dismiss(ANN, CUP.id);
  ladders.admit(ANN, CUP.id);
  assert.equal(ladders.hasLeftSince(bot, CUP.id, start), true);
  assert.equal(ladders.hasLeftSince(loner, CUP.id, start), false);
  clock.pass(1000);
  assert.equal(ladders.hasLeftSince(bot, CUP.id, clock.now()), false);
});

test("a ladder that is dropped is unknown", () => {
  const ladders = openLadders(fakeClock(), { ladders: [CUP] });
  ladders.drop(CUP.id);
  assert.equal(ladders.admits(kiter, CUP.id), "unknown_ladder");
  assert.equal(ladders.lists(kiter, CUP.id), false);
});
