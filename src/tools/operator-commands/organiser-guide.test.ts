// Runs all commands in the organisers' guide, in order, against a real server. The participants'
// steps are included.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, it, mock } from "node:test";
import { fileURLToPath } from "node:url";

import { readPageCommands, shellWords } from "#testing/fixtures/page-commands.ts";
import { waitForEmail, createAccountClient } from "#testing/harness/account-client.ts";
import type { AccountClient } from "#testing/harness/account-client.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { ONE_PIXEL_PNG, pollFor } from "#testing/harness/polling.ts";
import {
  fetchAllGetResponses,
  readAllFiles,
  addSecret,
  findLeaks,
} from "#testing/harness/secret-leaks.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";
import type { LadderProcess } from "#testing/harness/test-server.ts";

import { runAdmin } from "./admin.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PAGE_URL = "https://bout.example";
const OPENS = "2027-03-04T18:00:00+01:00";
const CLOSES = "2027-03-04T20:30:00+01:00";
const FOLDER = temporaryTestFolder();
const DATA = join(FOLDER, "data");
const at = (name: string) => join(FOLDER, name);

type Person = { token: string; bot: string };

let ladder: LadderProcess;
let client: AccountClient;
const log: string[] = [];
const people = new Map<string, Person>();
const secrets = new Map<string, string>();
const keep = (what: string, value: unknown) => addSecret(secrets, what, value);

const page = readPageCommands(
  "organisers",
  ...["access", "rehearsal", "event-day", "results"].map((part) => `organisers-${part}`),
);

/** Runs the page's next commands and returns their output. `typedCommands` is sent to stdin. */
async function run(sectionHeading: string, typedCommands = "", variables: NodeJS.ProcessEnv = {}) {
  const script = page.nextCommands(sectionHeading);
  const lines = script.trimEnd().split("\n");
  if (!lines.every((line) => line.startsWith("npx bout admin "))) {
    return shell(script, typedCommands, variables);
  }
  let told = "";
  for (const line of lines) told += await admin(line.replace("npx bout admin ", ""));
  return told;
}

/** For pages that use the server's public host name. */
const here = (script: string) =>
  script
    .replaceAll(PAGE_URL, ladder?.baseUrl)
    .replaceAll(/^(.*npx bout admin .*)$/gm, `$1 --url ${ladder?.baseUrl}`);

function shell(
  script: string,
  typedCommands: string,
  variables: NodeJS.ProcessEnv,
): Promise<string> {
  const PATH = `${at("bin")}:${process.env.PATH}`;
  const options = { cwd: FOLDER, env: { ...process.env, PATH, ...variables } };
  return new Promise((resolve, reject) => {
    const child = execFile("sh", ["-ec", here(script)], options, (error, out, err) =>
      error === null ? resolve(out) : reject(new Error(`${script}\n${out}\n${err}`)),
    );
    // The command may have exited without reading stdin. Its exit code is checked separately.
    child.stdin!.on("error", () => {});
    child.stdin!.end(typedCommands);
  });
}

/** Runs an operator command in this process, which is ten times faster than in a child process. */
async function admin(line: string): Promise<string> {
  const words = shellWords(line);
  const files = new Set(["admin.key", "poster.png", "rehearsal.json"]);
  const instants = new Map([
    [CLOSES, soon()],
    [OPENS, window.opens_at],
  ]);
  const expectedText = words.map(
    (word) => instants.get(word) ?? (files.has(word) ? at(word) : word),
  );
  const output = { log: "", error: "" };
  const mockLog = (["log", "error"] as const).map((stream) =>
    mock.method(console, stream, (text: string) => (output[stream] += `${text}\n`)),
  );
  await runAdmin([...expectedText, "--url", ladder.baseUrl]);
  for (const { mock } of mockLog) mock.restore();
  assert.deepEqual([process.exitCode, output.error], [undefined, ""], line);
  return output.log;
}

async function signUp(name: string): Promise<Person> {
  const token = await client.signUpAndConfirm(`${name}@bout.example`, DATA);
  await client.requestLadder("PUT", "/api/account/handle", { token, body: { handle: name } });
  const options = { token, body: { name: `${name}s-bot` } };
  const { body } = await client.requestLadder("POST", "/api/account/bots", options);
  const person = { token, bot: keep(`token of ${name}'s bot`, body["token"]) };
  people.set(name, person);
  return person;
}

