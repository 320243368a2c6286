import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { runBout, temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { getJson } from "#testing/harness/test-match.ts";
import { startLadder } from "#testing/harness/test-server.ts";
import type { TestLadder } from "#testing/harness/test-server.ts";
import { OnboardError, OnboardUsageError } from "#tools/onboard/onboard-error.ts";
import { onboard } from "#tools/onboard/onboard.ts";
import type { OnboardDeps, OnboardOptions } from "#tools/onboard/onboard.ts";
import type { OnboardState } from "#tools/onboard/state.ts";

const PASSWORD = "correct horse battery";
const NO_OPTIONS: OnboardOptions = {
  cwd: "",
  name: null,
  url: null,
  lang: null,
  email: null,
  password: PASSWORD,
  handle: null,
  code: null,
  agentKey: null,
  registrationKey: null,
  outbox: null,
  shouldPlay: false,
};

/** Short, but long enough for the polls to outlast the random delay of emails. */
const shortPause = (ms: number) => pause(ms / 2);
const folder = temporaryTestFolder();
const modeOf = (path: string): number => statSync(path).mode & 0o777;
const stateIn = (name: string) =>
  JSON.parse(readFileSync(join(folder, name, "onboard.json"), "utf8")) as OnboardState;

/** A bot that sends an invalid ready message and invalid turns. */
const BROKEN = `
import { writeFileSync } from "node:fs";
import { WebSocket } from "ws";
const given = Object.keys(process.env).filter((name) => name.startsWith("BOUT_"));
writeFileSync("given", given.toSorted().join());
const { bot_endpoint } = await (await fetch(process.argv[3] + "/api")).json();
const headers = { authorization: "Bearer " + process.env.BOUT_TOKEN };
const socket = new WebSocket(bot_endpoint, { headers });
socket.on("open", () => socket.send('{"type":"queue","version":"v1"}'));
socket.on("message", (data) => {
  const { type } = JSON.parse(data);
  if (type === "hello") socket.send('{"type":"ready"}');
  if (type === "observation") socket.send("to the left");
  if (type === "end") process.exit();
});
`;

type Account = { access: string; keys: unknown[] };

/** Signs in with the embedded identity provider, as the account page does. */
async function accountOf({ baseUrl }: TestLadder, email: string): Promise<Account> {
  const index = await getJson<{ accounts: { publishable_key: string } }>(baseUrl, "/api");
  const answer = await fetch(`${baseUrl}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: index.accounts.publishable_key, "content-type": "application/json" },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const { access_token: access } = (await answer.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access}` };
  const account = await fetch(`${baseUrl}/api/account`, { headers });
  const { keys } = (await account.json()) as Account;
  return { access, keys };
}

async function addKey(ladder: TestLadder, email: string): Promise<void> {
  const { access } = await accountOf(ladder, email);
  const made = await fetch(`${ladder.baseUrl}/api/account/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${access}`, "content-type": "application/json" },
    body: JSON.stringify({ label: "another" }),
  });
  assert.equal(made.status, 201);
}

