// T74: every secret that a server gives out or is told is looked for wherever it keeps or says
// anything: database, replays, other files, a backup, log, mails, and all answers, an admin's too.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { setTimeout } from "node:timers/promises";

import { buttonOf } from "#testing/fixtures/identity-world.ts";
import { personAt } from "#testing/harness/account-client.ts";
import type { AccountClient } from "#testing/harness/account-client.ts";
import { BotClient } from "#testing/harness/bot-client.ts";
import { runBout } from "#testing/harness/bout-process.ts";
import { answersTo, filesIn, keepSecret, leaksOf } from "#testing/harness/leaks.ts";
import type { NamedSecrets } from "#testing/harness/leaks.ts";
import { spawnLadder, temporaryFolder } from "#testing/harness/test-server.ts";

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

const keep = ({ secrets }: Pick<World, "secrets">, what: string, value: unknown): string =>
  keepSecret(secrets, what, value);

/** Signs up, in, out and in again, and takes a new password by mail. */
async function useSessions(world: World): Promise<void> {
  const { identity, data } = world;
  const session = await identity("POST", "/token?grant_type=password", {
    email: ADA,
    password: PASSWORDS[0],
  });
  keep(world, "access token", session.body["access_token"]);
  const refresh = keep(world, "refresh token", session.body["refresh_token"]);
  const next = await identity("POST", "/token?grant_type=refresh_token", {
    refresh_token: refresh,
  });
  keep(world, "next refresh token", next.body["refresh_token"]);
  await identity("POST", "/token?grant_type=password", { email: ADA, password: PASSWORDS[2] });
  await identity("POST", "/recover", { email: ADA });
  for (const { type, link } of await mailsIn(data, 2))
    if (link !== null)
      keep(world, `link of ${type}`, new URL(buttonOf(link)).searchParams.get("token"));
}

async function useKeysAndBots(world: World): Promise<void> {
  const { ladder, admin: token, baseUrl } = world;
  await ladder("PUT", "/api/account/handle", { token, body: { handle: "ada" } });
  for (const label of ["kept", "revoked"]) {
    const { body } = await ladder("POST", "/api/account/keys", { token, body: { label } });
    keep(world, `${label} agent key`, body["key"]);
    if (label === "revoked")
      await ladder("DELETE", `/api/account/keys/${String(body["id"])}`, { token });
  }
  const tokens = [];
  for (const name of ["neo", "smith"]) {
    const { body } = await ladder("POST", "/api/account/bots", { token, body: { name } });
    tokens.push(keep(world, `token of ${name}`, body["token"]));
  }
  const rotated = await ladder("POST", "/api/account/bots/smith/token", { token });
  tokens[1] = keep(world, "rotated token", rotated.body["token"]);
  const owner = await ladder("POST", "/api/admin/owners", {
    token,
    body: { name: "Team", max_bots: 2 },
  });
  keep(world, "owner key", owner.body["owner_key"]);
  await fightOnce(baseUrl, tokens);
}

/** Two bots of different owners are needed for a wave, so the second one belongs to nobody. */
async function fightOnce(baseUrl: string, [token = ""]: readonly string[]): Promise<void> {
  const headers = { "Content-Type": "application/json", "X-Registration-Key": REGISTRATION_KEY };
  const body = JSON.stringify({ name: "stranger" });
  const made = await fetch(`${baseUrl}/api/bots`, { method: "POST", headers, body });
  const { token: other } = (await made.json()) as { token: string };
  const bots = [await BotClient.connect(baseUrl, token), await BotClient.connect(baseUrl, other)];
  for (const bot of bots) {
    bot.autoplay();
    bot.queue();
  }
  await Promise.all(bots.map((bot) => bot.next("end")));
  for (const bot of bots) bot.socket.close();
}