async function enroll(name: string, ladderId: string, body = {}): Promise<unknown> {
  const url = `/api/account/ladders/${ladderId}/enrollment`;
  const told = await client.requestLadder("POST", url, { token: people.get(name)!.token, body });
  const ladders = told.body as unknown as { id: string; membership: string }[];
  assert.equal(told.status, 200, JSON.stringify(told.body));
  return ladders.find(({ id }) => id === ladderId)?.membership;
}

let isAmiss = false;

const step = (name: string, run: () => Promise<void> | void) =>
  it(name, async () => {
    assert.ok(!isAmiss, "an earlier part failed");
    isAmiss = true;
    await run();
    isAmiss = false;
  });

// The first achievement in the test's event requires a single match.

const HOUR_MS = 3_600_000;
const window = { opens_at: "", closes_at: "" };

const SOON_MS = 1000;
const soon = (ms = SOON_MS) => new Date(Date.now() + ms).toISOString();

async function openSoon(): Promise<void> {
  window.opens_at = soon();
  for (const url of ["/api/admin/ladders/evening", "/api/admin/events/evening-goals"]) {
    const options = { token: people.get("you")!.token, body: window };
    const { status, body } = await client.requestLadder("PUT", `${url}/schedule`, options);
    assert.equal(status, 200, JSON.stringify(body));
  }
  await pollFor(async () => new Date().toISOString() > window.opens_at);
}

type File = {
  ladders: Record<string, unknown>[];
  events: (Record<string, unknown> & { conditions: { condition: { count?: number } }[] })[];
};

function editFile(): void {
  const file = JSON.parse(readFileSync(at("evening.json"), "utf8")) as File;
  Object.assign(window, { opens_at: soon(HOUR_MS), closes_at: soon(2 * HOUR_MS) });
  for (const one of [...file.ladders, ...file.events]) Object.assign(one, window);
  const { port } = handIn.address() as AddressInfo;
  file.events[0]!["submission_url"] = `https://127.0.0.1:${port}/hand-in`;
  file.events[0]!.conditions[0]!.condition.count = 1;
  writeFileSync(at("evening.json"), JSON.stringify(file));
}

/** The page's flags for `bout serve`, adapted to this machine. */
let serveFlags: string[] = [];

/** Submission address. Only participants' browsers open it, never the server. */
const handIn = createServer((socket) => {
  visits += 1;
  socket.destroy();
});
let visits = 0;

function flagsOf(script: string): string[] {
  const words = shellWords(script);
  assert.deepEqual(words.slice(0, 3), ["npx", "bout", "serve"]);
  const files = words.slice(3).map((word) => (word.endsWith(".json") ? at(word) : word));
  const documentPath = files.indexOf("--base-url");
  assert.equal(files[documentPath + 1], PAGE_URL);
  const local = ["--accounts", "embedded", "--house", "all"];
  return [...local, ...files.toSpliced(documentPath, 2)];
}

/** Restarts on the same address, because sessions are bound to it. */
async function start(): Promise<void> {
  const port = ladder === undefined ? "0" : new URL(ladder.baseUrl).port;
  ladder = await spawnLadder(DATA, [...serveFlags, "--port", port]);
  client = await createAccountClient(ladder.baseUrl);
}

async function stop(): Promise<void> {
  ladder.child.kill("SIGTERM");
  assert.equal(await ladder.exited, 0, ladder.log.join("\n"));
  log.push(...ladder.log);
}

before(async () => {
  await new Promise<void>((resolve) => handIn.listen(0, "127.0.0.1", resolve));
  mkdirSync(at("bin"));
  const bout = `exec "${process.execPath}" "${join(ROOT, "bin/bout.ts")}" "$@"`;
  writeFileSync(at("bin/npx"), `#!/bin/sh\nshift\n${bout}\n`);
  chmodSync(at("bin/npx"), 0o755);
  symlinkSync(process.execPath, at("bin/node"));
  symlinkSync(join(ROOT, "docs"), at("docs"));
  symlinkSync(join(ROOT, "src/tools/starters/starter.ts"), at("starter.ts"));
});
after(() => {
  handIn.close();
  ladder?.child.kill("SIGKILL");
});

step("the file is copied, edited and checked", async () => {
  const section = "Write the configuration";
  await run(section);
  editFile();
  assert.match(await run(section), /evening\.json is valid\. Ladders: 1, events: 1\.\n$/);
});

