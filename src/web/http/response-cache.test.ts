import assert from "node:assert/strict";
import { it } from "node:test";

import Fastify from "fastify";

import { openCache } from "#base/cache/cache.ts";
import { openRevisions } from "#base/cache/revisions.ts";
import { SECOND_US } from "#base/util/time.ts";

import { responseCache, LIVE_REFRESH_RATE } from "./response-cache.ts";

/** Opens an app with one cached response whose inputs and clock the test controls. */
function cacheWorld() {
  const app = Fastify();
  const world = { now: 0, made: 0, isBroken: false };
  const revisions = openRevisions();
  const cache = openCache(revisions, 100_000);
  const cached = responseCache({ cache, now: () => world.now }, "answers", LIVE_REFRESH_RATE);
  app.get("/:key", async (request, reply) => {
    const { key } = request.params as { key: string };
    return cached(reply, key, async () => {
      revisions.track(["part"], revisions.newestRevision());
      world.made += 1;
      if (world.isBroken) throw new Error("broken");
      return { key, computeCount: world.made };
    });
  });
  const computeCount = async (key: string) =>
    (await app.inject(`/${key}`)).json<{ computeCount: number }>().computeCount;
  return { app, world, made: computeCount, move: () => revisions.invalidate(["part"]) };
}

it("a response is rebuilt only if one of its inputs has changed", async () => {
  const { made: computeCount, move: invalidate } = cacheWorld();
  assert.deepEqual(
    [await computeCount("a"), await computeCount("a"), await computeCount("b")],
    [1, 1, 2],
  );
  invalidate();
  assert.deepEqual([await computeCount("a"), await computeCount("a")], [3, 3]);
});

it("its ETag changes only if its text does", async () => {
  const { app, move: invalidate } = cacheWorld();
  const tag = async () => (await app.inject("/a")).headers.etag;
  const first = await tag();
  assert.match(String(first), /^"[\w+/=]{28}"$/);
  assert.equal(await tag(), first);
  invalidate();
  assert.notEqual(await tag(), first);
});

it("under constant change it is rebuilt at a limited rate and never stale for longer than that allows", async () => {
  const { world, made: computeCount, move: invalidate } = cacheWorld();
  const numbers: number[] = [];
  for (let request = 0; request < 1000; request += 1) {
    invalidate();
    world.now += SECOND_US / 1000;
    numbers.push(await computeCount("a"));
  }
  assert.ok(world.made <= 41, `${world.made} built in a second`);
  world.now += SECOND_US / 20;
  assert.equal(await computeCount("a"), world.made);
  assert.equal(numbers[0], 1);
});

it("a failure is not cached", async () => {
  const { app, world, made: computeCount } = cacheWorld();
  world.isBroken = true;
  assert.equal((await app.inject("/a")).statusCode, 500);
  world.isBroken = false;
  assert.equal(await computeCount("a"), 2);
});
