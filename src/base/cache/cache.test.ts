import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { openCache } from "./cache.ts";
import { openRevisions } from "./revisions.ts";

type Text = { text: string };

/**
 * Opens a namespace of text values. Each value depends on the subjects passed with its key, and its
 * `make` waits until the test resolves it.
 */
function openTestCache(maxBytes = 100_000, isTooSoon?: () => boolean) {
  const revisions = openRevisions();
  const cache = openCache(revisions, maxBytes);
  const namespace = cache.namespace<Text>("texts", {
    sizeOf: ({ text }) => text.length,
    ...(isTooSoon && { isTooSoon }),
  });
  const makeCount: PromiseWithResolvers<string | null>[] = [];
  const getText = async (key: string, ...subjects: string[]) => {
    const foundText = await namespace.get(key, async () => {
      const making = Promise.withResolvers<string | null>();
      makeCount.push(making);
      revisions.track(subjects, revisions.newestRevision());
      const text = await making.promise;
      return text === null ? null : { text };
    });
    return foundText?.text ?? null;
  };
  const store = async (key: string, text: string | null, ...subjects: string[]) => {
    const requestedAt = getText(key, ...subjects);
    makeCount.at(-1)?.resolve(text);
    return requestedAt;
  };
  const hasKey = (key: string) => namespace.peek(key)?.text ?? null;
  const invalidate = (...subjects: string[]) => revisions.invalidate(subjects);
  return {
    revisions,
    cache,
    shelf: namespace,
    ask: getText,
    put: store,
    has: hasKey,
    move: invalidate,
    makings: makeCount,
  };
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describe("a cached value", () => {
  it("is served until a dependency changes", async () => {
    const { put: store, has: hasKey, move: invalidate } = openTestCache();
    await store("a", "first", "x", "y");
    invalidate("z");
    assert.deepEqual([hasKey("a"), hasKey("b")], ["first", null]);
    invalidate("y");
    assert.equal(hasKey("a"), null);
    await store("a", "second", "x", "y");
    assert.equal(hasKey("a"), "second");
  });

  it("is made once for concurrent callers", async () => {
    const { ask: getText, makings: makeCount } = openTestCache();
    const answers = [getText("a", "x"), getText("a", "x"), getText("a", "x")];
    makeCount[0]!.resolve("first");
    assert.deepEqual(await Promise.all(answers), ["first", "first", "first"]);
    assert.equal(makeCount.length, 1);
  });

  it("isn't shared with callers that arrive after a dependency has changed", async () => {
    const { ask: getText, has: hasKey, move: invalidate, makings: makeCount } = openTestCache();
    const earlyRequest = getText("a", "x");
    invalidate("x");
    const lateRequest = [getText("a", "x"), getText("a", "x"), getText("a", "x")];
    makeCount[0]!.resolve("first");
    assert.equal(await earlyRequest, "first");
    await nextTick();
    assert.equal(makeCount.length, 2);
    makeCount[1]!.resolve("second");
    assert.deepEqual(await Promise.all(lateRequest), ["second", "second", "second"]);
    assert.equal(hasKey("a"), "second");
  });

  it("isn't shared if a dependency tracked only at the end changed before the call", async () => {
    const { revisions, shelf: namespace, move: invalidate } = openTestCache();
    const pendingRead = Promise.withResolvers<void>();
    let madeValues = 0;
    const make = async () => {
      madeValues += 1;
      const at = revisions.newestRevision();
      await pendingRead.promise;
      revisions.track(["known only by its result"], at);
      return { text: `${madeValues}` };
    };
    const earlyRequest = namespace.get("a", make);
    invalidate("known only by its result");
    const lateRequest = namespace.get("a", make);
    pendingRead.resolve();
    assert.deepEqual([(await earlyRequest).text, (await lateRequest).text], ["1", "2"]);
  });

  it("isn't cached if a dependency changes while it's being made", async () => {
    const { ask: getText, has: hasKey, move: invalidate, makings: makeCount } = openTestCache();
    const requestedAt = getText("a", "x");
    invalidate("x");
    makeCount[0]!.resolve("old");
    assert.equal(await requestedAt, "old");
    assert.equal(hasKey("a"), null);
  });

  it("is never an error or null", async () => {
    const {
      ask: getText,
      put: store,
      has: hasKey,
      move: invalidate,
      makings: makeCount,
    } = openTestCache();
    const failingMake = [getText("a", "x"), getText("a", "x")];
    makeCount[0]!.reject(new Error("broken"));
    for (const firstValue of failingMake) await assert.rejects(firstValue, /broken/);
    const earlyRequest = getText("a", "x");
    invalidate("x");
    const lateRequest = getText("a", "x");
    makeCount[1]!.reject(new Error("broken before the change"));
    await assert.rejects(earlyRequest, /broken/);
    await nextTick();
    makeCount[2]!.resolve(null);
    assert.equal(await lateRequest, null);
    assert.equal(await store("a", "found", "x"), "found");
    assert.equal(hasKey("a"), "found");
  });

  it("inherits the dependencies of the cached values it reads", async () => {
    const { shelf: namespace, cache, revisions, move: invalidate } = openTestCache();
    const pages = cache.namespace<Text>("pages");
    const dependency = () =>
      namespace.get("part", async () => {
        revisions.track(["x"], revisions.newestRevision());
        return { text: "part" };
      });
    const page = () =>
      pages.get("page", async () => ({ text: `page of ${(await dependency()).text}` }));
    await page();
    assert.equal(pages.peek("page")?.text, "page of part");
    invalidate("x");
    assert.equal(pages.peek("page"), null);
    await dependency();
    await page();
    invalidate("x");
    assert.equal(pages.peek("page"), null);
  });

  it("doesn't depend on untracked reads", async () => {
    const { shelf: namespace, revisions, move: invalidate } = openTestCache();
    const note = () => revisions.track(["x"], revisions.newestRevision());
    await namespace.get("a", async () => revisions.untracked(() => (note(), { text: "a" })));
    invalidate("x");
    assert.equal(namespace.peek("a")?.text, "a");
  });

  it("is served even though it's outdated while isTooSoon returns true", async () => {
    let isTooSoon = true;
    const {
      ask: getText,
      put: store,
      has: hasKey,
      move: invalidate,
      makings: makeCount,
    } = openTestCache(100_000, () => isTooSoon);
    await store("a", "first", "x");
    invalidate("x");
    assert.equal(await getText("a", "x"), "first");
    assert.equal(hasKey("a"), null);
    isTooSoon = false;
    const nextValue = getText("a", "x");
    makeCount[1]!.resolve("second");
    assert.equal(await nextValue, "second");
  });
});

describe("the cache", () => {
  it("evicts the least recently used values", async () => {
    const { put: store, has: hasKey, cache } = openTestCache(3000);
    const largeValue = "x".repeat(600);
    for (const key of ["a", "b", "c"]) await store(key, largeValue);
    hasKey("a");
    await store("d", largeValue);
    assert.deepEqual(
      ["a", "b", "c", "d"].map((key) => hasKey(key)?.length ?? 0),
      [600, 0, 600, 600],
    );
    assert.ok(cache.bytes() <= 3000);
  });

  it("doesn't store a value larger than its maximum size", async () => {
    const { put: store, has: hasKey } = openTestCache(3000);
    await store("a", "small");
    assert.equal((await store("b", "x".repeat(4000)))?.length, 4000);
    assert.deepEqual([hasKey("a"), hasKey("b")], ["small", null]);
  });

  it("T89 counts keys, dependencies and entry overhead towards its size", async () => {
    const { put: store, move: invalidate, cache } = openTestCache();
    await store("a", "");
    const bareBytes = cache.bytes();
    await store("k".repeat(1001), "");
    const withKey = cache.bytes() - 2 * bareBytes;
    assert.ok(bareBytes > 200 && withKey >= 1000, `${bareBytes}, ${withKey}`);
    const before = cache.bytes();
    await store("b", "", ...Array.from({ length: 100 }, (_, number) => `subject ${number}`));
    assert.ok(cache.bytes() - before > 100 * "subject 1".length);
    invalidate("subject 7");
    await store("b", "");
    assert.equal(cache.bytes(), before + bareBytes);
  });

  it("rejects opening a namespace twice", () => {
    const { cache } = openTestCache();
    assert.throws(() => cache.namespace("texts"), /texts/);
  });
});