step("the flags are stored in a private file, and the server starts with both files", async () => {
  await run("Write the flags");
  const flags = JSON.parse(readFileSync(at("flags.json"), "utf8")) as Record<string, object>;
  for (const [id, text] of Object.entries(flags["evening-goals"]!)) keep(`flag of ${id}`, text);
  serveFlags = flagsOf(page.nextCommands("Start the server"));
  await start();
});

step("the organiser becomes an admin and creates an agent key", async () => {
  const { token } = await signUp("you");
  const options = { token, body: { label: "event" } };
  const { body } = await client.requestLadder("POST", "/api/account/keys", options);
  await run("Make an admin key", `${keep("admin's key", body["key"])}\n`);
  assert.match(
    await run("Make an admin key"),
    /^ladder {6}evening\n.*\naccess {6}open\nstate {7}upcoming\n/s,
  );
});

step("the event is ready and is enabled", async () => {
  const section = "Enable the event";
  assert.match(
    await run(section),
    /\nstate {7}upcoming, disabled\n.*\nflags {7}official, complete\n/s,
  );
  await run(section);
  const changedEvent = await run(section);
  assert.match(changedEvent, /\nflags {7}testing, .*\nflags {7}official, complete\n/s);
  writeFileSync(at("poster.png"), ONE_PIXEL_PNG);
  assert.match(await run(section), /\npicture {5}1 x 1: A ring, and two robots in it\n/);
  const { body } = await client.requestLadder("GET", "/api/events");
  const [event] = body as unknown as { id: string; enabled: boolean; ready: boolean }[];
  assert.deepEqual([event?.id, event?.enabled, event?.ready], ["evening-goals", true, true]);
});

step("participants join by approval, by invitation and by password", async () => {
  assert.match(await run("Approve accounts"), /\naccess {6}approval\n/);
  for (const name of ["ada", "bob", "eve"]) await signUp(name);
  assert.equal(await enroll("ada", "evening"), "pending");
  assert.match(await run("Approve accounts"), /\nada {2,}active /);
  const invitation = await run("Send invitations");
  const codes = [...invitation.matchAll(/^bout_invite_[\w-]+$/gm)].map(String);
  for (const [index, code] of codes.entries()) keep(`invitation ${index}`, code);
  await run("Send invitations");
  assert.match(await run("Send invitations"), /^http\S+ Team A\nhttp\S+ Team B\n$/);
  assert.equal(codes.length, 2, invitation);
  assert.equal(await enroll("bob", "evening", { invitation: codes[1] }), "active");
  const password = keep("password of a ladder", "swordfish-of-the-hall");
  await run("Set a password", password);
  assert.match(await run("Set a password"), /\naccess {6}password, password set\n/);
  const wrongPassword = { password: keep("wrong guess", "swordfish-in-the-hall") };
  const eve = people.get("eve")!;
  const url = "/api/account/ladders/second-round/enrollment";
  const refusal = await client.requestLadder("POST", url, {
    token: eve.token,
    body: wrongPassword,
  });
  assert.deepEqual([refusal.status, refusal.body["code"]], [403, "wrong_password"]);
  assert.equal(await enroll("eve", "second-round", { password }), "active");
});

step("the organiser confirms a participant without email using the 6-digit code", async () => {
  const email = "anna@class.invalid";
  const password = keep("a pupil's password", "horse of the class");
  const { status } = await client.requestProvider("POST", "/signup", { email, password });
  assert.equal(status, 200);
  await waitForEmail(DATA, email);
  const told = await run("Participants without email");
  const token = /^signup anna@class\.invalid (\d{6})$/m.exec(told)?.[1];
  const code = { type: "signup", email, token, password };
  const { body } = await client.requestProvider("POST", "/verify", code);
  assert.equal(typeof body["access_token"], "string", JSON.stringify(body));
});

step("two people rehearse on a hidden ladder and event", async () => {
  const section = "Rehearse";
  await run(section);
  await run(section);
  assert.match(await run(section), /\nflags {7}testing, complete\n/);
  const two = ["you", "ada"].map(async (name) => {
    assert.equal(await enroll(name, "rehearsal"), "active");
    return people.get(name)!.bot;
  });
  const tokens = await Promise.all(two);
  const script = page.nextCommands(section);
  const told = await Promise.all(tokens.map((BOUT_TOKEN) => shell(script, "", { BOUT_TOKEN })));
  for (const text of told) assert.match(text, /\nstopped: all matches played\n$/);
  const goals = "/api/account/events/rehearsal-goals/achievements";
  await pollFor(async () => (await firstGoal(goals))?.earned_at ?? null);
  const { token } = people.get("ada")!;
  const shownCards = await client.requestLadder("POST", `${goals}/ten-games/reveal`, { token });
  assert.match(String(shownCards.body["flag"]), /^TEST-/);
  assert.match(await run(section), /rehearsal-goals/);
  assert.match(await run(section), /\nstate {7}open, disabled, hidden\n/);
  const { body } = await client.requestLadder("GET", "/api/ladders");
  const listed = (body as unknown as { id: string }[]).map(({ id }) => id);
  assert.deepEqual(listed, ["public", "evening"]);
});

