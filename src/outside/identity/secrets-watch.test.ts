import assert from "node:assert/strict";
import { it } from "node:test";

import { fakeClock } from "#testing/fixtures/fake-clock.ts";

import { watchSecrets } from "./secrets-watch.ts";

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

it("keys are looked at every minute until the end, and a file that fails is looked at again", async () => {
  const clock = fakeClock();
  const answers: (boolean | Error)[] = [false, new Error("damaged"), true, true];
  const told: string[] = [];
  const refresh = async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer === true;
  };
  const tell = (news: { error: unknown } | null) =>
    void told.push(news === null ? "new" : (news.error as Error).message);
  const stop = watchSecrets({ secrets: { refresh }, clock, tell });
  for (let minute = 0; minute < 3; minute += 1) {
    clock.pass(59_999);
    await turnOfTheLoop();
    assert.equal(answers.length, 4 - minute);
    clock.pass(1);
    await turnOfTheLoop();
  }
  assert.deepEqual(told, ["damaged", "new"]);
  stop();
  clock.pass(120_000);
  await turnOfTheLoop();
  assert.equal(answers.length, 1);
});
