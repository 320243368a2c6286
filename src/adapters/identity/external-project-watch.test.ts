import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { fakeClock } from "#testing/fixtures/fake-clock.ts";

import { watchProject } from "./external-project-watch.ts";

function watchFixture(first: { status?: number; body: unknown } | null) {
  const project = { answer: first, requestedUrls: [] as string[] };
  const reports: (boolean | null)[] = [];
  const clock = fakeClock();
  const watch = watchProject({
    root: "https://project.example/auth/v1",
    publishableKey: "sb_publishable_x",
    fetch: async (url) => {
      project.requestedUrls.push(url);
      if (project.answer === null) throw new TypeError("fetch failed");
      const { status = 200, body } = project.answer;
      return new Response(JSON.stringify(body), { status });
    },
    clock,
    report: (confirmsEmails) => reports.push(confirmsEmails),
  });
  const pass = async (seconds: number) => {
    await settle();
    clock.advance(seconds * 1000);
    await settle();
  };
  return { project, told: reports, watch, pass };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await turnOfTheLoop();
}

const confirmsBySelf = (mailer_autoconfirm: unknown) => ({ body: { mailer_autoconfirm } });

it("trusts no address until the project responds, and reports the missing response once", async () => {
  const { project, told: reports, watch, pass } = watchFixture(null);
  await pass(10);
  await pass(10);
  assert.equal(watch.confirmsAddresses(), false);
  assert.deepEqual(reports, [null]);
  project.answer = confirmsBySelf(false);
  await pass(10);
  assert.equal(watch.confirmsAddresses(), true);
  assert.deepEqual(reports, [null, true]);
  assert.deepEqual(
    new Set(project.requestedUrls),
    new Set(["https://project.example/auth/v1/settings"]),
  );
  watch.stop();
});

it("detects when a project starts to autoconfirm addresses, and keeps the last state during an outage", async () => {
  const { project, told: reports, watch, pass } = watchFixture(confirmsBySelf(false));
  await pass(0);
  assert.equal(watch.confirmsAddresses(), true);
  project.answer = null;
  await pass(600);
  assert.equal(watch.confirmsAddresses(), true);
  project.answer = confirmsBySelf(true);
  await pass(10);
  assert.equal(watch.confirmsAddresses(), false);
  assert.deepEqual(reports, [true, false]);
  watch.stop();
});

const unexpectedAnswers: [what: string, answer: { status?: number; body: unknown }][] = [
  ["a refusal", { status: 401, body: { mailer_autoconfirm: false } }],
  ["something else", confirmsBySelf("no")],
  ["nothing", { body: null }],
];
for (const [title, answer] of unexpectedAnswers)
  it(`treats ${title} as a missing response`, async () => {
    const { told: reports, watch, pass } = watchFixture(answer);
    await pass(0);
    assert.equal(watch.confirmsAddresses(), false);
    assert.deepEqual(reports, [null]);
    watch.stop();
  });

it("stops polling when stopped", async () => {
  const { project, watch, pass } = watchFixture(confirmsBySelf(false));
  await pass(0);
  watch.stop();
  await pass(3600);
  assert.equal(project.requestedUrls.length, 1);
});
