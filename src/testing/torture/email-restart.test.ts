import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { createDelivery } from "#core/mail/due-email.ts";
import { onboardingEmails } from "#core/mail/onboarding.ts";
import { openStore } from "#server/composition/open-store.ts";
import { openSmtpServer, openScriptedServer } from "#testing/fixtures/mail-server.ts";
import { spawnLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";
import { sampleEntry, sampleAccount } from "#testing/store-contract/store-account-cases.ts";
import { sampleId } from "#testing/store-contract/store-samples.ts";

const PERSON_NUMBERS = [1, 2, 3];

async function queueEmails(data: string): Promise<void> {
  const store = await openStore({ data });
  const at = new Date().toISOString();
  for (const number of PERSON_NUMBERS) {
    const { id } = await store.accounts.add(
      sampleAccount(number, { emailConfirmedAt: at }),
      sampleEntry(),
    );
    const [welcome] = onboardingEmails({ accountId: id, handle: `person-${number}` }, at);
    const row = createDelivery(welcome!, at, () => sampleId("delivery", number));
    await store.deliveries.queue([row], []);
  }
  await store.close();
}

it("T48 an email is marked as unknown and never resent if the server was killed while sending it", async (t) => {
  const folder = await createTemporaryFolder();
  t.after(folder.remove);
  await queueEmails(folder.path);

  let notifyStarted = () => {};
  const sending = new Promise<void>((resolve) => (notifyStarted = resolve));
  const responses: Record<string, string> = { EHLO: "250 odd", DATA: "354 go on", MAIL: "250 ok" };
  const silentServer = await openScriptedServer((line, socket) => {
    const [verb = ""] = line.split(" ");
    if (line === ".") notifyStarted();
    else if (verb === "RCPT" || verb in responses)
      socket.write(`${responses[verb] ?? "250 ok"}\r\n`);
  });
  t.after(() => silentServer.close());
  const flags = ["--accounts", "embedded", "--smtp"];
  const first = await spawnLadder(folder.path, [...flags, `smtp://127.0.0.1:${silentServer.port}`]);
  await sending;
  first.child.kill("SIGKILL");
  await first.exited;

  const server = await openSmtpServer();
  t.after(() => server.close());
  const second = await spawnLadder(folder.path, [...flags, `smtp://127.0.0.1:${server.port}`]);
  while (server.receivedMessages.length < PERSON_NUMBERS.length - 1) await pause(50);
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
    server.receivedMessages.flatMap(({ recipients }) => recipients),
    ["person-2@example.org", "person-3@example.org"],
  );
  const logText = [...first.log, ...second.log].join("\n");
  assert.doesNotMatch(logText, /person-\d@|Welcome/, "the log has no address and no email text");
});
