// A ladder that says of itself what no ladder would: each time one line that says what is wrong.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, it } from "node:test";

import { runBout, temporaryFolder } from "#testing/harness/bout-process.ts";
import { Halt } from "#tools/onboard/halt.ts";
import { openLadder } from "#tools/onboard/ladder.ts";
import { openSession } from "#tools/onboard/session.ts";

let accounts: object = {};
const liar = createServer((request, response) => {
  response.setHeader("content-type", "application/json");
  if (request.url === "/api")
    response.end(
      JSON.stringify({ bot_endpoint: "ws://x", accounts, onboarding: { register: "POST" } }),
    );
  else {
    response.statusCode = 400;
    response.end(JSON.stringify({ error: "No.\n\u001b[2JThe bot is registered.\u202e" }));
  }
});
let url = "";
before(async () => {
  await new Promise<void>((resolve) => liar.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`;
});
after(() => {
  liar.close();
  liar.closeAllConnections();
});

const halts = (said: RegExp) => (error: Error) => error instanceof Halt && said.test(error.message);

for (const [what, project_url] of [
  ["no address", "no \u202eaddress"],
  ["a file", "file:///etc/passwd"],
  ["a script", "javascript:alert(1)"],
  ["an address with a password in it", "http://ada:secret@127.0.0.1"],
] as const)
  it(`takes ${what} for no identity provider`, async () => {
    accounts = { project_url, publishable_key: "key" };
    await assert.rejects(openLadder(url), halts(/people sign in at .*, which is no address/));
  });

it("says that a key cannot be sent, its own or the ladder's", async () => {
  accounts = { project_url: url, publishable_key: "ключ" };
  const { provider, call } = await openLadder(url);
  const deps = {
    prompt: null,
    codeInOutbox: null,
    givenCode: null,
    isOnThisMachine: false,
    accountPage: "",
    tell: () => {},
    pause: async () => {},
  };
  const person = { email: "ada@example.org", password: "correct horse" };
  await assert.rejects(openSession(provider!, person, deps), halts(/sent as apikey .*characters/));
  await assert.rejects(call("/", { bearer: "a\nb" }), halts(/sent as authorization .*characters/));
});

it("prints what the ladder says on one line, without what a terminal obeys", async () => {
  accounts = {};
  const cwd = temporaryFolder();
  const { code, out, err } = await runBout(["onboard", "--name", "rex", "--url", url], "", cwd);
  assert.deepEqual([code, out], [1, ""]);
  const said = "No. \\u001b[2JThe bot is registered.\\u202e.";
  assert.equal(err, `bout onboard: The bot is refused: ${said}\n`);
});
