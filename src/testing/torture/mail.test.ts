// Letters that people may refuse, of a real process that is killed while it sends one.
import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { deliveryOf } from "#core/mail/due-letter.ts";
import { onboardingLetters } from "#core/mail/onboarding.ts";
import { openStore } from "#server/composition/open-store.ts";
import { openMailServer, openOddServer } from "#testing/fixtures/mail-server.ts";
import { spawnLadder, temporaryFolder } from "#testing/harness/test-server.ts";
import { entry, sampleAccount } from "#testing/store-cases/store-account-cases.ts";
import { sampleId } from "#testing/store-cases/store-samples.ts";

const NUMBERS = [1, 2, 3];

/** Some people who wait for a letter. */
async function waitingFor(data: string): Promise<void> {
  const store = await openStore({ data });
  const at = new Date().toISOString();
  for (const number of NUMBERS) {
    const { id } = await store.accounts.add(
      sampleAccount(number, { emailConfirmedAt: at }),
      entry(),
    );
    const [welcome] = onboardingLetters({ accountId: id, handle: `person-${number}` }, at);
    const row = deliveryOf(welcome!, at, () => sampleId("delivery", number));
    await store.deliveries.queue([row], []);
  }
  await store.close();
}

it("T48 a process that is killed while it sends leaves a letter unknown, and never sends it again", async (t) => {
  const folder = await temporaryFolder();
  t.after(folder.remove);
  await waitingFor(folder.path);

  let begun = () => {};
  const sending = new Promise<void>((resolve) => (begun = resolve));
  const answers: Record<string, string> = { EHLO: "250 odd", DATA: "354 go on", MAIL: "250 ok" };
  const silent = await openOddServer((line, socket) => {
    const [verb = ""] = line.split(" ");
    if (line === ".") begun();
    else if (verb === "RCPT" || verb in answers) socket.write(`${answers[verb] ?? "250 ok"}\r\n`);
  });
  t.after(() => silent.close());
  const flags = ["--accounts", "embedded", "--smtp"];
  const first = await spawnLadder(folder.path, [...flags, `smtp://127.0.0.1:${silent.port}`]);
  await sending;
  first.child.kill("SIGKILL");
  await first.exited;

  const server = await openMailServer();
  t.after(() => server.close());
  const second = await spawnLadder(folder.path, [...flags, `smtp://127.0.0.1:${server.port}`]);
  while (server.mails.length < NUMBERS.length - 1) await pause(50);
  second.child.kill("SIGTERM");
  await second.exited;

  const store = await openStore({ data: folder.path });
  const rows = (await store.deliveries.list(9)).toReversed();
  await store.close();
  assert.deepEqual(
    rows.map(({ state, error, attempt }) => [state, error, attempt]),
    [
      ["unknown", "interrupted", 1],
      ["accepted", null, 1],
      ["accepted", null, 1],
    ],
  );
  assert.deepEqual(
    server.mails.flatMap(({ recipients }) => recipients),
    ["person-2@example.org", "person-3@example.org"],
  );
  const said = [...first.log, ...second.log].join("\n");
  assert.doesNotMatch(said, /person-\d@|Welcome/, "the log has no address and no letter");
});
