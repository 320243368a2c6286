// T74: searches everything that a server stores or outputs for every secret it issues or receives.
// This includes the database, replays, other files, a backup, the log, emails and all responses,
// even those to admins.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { setTimeout } from "node:timers/promises";

import { verifyLinkOf } from "#testing/fixtures/identity-world.ts";
import { createAccountClient } from "#testing/harness/account-client.ts";
import type { AccountClient } from "#testing/harness/account-client.ts";
import { BotClient } from "#testing/harness/bot-client.ts";
import { runBout } from "#testing/harness/bout-process.ts";
import {
  fetchAllGetResponses,
  readAllFiles,
  addSecret,
  findLeaks,
} from "#testing/harness/secret-leaks.ts";
import type { NamedSecrets } from "#testing/harness/secret-leaks.ts";
import { spawnLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";

const ADA = "ada@example.org";
const PASSWORDS = ["correct horse battery", "another-fine-password", "a-wrong-password"] as const;
const REGISTRATION_KEY = "let-me-in-9d2f";
const CALLBACK = "http://localhost:9/callback";

type World = AccountClient & {
  baseUrl: string;
  data: string;
  secrets: NamedSecrets;
  admin: string;
};

const recordSecret = (
  { secrets }: Pick<World, "secrets">,
  secretName: string,
  value: unknown,
): string => addSecret(secrets, secretName, value);

async function useSessions(world: World): Promise<void> {
  const { requestProvider, data } = world;
  const session = await requestProvider("POST", "/token?grant_type=password", {
    email: ADA,
    password: PASSWORDS[0],
  });
  recordSecret(world, "access token", session.body["access_token"]);
  const refresh = recordSecret(world, "refresh token", session.body["refresh_token"]);
  const refreshResponse = await requestProvider("POST", "/token?grant_type=refresh_token", {
    refresh_token: refresh,
  });
  recordSecret(world, "next refresh token", refreshResponse.body["refresh_token"]);
  await requestProvider("POST", "/token?grant_type=password", {
    email: ADA,
    password: PASSWORDS[2],
  });
  await requestProvider("POST", "/recover", { email: ADA });
  for (const { type, link } of await readMails(data, 2))
    if (link !== null)
      recordSecret(world, `link of ${type}`, new URL(verifyLinkOf(link)).searchParams.get("token"));
}

async function useKeysAndBots(world: World): Promise<void> {
  const { requestLadder, admin: token, baseUrl } = world;
  await requestLadder("PUT", "/api/account/handle", { token, body: { handle: "ada" } });
  for (const label of ["kept", "revoked"]) {
    const { body } = await requestLadder("POST", "/api/account/keys", { token, body: { label } });
    recordSecret(world, `${label} agent key`, body["key"]);
    if (label === "revoked")
      await requestLadder("DELETE", `/api/account/keys/${String(body["id"])}`, { token });
  }
  const tokens = [];
  for (const name of ["neo", "smith"]) {
    const { body } = await requestLadder("POST", "/api/account/bots", { token, body: { name } });
    tokens.push(recordSecret(world, `token of ${name}`, body["token"]));
  }
  const rotated = await requestLadder("POST", "/api/account/bots/smith/token", { token });
  tokens[1] = recordSecret(world, "rotated token", rotated.body["token"]);
  const owner = await requestLadder("POST", "/api/admin/owners", {
    token,
    body: { name: "Team", max_bots: 2 },
  });
  recordSecret(world, "owner key", owner.body["owner_key"]);
  await playOneMatch(baseUrl, tokens);
}

/** Pairing requires two bots with different owners, so the second bot has no account. */
async function playOneMatch(baseUrl: string, [token = ""]: readonly string[]): Promise<void> {
  const headers = { "Content-Type": "application/json", "X-Registration-Key": REGISTRATION_KEY };
  const body = JSON.stringify({ name: "stranger" });
  const registerResponse = await fetch(`${baseUrl}/api/bots`, { method: "POST", headers, body });
  const { token: otherToken } = (await registerResponse.json()) as { token: string };
  const bots = [
    await BotClient.connect(baseUrl, token),
    await BotClient.connect(baseUrl, otherToken),
  ];
  for (const bot of bots) {
    bot.autoplay();
    bot.queue();
  }
  await Promise.all(bots.map((bot) => bot.waitFor("end")));
  for (const bot of bots) bot.socket.close();
}

async function useApp(world: World): Promise<void> {
  const { baseUrl, requestLadder, requestProvider, admin: token } = world;
  const registered = await requestProvider("POST", "/oauth/clients/register", {
    client_name: "Agent",
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: "client_secret_post",
  });
  const client_id = String(registered.body["client_id"]);
  const client_secret = recordSecret(world, "client secret", registered.body["client_secret"]);
  const verifier = recordSecret(world, "verifier", randomBytes(32).toString("base64url"));
  const query = new URLSearchParams({
    response_type: "code",
    client_id,
    redirect_uri: CALLBACK,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    scope: "openid email",
  });
  const authorizeResponse = await fetch(`${baseUrl}/auth/v1/oauth/authorize?${query}`, {
    redirect: "manual",
  });
  const id = new URL(authorizeResponse.headers.get("location") ?? "").searchParams.get(
    "authorization_id",
  );
  const question = `/api/account/mcp/authorization?authorization_id=${id}`;
  assert.equal((await requestLadder("GET", question, { token })).status, 200);
  const body = { authorization_id: id, action: "approve" };
  const consentResponse = await requestLadder("POST", "/api/account/mcp/authorization", {
    token,
    body,
  });
  const callbackUrl = new URL(String(consentResponse.body["redirect_url"]));
  const code = recordSecret(world, "authorization code", callbackUrl.searchParams.get("code"));
  const tokens = await requestProvider("POST", "/oauth/token", {
    grant_type: "authorization_code",
    client_id,
    client_secret,
    code,
    code_verifier: verifier,
    redirect_uri: CALLBACK,
  });
  recordSecret(world, "program's token", tokens.body["access_token"]);
  recordSecret(world, "the app's refresh token", tokens.body["refresh_token"]);
}

type SentMail = { type: string; link: string | null };

async function readMails(data: string, minCount: number): Promise<SentMail[]> {
  for (;;) {
    const text = await readFile(join(data, "outbox.jsonl"), "utf8");
    const lines = text.trimEnd().split("\n");
    if (lines.length >= minCount) return lines.map((line) => JSON.parse(line) as SentMail);
    await setTimeout(10);
  }
}

const PATH_PARAMS = { name: "neo", handle: "ada", account: "ada", id: "public", label: "v1" };

it("T74 stores no secrets and outputs them only to their owner", async (t) => {
  const folder = await createTemporaryFolder();
  const flags = ["--accounts", "embedded", "--anonymous", "--admin-email", ADA];
  const { baseUrl, child, log, exited } = await spawnLadder(folder.path, [
    ...flags,
    "--registration-key",
    REGISTRATION_KEY,
  ]);
  t.after(async () => {
    child.kill("SIGKILL");
    await exited;
    await folder.remove();
  });
  const person = await createAccountClient(baseUrl);
  const secrets: NamedSecrets = new Map(PASSWORDS.map((word) => [`password ${word}`, word]));
  secrets.set("registration key", REGISTRATION_KEY);
  const admin = await person.signUpAndConfirm(ADA, folder.path);
  const world: World = { ...person, baseUrl, data: folder.path, secrets, admin };
  recordSecret(world, "first access token", admin);
  await useSessions(world);
  await useKeysAndBots(world);
  await useApp(world);
  const responses = await fetchAllGetResponses(baseUrl, admin, PATH_PARAMS);
  assert.ok(responses.size > 40 && secrets.size >= 18, `${responses.size}, ${secrets.size}`);
  assert.deepEqual(findLeaks(secrets, responses), []);
  const copy = join(folder.path, "copy");
  assert.equal((await runBout(["backup", copy, "--data", folder.path])).code, 0);
  child.kill("SIGTERM");
  assert.equal(await exited, 0);
  const files = await readAllFiles(folder.path);
  for (const name of ["outbox.jsonl", "secrets.json"])
    assert.ok(!files.has(join(copy, name)), name);
  assert.ok(files.has(join(copy, "bout.db")), "the backup was searched");
  const outbox = join(folder.path, "outbox.jsonl");
  const mails = new Map((files.get(outbox) ?? "").trimEnd().split("\n").entries());
  files.delete(outbox);
  assert.ok(
    [...files.keys()].some((path) => path.endsWith(".gz")),
    "a replay was searched",
  );
  assert.deepEqual(findLeaks(secrets, files), []);
  assert.deepEqual(findLeaks(secrets, new Map([["log", log.join("\n")]])), []);
  const mailSecrets = findLeaks(
    secrets,
    new Map([...mails].map(([at, text]) => [String(at), text])),
  );
  assert.deepEqual(mailSecrets, ["link of signup in 0", "link of recovery in 1"]);
});

it("detects a leaked secret", () => {
  const secrets = new Map([["key", "bout_key_123"]]);
  assert.deepEqual(findLeaks(secrets, new Map([["log", "…bout_key_123…"]])), ["key in log"]);
});
