import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { openKeeper } from "./keeper.ts";

/** A keeper of names whose making a test lets go on; each tells its number. */
function watched(most = 100, isTooSoon?: () => boolean) {
  const makings: PromiseWithResolvers<string | null>[] = [];
  const keeper = openKeeper<string | null>({ most, sizeOf: (text) => text.length, isTooSoon });
  const ask = (key: string, ...parts: unknown[]) =>
    keeper(key, parts, () => {
      const making = Promise.withResolvers<string | null>();
      makings.push(making);
      return making.promise;
    });
  const has = async (key: string, ...parts: unknown[]) => {
    const before = makings.length;
    const value = ask(key, ...parts);
    if (makings.length === before) return value;
    makings[before]!.resolve(null);
    await value;
    return "made again";
  };
  const put = async (key: string, value: string, ...parts: unknown[]) => {
    const asked = ask(key, ...parts);
    makings.at(-1)?.resolve(value);
    return asked;
  };
  return { ask, put, has, makings };
}

describe("a keeper", () => {
  it("gives what it has while each part is the same thing", async () => {
    const { put, has } = watched();
    const [one, other] = [{}, {}];
    await put("a", "first", one, 1);
    assert.equal(await has("a", one, 1), "first");
    for (const parts of [[other, 1], [one, 2], [one], [one, 1, 1]])
      assert.equal(await has("a", ...parts), "made again");
    assert.equal(await has("b", one, 1), "made again");
  });

  it("makes one value for all who ask at once", async () => {
    const { ask, makings } = watched();
    const answers = [ask("a", 1), ask("a", 1), ask("a", 1)];
    makings[0]!.resolve("first");
    assert.deepEqual(await Promise.all(answers), ["first", "first", "first"]);
    assert.equal(makings.length, 1);
  });

  it("gives nobody a value that was begun before a change it knows of", async () => {
    const { ask, has, makings } = watched();
    const early = ask("a", 1);
    const late = [ask("a", 2), ask("a", 3), ask("a", 2)];
    assert.equal(makings.length, 1);
    makings[0]!.resolve("first");
    assert.equal(await early, "first");
    await Promise.resolve();
    assert.equal(makings.length, 2);
    makings[1]!.resolve("second");
    assert.deepEqual(await Promise.all(late), ["second", "second", "second"]);
    assert.equal(await has("a", 3), "made again");
  });

  it("keeps neither a failure nor nothing", async () => {
    const { ask, put, makings } = watched();
    const failing = [ask("a", 1), ask("a", 2)];
    makings[0]!.reject(new Error("broken"));
    await assert.rejects(failing[0]!, /broken/);
    await Promise.resolve();
    makings[1]!.resolve(null);
    assert.equal(await failing[1], null);
    assert.equal(await put("a", "found", 2), "found");
  });

  it("forgets those that were not asked for the longest", async () => {
    const { put, has } = watched(10);
    await put("a", "aaaa", 1);
    await put("b", "bbbb", 1);
    await has("a", 1);
    await put("c", "cccc", 1);
    assert.equal(await has("b", 1), "made again");
    assert.equal(await has("a", 1), "aaaa");
    assert.equal(await has("c", 1), "cccc");
    await put("a", "aaaaaaaa", 2);
    assert.equal(await has("c", 1), "made again");
  });

  it("gives an older value while the next one comes too soon, but never waits for none", async () => {
    let isTooSoon = true;
    const { put, has } = watched(100, () => isTooSoon);
    await put("a", "first", 1);
    assert.equal(await has("a", 2), "first");
    isTooSoon = false;
    assert.equal(await has("a", 2), "made again");
  });
});