/** A program with a secret of its own is let in, and gets its tokens. */
async function useProgram(world: World): Promise<void> {
  const { baseUrl, ladder, identity, admin: token } = world;
  const registered = await identity("POST", "/oauth/clients/register", {
    client_name: "Agent",
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: "client_secret_post",
  });
  const client_id = String(registered.body["client_id"]);
  const client_secret = keep(world, "client secret", registered.body["client_secret"]);
  const verifier = keep(world, "verifier", randomBytes(32).toString("base64url"));
  const query = new URLSearchParams({
    response_type: "code",
    client_id,
    redirect_uri: CALLBACK,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    scope: "openid email",
  });
  const begun = await fetch(`${baseUrl}/auth/v1/oauth/authorize?${query}`, { redirect: "manual" });
  const id = new URL(begun.headers.get("location") ?? "").searchParams.get("authorization_id");
  const question = `/api/account/mcp/authorization?authorization_id=${id}`;
  assert.equal((await ladder("GET", question, { token })).status, 200);
  const body = { authorization_id: id, action: "approve" };
  const allowed = await ladder("POST", "/api/account/mcp/authorization", { token, body });
  const back = new URL(String(allowed.body["redirect_url"]));
  const code = keep(world, "authorization code", back.searchParams.get("code"));
  const tokens = await identity("POST", "/oauth/token", {
    grant_type: "authorization_code",
    client_id,
    client_secret,
    code,
    code_verifier: verifier,
    redirect_uri: CALLBACK,
  });
  keep(world, "program's token", tokens.body["access_token"]);
  keep(world, "program's refresh token", tokens.body["refresh_token"]);
}

type Mail = { type: string; link: string | null };

/** The mails of the outbox, once there are that many. */
async function mailsIn(data: string, least: number): Promise<Mail[]> {
  for (;;) {
    const text = await readFile(join(data, "outbox.jsonl"), "utf8");
    const lines = text.trimEnd().split("\n");
    if (lines.length >= least) return lines.map((line) => JSON.parse(line) as Mail);
    await setTimeout(10);
  }
}

/** What is put into the paths of the contract. */
const NAMES = { name: "neo", handle: "ada", account: "ada", id: "public", label: "v1" };

it("T74 no secret is kept or told anywhere but to whom it was given", async (t) => {
  const folder = await temporaryFolder();
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
  const person = await personAt(baseUrl);
  const secrets: NamedSecrets = new Map(PASSWORDS.map((word) => [`password ${word}`, word]));
  secrets.set("registration key", REGISTRATION_KEY);
  const admin = await person.join(ADA, folder.path);
  const world: World = { ...person, baseUrl, data: folder.path, secrets, admin };
  keep(world, "first access token", admin);
  await useSessions(world);
  await useKeysAndBots(world);
  await useProgram(world);
  const answers = await answersTo(baseUrl, admin, NAMES);
  assert.ok(answers.size > 40 && secrets.size >= 18, `${answers.size}, ${secrets.size}`);
  assert.deepEqual(leaksOf(secrets, answers), []);
  const copy = join(folder.path, "copy");
  assert.equal((await runBout(["backup", copy, "--data", folder.path])).code, 0);
  child.kill("SIGTERM");
  assert.equal(await exited, 0);
  const files = await filesIn(folder.path);
  for (const name of ["outbox.jsonl", "secrets.json"])
    assert.ok(!files.has(join(copy, name)), name);
  assert.ok(files.has(join(copy, "bout.db")), "the copy was searched");
  const outbox = join(folder.path, "outbox.jsonl");
  const mails = new Map((files.get(outbox) ?? "").trimEnd().split("\n").entries());
  files.delete(outbox);
  assert.ok(
    [...files.keys()].some((path) => path.endsWith(".gz")),
    "a replay was searched",
  );
  assert.deepEqual(leaksOf(secrets, files), []);
  assert.deepEqual(leaksOf(secrets, new Map([["log", log.join("\n")]])), []);
  const inMails = leaksOf(secrets, new Map([...mails].map(([at, text]) => [String(at), text])));
  assert.deepEqual(inMails, ["link of signup in 0", "link of recovery in 1"]);
});

it("a leak would be found", () => {
  const secrets = new Map([["key", "bout_key_123"]]);
  assert.deepEqual(leaksOf(secrets, new Map([["log", "…bout_key_123…"]])), ["key in log"]);
});
