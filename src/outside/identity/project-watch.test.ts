import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { fakeClock } from "#testing/fixtures/fake-clock.ts";

import { watchProject } from "./project-watch.ts";

/** A project that answers what the test puts there; null is a project that is away. */
function watched(first: { status?: number; body: unknown } | null) {
  const project = { answer: first, asked: [] as string[] };
  const told: (boolean | null)[] = [];
  const clock = fakeClock();
  const watch = watchProject({
    root: "https://project.example/auth/v1",
    publishableKey: "sb_publishable_x",
    fetch: async (url) => {
      project.asked.push(url);
      if (project.answer === null) throw new TypeError("fetch failed");
      const { status = 200, body } = project.answer;
      return new Response(JSON.stringify(body), { status });
    },
    clock,
    tell: (proves) => told.push(proves),
  });
  const pass = async (seconds: number) => {
    await settle();
    clock.pass(seconds * 1000);
    await settle();
  };
  return { project, told, watch, pass };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await turnOfTheLoop();
}

const confirmsBySelf = (mailer_autoconfirm: unknown) => ({ body: { mailer_autoconfirm } });

it("believes no address before the project has answered, and says so once", async () => {
  const { project, told, watch, pass } = watched(null);
  await pass(10);
  await pass(10);
  assert.equal(watch.provesAddresses(), false);
  assert.deepEqual(told, [null]);
  project.answer = confirmsBySelf(false);
  await pass(10);
  assert.equal(watch.provesAddresses(), true);
  assert.deepEqual(told, [null, true]);
  assert.deepEqual(new Set(project.asked), new Set(["https://project.example/auth/v1/settings"]));
  watch.stop();
});

it("notices that a project began to confirm by itself, and keeps what it knew while it is away", async () => {
  const { project, told, watch, pass } = watched(confirmsBySelf(false));
  await pass(0);
  assert.equal(watch.provesAddresses(), true);
  project.answer = null;
  await pass(600);
  assert.equal(watch.provesAddresses(), true);
  project.answer = confirmsBySelf(true);
  await pass(10);
  assert.equal(watch.provesAddresses(), false);
  assert.deepEqual(told, [true, false]);
  watch.stop();
});

const odd: [what: string, answer: { status?: number; body: unknown }][] = [
  ["a refusal", { status: 401, body: { mailer_autoconfirm: false } }],
  ["something else", confirmsBySelf("no")],
  ["nothing", { body: null }],
];
for (const [what, answer] of odd)
  it(`takes ${what} for no answer`, async () => {
    const { told, watch, pass } = watched(answer);
    await pass(0);
    assert.equal(watch.provesAddresses(), false);
    assert.deepEqual(told, [null]);
    watch.stop();
  });

it("asks no more once it is stopped", async () => {
  const { project, watch, pass } = watched(confirmsBySelf(false));
  await pass(0);
  watch.stop();
  await pass(3600);
  assert.equal(project.asked.length, 1);
});
