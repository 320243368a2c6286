import assert from "node:assert/strict";
import { it } from "node:test";

import Fastify from "fastify";

import { openCache } from "#base/cache/cache.ts";
import { openRevisions } from "#base/cache/revisions.ts";
import { SECOND } from "#base/units/time.ts";

import { keepAnswers, LIVE_MAKINGS } from "./cached-answer.ts";

/** An app with one answer made of what the test sets, on a clock that the test moves. */
function keeping() {
  const app = Fastify();
  const world = { now: 0, made: 0, isBroken: false };
  const revisions = openRevisions();
  const cache = openCache(revisions, 100_000);
  const kept = keepAnswers({ cache, now: () => world.now }, "answers", LIVE_MAKINGS);
  app.get("/:key", async (request, reply) => {
    const { key } = request.params as { key: string };
    return kept(reply, key, async () => {
      revisions.note(["part"], revisions.now());
      world.made += 1;
      if (world.isBroken) throw new Error("broken");
      return { key, made: world.made };
    });
  });
  const made = async (key: string) => (await app.inject(`/${key}`)).json<{ made: number }>().made;
  return { app, world, made, move: () => revisions.move(["part"]) };
}

it("an answer is made again when a part has changed, and only then", async () => {
  const { made, move } = keeping();
  assert.deepEqual([await made("a"), await made("a"), await made("b")], [1, 1, 2]);
  move();
  assert.deepEqual([await made("a"), await made("a")], [3, 3]);
});

it("its ETag changes only with its text", async () => {
  const { app, move } = keeping();
  const tag = async () => (await app.inject("/a")).headers.etag;
  const first = await tag();
  assert.match(String(first), /^"[\w+/=]{28}"$/);
  assert.equal(await tag(), first);
  move();
  assert.notEqual(await tag(), first);
});

it("under steady change it is made at a bounded rate, and is never outdated for more than a moment", async () => {
  const { world, made, move } = keeping();
  const numbers: number[] = [];
  for (let request = 0; request < 1000; request += 1) {
    move();
    world.now += SECOND / 1000;
    numbers.push(await made("a"));
  }
  assert.ok(world.made <= 41, `${world.made} made in a second`);
  world.now += SECOND / 20;
  assert.equal(await made("a"), world.made);
  assert.equal(numbers[0], 1);
});

it("a failure is not kept", async () => {
  const { app, world, made } = keeping();
  world.isBroken = true;
  assert.equal((await app.inject("/a")).statusCode, 500);
  world.isBroken = false;
  assert.equal(await made("a"), 2);
});
