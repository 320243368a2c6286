import assert from "node:assert/strict";
import { test } from "node:test";

import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";

import { openLadders } from "./live-ladders.ts";

const ANN = "01900000-0000-7000-8000-00000000000a";
const CUP: LadderDefinition = { ...PUBLIC_LADDER, id: "cup", name: "Cup", access: "invite" };
const bot = { id: "bot", name: "rex", house: false, ownerId: ANN };
const anonymousBot = { ...bot, ownerId: "anon:lea" };
const kiter = { ...bot, name: "house-kiter", house: true, ownerId: "house" };

test("a bot can queue and is listed while its account is a member", () => {
  const ladders = openLadders(fakeClock(), { ladders: [CUP] });
  assert.equal(ladders.queueRefusal(bot, CUP.id), "enrollment_required");
  ladders.addMember(ANN, CUP.id);
  assert.equal(ladders.queueRefusal(bot, CUP.id), null);
  assert.equal(ladders.isListed(bot, CUP.id), true);
  ladders.removeMember(ANN, CUP.id);
  assert.equal(ladders.queueRefusal(bot, CUP.id), "enrollment_required");
  assert.equal(ladders.isListed(bot, CUP.id), false);
  assert.equal(ladders.isListed(kiter, CUP.id), true);
});

test("members survive a restart", () => {
  const members = [{ accountId: ANN, ladderId: CUP.id }];
  const ladders = openLadders(fakeClock(), { ladders: [CUP], members });
  assert.equal(ladders.queueRefusal(bot, CUP.id), null);
});

test("every bot belongs to public, while an open ladder requires enrollment", () => {
  const ladders = openLadders(fakeClock(), { ladders: [{ ...CUP, access: "open" }] });
  assert.equal(ladders.queueRefusal(bot, PUBLIC_LADDER.id), null);
  assert.equal(ladders.queueRefusal(anonymousBot, PUBLIC_LADDER.id), null);
  assert.equal(ladders.queueRefusal(bot, CUP.id), "enrollment_required");
  assert.equal(ladders.queueRefusal(anonymousBot, CUP.id), null);
});

test("detects that a membership ended, even if a new one has begun since", async () => {
  const clock = fakeClock();
  const ladders = openLadders(clock, { ladders: [CUP] });
  const startedAt = clock.now();
  ladders.removeMember(ANN, CUP.id);
  assert.equal(ladders.hasLeftSince(bot, CUP.id, startedAt), false, "no members yet");
  ladders.addMember(ANN, CUP.id);
  ladders.removeMember(ANN, CUP.id);
  ladders.addMember(ANN, CUP.id);
  assert.equal(ladders.hasLeftSince(bot, CUP.id, startedAt), true);
  assert.equal(ladders.hasLeftSince(anonymousBot, CUP.id, startedAt), false);
  clock.advance(1000);
  assert.equal(ladders.hasLeftSince(bot, CUP.id, clock.now()), false);
});

test("a removed ladder is unknown", () => {
  const ladders = openLadders(fakeClock(), { ladders: [CUP] });
  ladders.remove(CUP.id);
  assert.equal(ladders.queueRefusal(kiter, CUP.id), "unknown_ladder");
  assert.equal(ladders.isListed(kiter, CUP.id), false);
});
