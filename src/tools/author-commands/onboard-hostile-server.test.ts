// Ladders with an invalid API index. Each must be reported on one line.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, it } from "node:test";

import { runBout, temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { connectToLadder } from "#tools/onboard/ladder.ts";
import { OnboardError } from "#tools/onboard/onboard-error.ts";
import { signInOrUp } from "#tools/onboard/session.ts";

let accounts: object = {};
const hostileServer = createServer((request, response) => {
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
  await new Promise<void>((resolve) => hostileServer.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(hostileServer.address() as AddressInfo).port}`;
});
after(() => {
  hostileServer.close();
  hostileServer.closeAllConnections();
});

const stopsWith = (pattern: RegExp) => (error: Error) =>
  error instanceof OnboardError && pattern.test(error.message);

for (const [what, project_url] of [
  ["text that is not a URL", "no \u202eaddress"],
  ["a file", "file:///etc/passwd"],
  ["a script", "javascript:alert(1)"],
  ["a URL that contains a password", "http://ada:secret@127.0.0.1"],
] as const)
  it(`rejects ${what} as the identity provider URL`, async () => {
    accounts = { project_url, publishable_key: "key" };
    await assert.rejects(connectToLadder(url), stopsWith(/invalid identity provider URL: /));
  });

it("rejects agent keys and publishable keys that can't be sent in a header", async () => {
  accounts = { project_url: url, publishable_key: "ключ" };
  const { provider, call } = await connectToLadder(url);
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
  await assert.rejects(
    signInOrUp(provider!, person, deps),
    stopsWith(/apikey .*characters that a header can't contain/),
  );
  await assert.rejects(
    call("/", { bearer: "a\nb" }),
    stopsWith(/authorization .*characters that a header can't contain/),
  );
});

it("prints the ladder's error on one line, with control characters escaped", async () => {
  accounts = {};
  const cwd = temporaryTestFolder();
  const { code, out, err } = await runBout(["onboard", "--name", "rex", "--url", url], "", cwd);
  assert.deepEqual([code, out], [1, ""]);
  const pattern = "No. \\u001b[2JThe bot is registered.\\u202e.";
  assert.equal(err, `bout onboard: Could not register the bot: ${pattern}\n`);
});
