// The shortest way in, on a real server with accounts: the very steps of the command.

import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { FIXED } from "#core/words/limits.ts";
import { runBout, temporaryFolder } from "#testing/harness/bout-process.ts";
import { getJson } from "#testing/harness/duel.ts";
import { startLadder } from "#testing/harness/test-server.ts";
import type { TestLadder } from "#testing/harness/test-server.ts";
import { Halt, Misuse } from "#tools/onboard/halt.ts";
import { onboard } from "#tools/onboard/onboard.ts";
import type { OnboardDeps, OnboardWish } from "#tools/onboard/onboard.ts";
import type { State } from "#tools/onboard/state.ts";

const PASSWORD = "correct horse battery";
const NOTHING: OnboardWish = {
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
  plays: false,
};

/** Looks more often than people need it. */
const hurry = (ms: number) => pause(ms / 5);
const folder = temporaryFolder();
const modeOf = (path: string): number => statSync(path).mode & 0o777;
const stateIn = (name: string) =>
  JSON.parse(readFileSync(join(folder, name, "onboard.json"), "utf8")) as State;

/** Says hello to nothing, and answers every observation with words. */
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

/** Signs in at the ladder's own provider, as the account page does. */
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

  /** What is told on the way. */
  async function go(
    changes: Partial<OnboardWish>,
    prompt: OnboardDeps["prompt"] = null,
  ): Promise<string> {
    const told: string[] = [];
    const wish = {
      ...NOTHING,
      cwd: folder,
      url: ladder.baseUrl,
      outbox: join(ladder.data, "outbox.jsonl"),
      ...changes,
    };
    const tell = (text: string) => void told.push(text);
    const code = await onboard(wish, {
      prompt,
      tell,
      pause: hurry,
      isQuiet: true,
    });
    assert.equal(code, 0);
    return told.join("\n");
  }

  const halts = (changes: Partial<OnboardWish>, said: RegExp, kind = Halt) =>
    assert.rejects(go(changes), (error: Error) => {
      assert.ok(error instanceof kind, error.stack ?? "");
      assert.match(error.message, said);
      return true;
    });
  const misused = (changes: Partial<OnboardWish>, said: RegExp) => halts(changes, said, Misuse);

  const rated = async (name: string): Promise<unknown[]> =>
    (await fetch(`${ladder.baseUrl}/api/matches?bot=${name}`)).json() as Promise<unknown[]>;

  test("leads from an address to a bot that has practised, in a folder of its owner's", async () => {
    const told = await go({ name: "first", email: "ada@example.org" });
    assert.match(told, /mail .* on its way to ada@example\.org[^]*Signed in as ada\./);
    assert.match(told, /practice game against Starter is lost[^]*The bot answers as it should/);
    assert.ok(told.includes(`Its page: ${ladder.baseUrl}/bot/first`));
    assert.deepEqual(await rated("first"), []);
    const { agent_key, token, passed } = stateIn("first");
    for (const secret of [agent_key!, token!, PASSWORD]) assert.ok(!told.includes(secret));
    assert.ok(passed !== null);
    const files = ["onboard.json", "first.token"];
    for (const file of files) assert.equal(modeOf(join(folder, "first", file)), 0o600);
    assert.ok(!readFileSync(join(folder, "first", "onboard.json"), "utf8").includes(PASSWORD));
  });

  test("does nothing twice in the same folder, and needs no name there", async () => {
    const before = stateIn("first");
    const told = await go({ cwd: join(folder, "first"), password: null });
    assert.doesNotMatch(told, /practice|registered|Signed in/);
    assert.deepEqual(stateIn("first"), before);
    await halts({ name: "first", url: "http://localhost:1" }, /belongs to http:/);
  });

  test("lets a changed program practise again, and says what is wrong before anything is rated", async () => {
    const path = join(folder, "first", "starter.ts");
    const sound = readFileSync(path, "utf8");
    writeFileSync(path, BROKEN);
    process.env["BOUT_PASSWORD"] = PASSWORD;
    await halts({ name: "first", url: null }, /Nothing was rated\. Mend the bot/);
    delete process.env["BOUT_PASSWORD"];
    assert.equal(readFileSync(join(folder, "first", "given"), "utf8"), "BOUT_TOKEN");
    assert.deepEqual(await rated("first"), []);
    writeFileSync(path, "process.exit(3);");
    await halts({ name: "first" }, /ended before its practice game began \(exit code 3\)/);
    writeFileSync(path, "process.kill(process.ppid, 'SIGHUP'); setInterval(() => {}, 1000);");
    await halts({ name: "first" }, /^Stopped before the practice game/);
    writeFileSync(path, `${sound}// mended\n`);
    assert.match(await go({ name: "first" }), /answers as it should/);
  });

  test("knows an account by its password, and a bot whose token was lost on the way", async () => {
    const wish = { name: "second", email: "ada@example.org" };
    const key = stateIn("first").agent_key!;
    const made = await fetch(`${ladder.baseUrl}/api/bots`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "second" }),
    });
    assert.equal(made.status, 201);
    assert.match(await go(wish), /Signed in as ada\.[^]*second is registered/);
    await halts({ ...wish, name: "third", password: "another one" }, /may have an account|--code/);
  });

  test("takes an agent key instead of an address", async () => {
    const agentKey = stateIn("first").agent_key;
    const told = await go({ name: "fourth", agentKey, password: null });
    assert.doesNotMatch(told, /Signed in/);
    assert.equal(stateIn("fourth").agent_key, null);
    await halts({ name: "fifth", agentKey: "bout_key_wrong" }, /The bot is refused/);
  });

  test("says what it needs", async () => {
    await misused({}, /Name the bot with --name/);
    await misused({ name: "a" }, /A bot name has/);
    await misused({ name: "../up" }, /A bot name has/);
    await misused({ name: "sixth" }, /needs an account: call again with --email/);
    await misused({ name: "sixth", email: "nonsense" }, /nonsense is no address that mail can/);
    await misused({ name: "sixth", email: "eve@example.org", password: null }, /Set BOUT_PASSWORD/);
    await misused({ name: "sixth", url: "ladder.example" }, /no address of a ladder/);
  });

  test("takes no agent key for a bot that is refused, and none is needed to play", async () => {
    const email = "ada@example.org";
    const keysOf = async () => (await accountOf(ladder, email)).keys.length;
    const before = await keysOf();
    await halts({ name: "champion", email }, /The bot is refused: .*reserved/);
    assert.equal(await keysOf(), before);
    for (let more = before; more < FIXED.agent_keys; more += 1) await addKey(ladder, email);
    const told = await go({ name: "keyless", email });
    assert.match(told, /keyless is registered[^]*no agent key.*Revoke one at http\S+\/account/);
    assert.equal(stateIn("keyless").agent_key, null);
  });

  test("asks again for an address that is none, and offers the one of an earlier call", async () => {
    const asked: string[] = [];
    const typing = (...typed: string[]) => ({
      ask: async (question: string) => {
        asked.push(question);
        return typed.shift() ?? "";
      },
      askSecret: async () => "short",
    });
    const wish = { name: "mistyped", password: null };
    const signingUp = go(wish, typing("nonsense", "", "eve@example.org"));
    await assert.rejects(signingUp, /The password must have at least 8/);
    await assert.rejects(go(wish, typing("carol@example.org")), /The password must have/);
    assert.equal(stateIn("mistyped").email, "carol@example.org");
    assert.deepEqual(asked, [
      ...Array<string>(3).fill("Your address: "),
      "Your address (Return for eve@example.org): ",
    ]);
  });

  test("is a command that says in a line why it stops, and with --json what it did", async () => {
    const cwd = join(folder, "first");
    const done = await runBout(["onboard", "--no-play", "--json"], "", cwd);
    assert.equal(done.code, 0, done.err);
    const lines = done.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    assert.ok(lines.some((line) => "page" in line));
    const stopped = await runBout(
      ["onboard", "--name", "first", "--url", "http://nowhere:1"],
      "",
      cwd,
    );
    assert.deepEqual([stopped.code, stopped.out], [1, ""]);
    assert.match(stopped.err, /^bout onboard: The bot in .* belongs to .*\n$/);
    const misused = await runBout(["onboard", "--name", "a b"], "", cwd);
    assert.deepEqual([misused.code, misused.out], [2, ""]);
  });
});

test("on an anonymous ladder with a registration key, nobody needs an account", async () => {
  const ladder = await startLadder(["--house", "none", "--registration-key", "sesame"]);
  const told: string[] = [];
  const wish = { ...NOTHING, cwd: folder, url: ladder.baseUrl, name: "seventh" };
  const deps = {
    prompt: null,
    tell: (text: string) => void told.push(text),
    pause: hurry,
    isQuiet: true,
  };
  await assert.rejects(onboard(wish, deps), /registration key.*--registration-key/);
  assert.equal(await onboard({ ...wish, registrationKey: "sesame" }, deps), 0);
  assert.match(told.join("\n"), /seventh is registered[^]*no practice games now/);
  await assert.rejects(
    onboard({ ...wish, name: "eighth", email: "ada@example.org" }, deps),
    /has no accounts/,
  );
  await ladder.close();
});