const GOALS = "/api/account/events/evening-goals/achievements";
type Card = { id: string; earned_at: string | null; revoked_at: string | null };

async function firstGoal(goals = GOALS): Promise<Card | undefined> {
  const { body } = await client.requestLadder("GET", goals, { token: people.get("ada")!.token });
  return (body["achievements"] as Card[]).find(({ id }) => id === "ten-games");
}

step("a participant plays, earns an achievement and sees its flag", async () => {
  await openSoon();
  const { token, bot: BOUT_TOKEN } = people.get("ada")!;
  assert.match(await run("Brief participants", "", { BOUT_TOKEN }), /\n(won|lost|drawn) against /);
  await pollFor(async () => (await firstGoal())?.earned_at ?? null);
  const shownCards = await client.requestLadder("POST", `${GOALS}/ten-games/reveal`, { token });
  assert.equal(shownCards.body["flag"], secrets.get("flag of ten-games"));
});

step("organisers list members and awards, end early and remove a participant", async () => {
  const section = "See members and results";
  assert.match(await run(section), /\nbob {2,}active /);
  assert.match(await run(section), /evening-goals/);
  await run("Move the end");
  assert.match(await run("Remove a participant"), /\nbob {2,}revoked .*Two people on one account/);
});

step("the ladder's end creates an archive that anyone can verify", async () => {
  const section = "Check the awards";
  const results = "/api/ladders/evening/results";
  await pollFor(async () => {
    const { body } = await client.requestLadder("GET", results);
    return (body["ladder"] as { phase: string }).phase === "closed";
  });
  await stop();
  await start();
  const archive = `${ladder.baseUrl}/api/ladders/evening/archive`;
  await pollFor(async () => (await fetch(archive)).ok);
  assert.match(
    await run("Save and verify the archive"),
    /\nstandings {4}ok: .*\nmatches {6}ok\nreplays {6}\d+ replayed/s,
  );
  await run(section);
  await run(section);
  assert.equal((await firstGoal())?.revoked_at, null);
});

step("the results page is published, and unused items are deleted", async () => {
  const results = await fetch(`${ladder.baseUrl}/results?ladder=evening`);
  assert.equal(results.status, 200);
  assert.match(await results.text(), /An evening of bots/);
  assert.match(await run("Clean up"), /\nThe ladder second-round is deleted\.\n$/);
});

step("every command of the page was run", () => {
  assert.ok(page.areAllTaken());
});

step("T75 the server never requests the submission address", async () => {
  const shownCards = await client.requestLadder("GET", "/api/events?event=evening-goals");
  assert.match(JSON.stringify(shownCards.body), /https:\/\/127\.0\.0\.1:\d+\/hand-in/);
  assert.equal((await fetch(`${ladder.baseUrl}/achievements?event=evening-goals`)).status, 200);
  assert.equal(visits, 0);
});

const NAMES = {
  id: "evening",
  event: "evening-goals",
  account: "ada",
  handle: "ada",
  name: "adas-bot",
  label: "v1",
};

step("T74 no flag, password, invitation or key is stored or printed anywhere", async () => {
  const { token } = people.get("you")!;
  const answers = await fetchAllGetResponses(ladder.baseUrl, token, NAMES);
  assert.ok(answers.size >= 55 && secrets.size >= 13, `${answers.size}, ${secrets.size}`);
  assert.deepEqual(findLeaks(secrets, answers), []);
  await stop();
  const files = await readAllFiles(DATA);
  for (const kind of ["bout.db", "outbox.jsonl", "evening.tar.gz", ".jsonl.gz"])
    assert.ok(
      [...files.keys()].some((path) => path.endsWith(kind)),
      `${kind} was searched`,
    );
  assert.deepEqual(findLeaks(secrets, files), []);
  assert.deepEqual(findLeaks(secrets, new Map([["log", log.join("\n")]])), []);
});
