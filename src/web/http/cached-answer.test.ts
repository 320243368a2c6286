import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

import Fastify from "fastify";

import { SECOND } from "#base/units/time.ts";

import { keepAnswers, oncePerTurn, unchanged } from "./cached-answer.ts";

/** An app whose one answer is made of what a test sets, on a clock that a test moves. */
function keeping() {
  const app = Fastify();
  const world = { now: 0, parts: [1] as unknown[], made: 0, isBroken: false };
  const kept = keepAnswers(() => world.now);
  app.get("/:key", async (request, reply) => {
    const { key } = request.params as { key: string };
    return kept(reply, key, world.parts, async () => {
      world.made += 1;
      if (world.isBroken) throw new Error("broken");
      return { key, made: world.made };
    });
  });
  const made = async (key: string) => (await app.inject(`/${key}`)).json<{ made: number }>().made;
  return { app, world, made };
}

it("an answer is made again when a part is another, and only then", async () => {
  const { world, made } = keeping();
  assert.deepEqual([await made("a"), await made("a"), await made("b")], [1, 1, 2]);
  world.parts = [1];
  assert.equal(await made("a"), 1);
  world.parts = [2];
  assert.deepEqual([await made("a"), await made("a")], [3, 3]);
});

it("its ETag changes with its text alone", async () => {
  const { app, world } = keeping();
  const tag = async () => (await app.inject("/a")).headers.etag;
  const first = await tag();
  assert.match(String(first), /^"[\w+/=]{28}"$/);
  assert.equal(await tag(), first);
  world.parts = [2];
  assert.notEqual(await tag(), first);
});

it("under steady change it is made so often and no more, and never grows older than a moment", async () => {
  const { world, made } = keeping();
  const numbers: number[] = [];
  for (let request = 0; request < 1000; request += 1) {
    world.parts = [request];
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

it("a list that reads the same is the same", () => {
  const rows = [{ id: "a", tick: 1, names: ["x", "y"] }];
  const read = unchanged(() => rows.map((row) => ({ ...row, names: [...row.names] })));
  const first = read();
  assert.equal(read(), first);
  rows[0]!.tick = 2;
  const second = read();
  assert.notEqual(second, first);
  rows[0]!.names = ["x", "z"];
  assert.notEqual(read(), second);
  rows.push({ id: "b", tick: 1, names: [] });
  assert.equal(read().length, 2);
});

it("a list whose rows are changed in place is another", () => {
  const rows = [{ id: "a", tick: 1 }];
  const read = unchanged(() => rows);
  const first = read();
  rows[0]!.tick = 2;
  assert.notEqual(read(), first);
});

it("a list is read once in a turn of the event loop", async () => {
  let reads = 0;
  const read = oncePerTurn(() => [{ id: "a", read: (reads += 1) }]);
  const kept = unchanged(read);
  const first = kept();
  await Promise.resolve();
  assert.deepEqual([read() === read(), kept() === first, reads], [true, true, 1]);
  await nextTurn();
  assert.equal(kept()[0]!.read, 2);
  assert.throws(() => read().push({ id: "b", read: 0 }), TypeError);
});
