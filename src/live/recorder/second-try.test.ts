import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setImmediate as turnOfLoop } from "node:timers/promises";

import { ThreadEnded } from "#base/threads/thread.ts";
import { SECOND } from "#base/units/time.ts";

import { withSecondTry } from "./second-try.ts";

/** A thread that answers questions in batches, and dies on any that `kills` names. */
function mortal(kills: (question: string) => boolean) {
  const clock = { now: 0 };
  /** The batches the thread was asked. */
  const batches: string[][] = [];
  let waiting: { question: string; resolve: () => void; reject: (error: Error) => void }[] = [];

  function answer(): void {
    const batch = waiting;
    waiting = [];
    batches.push(batch.map(({ question }) => question));
    const death = batch.some(({ question }) => kills(question)) ? new ThreadEnded("dead") : null;
    for (const { resolve, reject } of batch)
      if (death === null) resolve();
      else reject(death);
  }

  const ask = withSecondTry(
    (question: string) =>
      new Promise<string>((resolve, reject) => {
        if (waiting.length === 0) setImmediate(answer);
        waiting.push({ question, resolve: () => resolve(`filed ${question}`), reject });
      }),
    () => clock.now,
  );
  const askAll = async (...questions: string[]) => {
    const told = await Promise.allSettled(questions.map((question) => ask(question)));
    return told.map((one) => (one.status === "fulfilled" ? one.value : codeOf(one.reason)));
  };
  return { clock, batches, ask, askAll };
}

const codeOf = (error: unknown): string =>
  error instanceof ThreadEnded ? "ended" : (error as { code: string }).code;

const isPoison = (question: string): boolean => question.startsWith("poison");

suite("what was with a thread that died", () => {
  test("is tried once more, each alone, and what kills it again is given up", async () => {
    const { askAll, batches } = mortal(isPoison);
    assert.deepEqual(await askAll("a", "poison", "b"), ["filed a", "ended", "filed b"]);
    assert.deepEqual(batches, [["a", "poison", "b"], ["a"], ["poison"], ["b"]]);
  });

  test("is tried again alone, whatever else arrives meanwhile", async () => {
    const { ask, askAll, batches } = mortal(isPoison);
    const first = askAll("poison", "a");
    while (batches.length === 0) await turnOfLoop();
    const later = Promise.all([ask("b"), ask("c")]);
    await Promise.all([first, later]);
    assert.deepEqual(batches, [["poison", "a"], ["poison"], ["a"], ["b", "c"]]);
  });

  test("is filed at the second try when the thread died of something else", async () => {
    const once = [true];
    const { askAll } = mortal(() => once.pop() ?? false);
    assert.deepEqual(await askAll("a", "b"), ["filed a", "filed b"]);
  });
});

suite("a thread that goes on dying", () => {
  test("over three records within a minute is a fault of the machine", async () => {
    const { askAll } = mortal(isPoison);
    assert.deepEqual(await askAll("poison 1"), ["ended"]);
    assert.deepEqual(await askAll("poison 2"), ["ended"]);
    assert.deepEqual(await askAll("poison 3"), ["io"]);
  });

  test("is one even if all three arrived together", async () => {
    const { askAll } = mortal(isPoison);
    const told = await askAll("poison 1", "poison 2", "poison 3");
    assert.deepEqual(told, ["ended", "ended", "io"]);
  });

  test("is not one over two records", async () => {
    const { askAll } = mortal(isPoison);
    assert.deepEqual(await askAll("poison 1", "a", "poison 2"), ["ended", "filed a", "ended"]);
  });

  test("is not one if the three are more than a minute apart", async () => {
    const { askAll, clock } = mortal(isPoison);
    for (let record = 0; record < 5; record += 1) {
      assert.deepEqual(await askAll(`poison ${record}`), ["ended"]);
      clock.now += 31 * SECOND;
    }
  });
});