suite("onboarding on a ladder with accounts", () => {
  let ladder: TestLadder;
  before(async () => {
    ladder = await startLadder(["--accounts", "embedded", "--house", "ts-starter"]);
  });
  after(() => ladder.close());

  async function runOnboarding(
    changes: Partial<OnboardOptions>,
    prompt: OnboardDeps["prompt"] = null,
  ): Promise<string> {
    const messages: string[] = [];
    const onboardOptions = {
      ...NO_OPTIONS,
      cwd: folder,
      url: ladder.baseUrl,
      outbox: join(ladder.data, "outbox.jsonl"),
      ...changes,
    };
    const tell = (text: string) => void messages.push(text);
    const code = await onboard(onboardOptions, {
      prompt,
      tell,
      pause: shortPause,
      isQuiet: true,
    });
    assert.equal(code, 0);
    return messages.join("\n");
  }

  const stopsWith = (changes: Partial<OnboardOptions>, pattern: RegExp, kind = OnboardError) =>
    assert.rejects(runOnboarding(changes), (error: Error) => {
      assert.ok(error instanceof kind, error.stack ?? "");
      assert.match(error.message, pattern);
      return true;
    });
  const misused = (changes: Partial<OnboardOptions>, pattern: RegExp) =>
    stopsWith(changes, pattern, OnboardUsageError);

  const rated = async (name: string): Promise<unknown[]> =>
    (await fetch(`${ladder.baseUrl}/api/matches?bot=${name}`)).json() as Promise<unknown[]>;

  test("creates an account, a bot and a private folder, and plays a practice match", async () => {
    const messages = await runOnboarding({ name: "first", email: "ada@example.org" });
    assert.match(messages, /confirmation email .* to ada@example\.org[^]*Signed in as ada\./);
    assert.match(messages, /against Starter (?:is|was) lost[^]*The bot passed its practice match/);
    assert.ok(messages.includes(`Bot page: ${ladder.baseUrl}/bot/first`));
    assert.deepEqual(await rated("first"), []);
    const { agent_key, token, passed: passwordMatches } = stateIn("first");
    for (const secret of [agent_key!, token!, PASSWORD]) assert.ok(!messages.includes(secret));
    assert.ok(passwordMatches !== null);
    const files = ["onboard.json", "first.token"];
    for (const file of files) assert.equal(modeOf(join(folder, "first", file)), 0o600);
    assert.ok(!readFileSync(join(folder, "first", "onboard.json"), "utf8").includes(PASSWORD));
  });

  test("repeats no step in the same folder, and needs no name there", async () => {
    const stateBefore = stateIn("first");
    const messages = await runOnboarding({ cwd: join(folder, "first"), password: null });
    assert.doesNotMatch(messages, /practice|registered|Signed in/);
    assert.deepEqual(stateIn("first"), stateBefore);
    await stopsWith({ name: "first", url: "http://localhost:1" }, /belongs to http:/);
  });

  test("plays another practice match after the program has changed, and reports problems before any rated match", async () => {
    const path = join(folder, "first", "starter.ts");
    const validState = readFileSync(path, "utf8");
    writeFileSync(path, BROKEN);
    process.env["BOUT_PASSWORD"] = PASSWORD;
    await stopsWith({ name: "first", url: null }, /No match was rated\. Fix the bot/);
    delete process.env["BOUT_PASSWORD"];
    assert.equal(readFileSync(join(folder, "first", "given"), "utf8"), "BOUT_TOKEN");
    assert.deepEqual(await rated("first"), []);
    writeFileSync(path, "process.exit(3);");
    await stopsWith({ name: "first" }, /exited before its practice match started \(exit code 3\)/);
    writeFileSync(path, "process.kill(process.ppid, 'SIGHUP'); setInterval(() => {}, 1000);");
    await stopsWith({ name: "first" }, /^Stopped before the practice match/);
    writeFileSync(path, `${validState}// mended\n`);
    assert.match(await runOnboarding({ name: "first" }), /passed its practice match/);
  });

  test("recognises an account by its password, and replaces a bot's lost token", async () => {
    const onboardOptions = { name: "second", email: "ada@example.org" };
    const key = stateIn("first").agent_key!;
    const made = await fetch(`${ladder.baseUrl}/api/bots`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "second" }),
    });
    assert.equal(made.status, 201);
    assert.match(await runOnboarding(onboardOptions), /Signed in as ada\.[^]*second is registered/);
    await stopsWith(
      { ...onboardOptions, name: "third", password: "another one" },
      /may already have an account|--code/,
    );
  });

  test("accepts an agent key instead of an email", async () => {
    const agentKey = stateIn("first").agent_key;
    const messages = await runOnboarding({ name: "fourth", agentKey, password: null });
    assert.doesNotMatch(messages, /Signed in/);
    assert.equal(stateIn("fourth").agent_key, null);
    await stopsWith({ name: "fifth", agentKey: "bout_key_wrong" }, /Could not register the bot/);
  });

  test("reports missing and invalid arguments", async () => {
    await misused({}, /Set the bot's name with --name/);
    await misused({ name: "a" }, /A bot name has/);
    await misused({ name: "../up" }, /A bot name has/);
    await misused({ name: "sixth" }, /requires an account\. Pass --email/);
    await misused({ name: "sixth", email: "nonsense" }, /nonsense is not an email address/);
    await misused({ name: "sixth", email: "eve@example.org", password: null }, /Set BOUT_PASSWORD/);
    await misused({ name: "sixth", url: "ladder.example" }, /not a ladder URL/);
  });

  test("creates no agent key for a rejected bot, and plays without one", async () => {
    const email = "ada@example.org";
    const keysOf = async () => (await accountOf(ladder, email)).keys.length;
    const stateBefore = await keysOf();
    await stopsWith({ name: "champion", email }, /Could not register the bot: .*reserved/);
    assert.equal(await keysOf(), stateBefore);
    for (let moreOptions = stateBefore; moreOptions < FIXED_LIMITS.agent_keys; moreOptions += 1)
      await addKey(ladder, email);
    const messages = await runOnboarding({ name: "keyless", email });
    assert.match(
      messages,
      /keyless is registered[^]*maximum number of agent keys.*Revoke one at http\S+\/account/,
    );
    assert.equal(stateIn("keyless").agent_key, null);
  });

  test("asks again after an invalid email, and suggests the last email", async () => {
    const questions: string[] = [];
    const typedInput = (...typedText: string[]) => ({
      ask: async (question: string) => {
        questions.push(question);
        return typedText.shift() ?? "";
      },
      askSecret: async () => "short",
    });
    const onboardOptions = { name: "mistyped", password: null };
    const signingUp = runOnboarding(onboardOptions, typedInput("nonsense", "", "eve@example.org"));
    await assert.rejects(signingUp, /The password must have at least 8/);
    await assert.rejects(
      runOnboarding(onboardOptions, typedInput("carol@example.org")),
      /The password must have/,
    );
    assert.equal(stateIn("mistyped").email, "carol@example.org");
    assert.deepEqual(questions, [
      ...Array<string>(3).fill("Email: "),
      "Email (press Return for eve@example.org): ",
    ]);
  });

  test("prints errors on one line, and steps as JSON with --json", async () => {
    const cwd = join(folder, "first");
    const done = await runBout(["onboard", "--no-play", "--json"], "", cwd);
    assert.equal(done.code, 0, done.err);
    const lines = done.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    assert.ok(lines.some((line) => "page" in line));
    const stoppedRun = await runBout(
      ["onboard", "--name", "first", "--url", "http://nowhere:1"],
      "",
      cwd,
    );
    assert.deepEqual([stoppedRun.code, stoppedRun.out], [1, ""]);
    assert.match(stoppedRun.err, /^bout onboard: The bot in .* belongs to .*\n$/);
    const usageError = await runBout(["onboard", "--name", "a b"], "", cwd);
    assert.deepEqual([usageError.code, usageError.out], [2, ""]);
  });
});

test("needs no account on an anonymous ladder with a registration key", async () => {
  const ladder = await startLadder(["--house", "none", "--registration-key", "sesame"]);
  const messages: string[] = [];
  const onboardOptions = { ...NO_OPTIONS, cwd: folder, url: ladder.baseUrl, name: "seventh" };
  const deps = {
    prompt: null,
    tell: (text: string) => void messages.push(text),
    pause: shortPause,
    isQuiet: true,
  };
  await assert.rejects(onboard(onboardOptions, deps), /registration key.*--registration-key/);
  assert.equal(await onboard({ ...onboardOptions, registrationKey: "sesame" }, deps), 0);
  assert.match(messages.join("\n"), /seventh is registered[^]*no practice matches at the moment/);
  await assert.rejects(
    onboard({ ...onboardOptions, name: "eighth", email: "ada@example.org" }, deps),
    /has no accounts/,
  );
  await ladder.close();
});
