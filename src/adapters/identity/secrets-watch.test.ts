import assert from "node:assert/strict";
import { it } from "node:test";

import { fakeClock } from "#testing/fixtures/fake-clock.ts";

import { watchSecrets } from "./secrets-watch.ts";

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

it("reloads keys every minute until stopped, even after a failure", async () => {
  const clock = fakeClock();
  const answers: (boolean | Error)[] = [false, new Error("damaged"), true, true];
  const reports: string[] = [];
  const refresh = async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer === true;
  };
  const tell = (failure: { error: unknown } | null) =>
    void reports.push(failure === null ? "new" : (failure.error as Error).message);
  const stop = watchSecrets({ secrets: { refresh }, clock, report: tell });
  for (let minute = 0; minute < 3; minute += 1) {
    clock.advance(59_999);
    await turnOfTheLoop();
    assert.equal(answers.length, 4 - minute);
    clock.advance(1);
    await turnOfTheLoop();
  }
  assert.deepEqual(reports, ["damaged", "new"]);
  stop();
  clock.advance(120_000);
  await turnOfTheLoop();
  assert.equal(answers.length, 1);
});
