import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { openCache } from "./cache.ts";
import { openRevisions } from "./revisions.ts";

type Text = { text: string };

/**
 * A shelf of texts. Each is made of the subjects of its key, and only when the test lets it go on.
 */
function watched(most = 100_000, isTooSoon?: () => boolean) {
  const revisions = openRevisions();
  const cache = openCache(revisions, most);
  const shelf = cache.shelf<Text>("texts", {
    sizeOf: ({ text }) => text.length,
    ...(isTooSoon && { isTooSoon }),
  });
  const makings: PromiseWithResolvers<string | null>[] = [];
  const ask = async (key: string, ...subjects: string[]) => {
    const found = await shelf.get(key, async () => {
      const making = Promise.withResolvers<string | null>();
      makings.push(making);
      revisions.note(subjects, revisions.now());
      const text = await making.promise;
      return text === null ? null : { text };
    });
    return found?.text ?? null;
  };
  const put = async (key: string, text: string | null, ...subjects: string[]) => {
    const asked = ask(key, ...subjects);
    makings.at(-1)?.resolve(text);
    return asked;
  };
  const has = (key: string) => shelf.peek(key)?.text ?? null;
  const move = (...subjects: string[]) => revisions.move(subjects);
  return { revisions, cache, shelf, ask, put, has, move, makings };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("a kept value", () => {
  it("is served until a subject it was made of changes", async () => {
    const { put, has, move } = watched();
    await put("a", "first", "x", "y");
    move("z");
    assert.deepEqual([has("a"), has("b")], ["first", null]);
    move("y");
    assert.equal(has("a"), null);
    await put("a", "second", "x", "y");
    assert.equal(has("a"), "second");
  });

  it("is made once for everybody asking at the same time", async () => {
    const { ask, makings } = watched();
    const answers = [ask("a", "x"), ask("a", "x"), ask("a", "x")];
    makings[0]!.resolve("first");
    assert.deepEqual(await Promise.all(answers), ["first", "first", "first"]);
    assert.equal(makings.length, 1);
  });

  it("is given to nobody who asked after a change it has missed", async () => {
    const { ask, has, move, makings } = watched();
    const early = ask("a", "x");
    move("x");
    const late = [ask("a", "x"), ask("a", "x"), ask("a", "x")];
    makings[0]!.resolve("first");
    assert.equal(await early, "first");
    await settled();
    assert.equal(makings.length, 2);
    makings[1]!.resolve("second");
    assert.deepEqual(await Promise.all(late), ["second", "second", "second"]);
    assert.equal(has("a"), "second");
  });

  it("is not shared if what it read last had changed before the request", async () => {
    const { revisions, shelf, move } = watched();
    const reading = Promise.withResolvers<void>();
    let made = 0;
    const make = async () => {
      made += 1;
      const at = revisions.now();
      await reading.promise;
      revisions.note(["known by its answer only"], at);
      return { text: `${made}` };
    };
    const early = shelf.get("a", make);
    move("known by its answer only");
    const late = shelf.get("a", make);
    reading.resolve();
    assert.deepEqual([(await early).text, (await late).text], ["1", "2"]);
  });

  it("that changed while it was made is made again", async () => {
    const { ask, has, move, makings } = watched();
    const asked = ask("a", "x");
    move("x");
    makings[0]!.resolve("old");
    assert.equal(await asked, "old");
    assert.equal(has("a"), null);
  });

  it("is never a failure or null", async () => {
    const { ask, put, has, move, makings } = watched();
    const failing = [ask("a", "x"), ask("a", "x")];
    makings[0]!.reject(new Error("broken"));
    for (const one of failing) await assert.rejects(one, /broken/);
    const early = ask("a", "x");
    move("x");
    const late = ask("a", "x");
    makings[1]!.reject(new Error("broken before the change"));
    await assert.rejects(early, /broken/);
    await settled();
    makings[2]!.resolve(null);
    assert.equal(await late, null);
    assert.equal(await put("a", "found", "x"), "found");
    assert.equal(has("a"), "found");
  });

  it("depends on everything that the kept values it reads depend on", async () => {
    const { shelf, cache, revisions, move } = watched();
    const pages = cache.shelf<Text>("pages");
    const part = () =>
      shelf.get("part", async () => {
        revisions.note(["x"], revisions.now());
        return { text: "part" };
      });
    const page = () => pages.get("page", async () => ({ text: `page of ${(await part()).text}` }));
    await page();
    assert.equal(pages.peek("page")?.text, "page of part");
    move("x");
    assert.equal(pages.peek("page"), null);
    await part();
    await page();
    move("x");
    assert.equal(pages.peek("page"), null);
  });

  it("does not depend on what is read apart", async () => {
    const { shelf, revisions, move } = watched();
    const note = () => revisions.note(["x"], revisions.now());
    await shelf.get("a", async () => revisions.apart(() => (note(), { text: "a" })));
    move("x");
    assert.equal(shelf.peek("a")?.text, "a");
  });

  it("is still served while a new one is too soon, but nobody waits if there is none", async () => {
    let isTooSoon = true;
    const { ask, put, has, move, makings } = watched(100_000, () => isTooSoon);
    await put("a", "first", "x");
    move("x");
    assert.equal(await ask("a", "x"), "first");
    assert.equal(has("a"), null);
    isTooSoon = false;
    const next = ask("a", "x");
    makings[1]!.resolve("second");
    assert.equal(await next, "second");
  });
});

describe("the room of the cache", () => {
  it("goes to the most recently used", async () => {
    const { put, has, cache } = watched(3000);
    const large = "x".repeat(600);
    for (const key of ["a", "b", "c"]) await put(key, large);
    has("a");
    await put("d", large);
    assert.deepEqual(
      ["a", "b", "c", "d"].map((key) => has(key)?.length ?? 0),
      [600, 0, 600, 600],
    );
    assert.ok(cache.bytes() <= 3000);
  });

  it("is not taken by a value larger than the whole cache", async () => {
    const { put, has } = watched(3000);
    await put("a", "small");
    assert.equal((await put("b", "x".repeat(4000)))?.length, 4000);
    assert.deepEqual([has("a"), has("b")], ["small", null]);
  });

  it("T89 counts keys, parts and entries in addition to values", async () => {
    const { put, move, cache } = watched();
    await put("a", "");
    const bare = cache.bytes();
    await put("k".repeat(1001), "");
    const withKey = cache.bytes() - 2 * bare;
    assert.ok(bare > 200 && withKey >= 1000, `${bare}, ${withKey}`);
    const before = cache.bytes();
    await put("b", "", ...Array.from({ length: 100 }, (_, number) => `subject ${number}`));
    assert.ok(cache.bytes() - before > 100 * "subject 1".length);
    move("subject 7");
    await put("b", "");
    assert.equal(cache.bytes(), before + bare);
  });

  it("has each shelf only once", () => {
    const { cache } = watched();
    assert.throws(() => cache.shelf("texts"), /texts/);
  });
});
