// Runs every command in the operators' guide, in order, against a real ladder.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { after, before, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";

import { optionsProblem } from "#server/composition/server-address.ts";
import { readServeOptions } from "#server/configuration/flags.ts";
import { readDocPages, readDocPage } from "#testing/fixtures/doc-page.ts";
import { shellWords } from "#testing/fixtures/page-commands.ts";
import { createAccountClient } from "#testing/harness/account-client.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { findFreePort } from "#testing/harness/free-port.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";
import type { LadderProcess } from "#testing/harness/test-server.ts";
import { ROOT } from "#testing/tidy/sources.ts";

const run = promisify(execFile);
const WORK_FOLDER = temporaryTestFolder();
const pathIn = (name: string) => join(WORK_FOLDER, name);
const DATA = pathIn("lib/bout");
const HOUR_MS = 3_600_000;

/**
 * Commands that belong to the operating system or other programs. deploy.test.ts checks their
 * files.
 */
const SKIPPED_COMMANDS = [
  /^npm ci$/,
  /^npm start$/,
  /^git clone /,
  /^cd \/opt\/bout(?: && git | && npm ci$|$)/,
  /^git fetch --tags && /,
  /^useradd /,
  /^cp deploy\/bout\.service /,
  /^systemctl (?:daemon-reload|enable --now bout bout-backup\.timer)$/,
  /^editor /,
  /^docker (?:build|run|exec) /,
  /^BOUT_DATABASE_PASSWORD=choose-one .*docker compose /,
];

/** Pages with commands, in the order in which an operator would follow them. */
const PAGES = [
  "operating",
  "operating-flags",
  "operating-backups",
  "operating-settings",
  "operating-announcements",
  "operating-events",
  "operating-postgresql",
  "operating-proxy",
  "operating-health",
  "operating-upgrading",
  "operating-systemd",
  "operating-containers",
];

const isShell = ({ language }: { language: string }): boolean => language === "sh";

let ladder: LadderProcess | null = null;
let key = "";
let folder = WORK_FOLDER;

const METRICS = String(await findFreePort());
const FLAGS = [
  "--accounts=embedded",
  "--house=all",
  "--admin-email=you@bout.example",
  `--metrics-port=${METRICS}`,
  "--profiling",
];

async function start(): Promise<LadderProcess> {
  ladder = await spawnLadder(DATA, FLAGS);
  return ladder;
}

async function stop(): Promise<void> {
  ladder?.child.kill("SIGTERM");
  assert.equal(await ladder?.exited, 0);
  ladder = null;
}

function createPrograms(): void {
  for (const name of ["bin", "lib", "backups"]) mkdirSync(pathIn(name));
  const bout = `"${process.execPath}" "${join(ROOT, "bin/bout.ts")}"`;
  const script = (text: string, name: string) =>
    writeFileSync(pathIn(`bin/${name}`), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const requests = `case "$1" in\nadmin) exec ${bout} "$@" --url "$LADDER" ;;\ndoctor) exec ${bout} "$@" --port 0 ;;\nesac\nexec ${bout} "$@"`;
  script(requests, "bout");
  script(`shift\n${requests}`, "npx");
  script(`sed -i 's/"overrides": {/"overrides": { "max_concurrent": 100/' "$1"`, "edit");
}

async function createAdmin({ baseUrl }: LadderProcess): Promise<string> {
  const client = await createAccountClient(baseUrl);
  const token = await client.signUpAndConfirm("you@bout.example", DATA);
  await client.requestLadder("PUT", "/api/account/handle", { token, body: { handle: "you" } });
  const missingPaths = await client.signUpAndConfirm("ada@bout.example", DATA);
  const remaining = await client.requestLadder("DELETE", "/api/account", {
    token: missingPaths,
    body: { handle: null },
  });
  assert.ok(remaining.status < 300, JSON.stringify(remaining.body));
  const options = { token, body: { label: "terminal" } };
  const { body } = await client.requestLadder("POST", "/api/account/keys", options);
  return String(body["key"]);
}

/**
 * Creates the ladder used in the documentation's example, which starts in an hour. The page itself
 * creates the event.
 */
async function createEvents({ baseUrl }: LadderProcess): Promise<void> {
  const text = readFileSync(join(ROOT, "docs/examples/event.json"), "utf8");
  const file = JSON.parse(text) as Record<"ladders" | "events", object[]>;
  const [opens, closes] = [1, 4].map((hours) =>
    new Date(Date.now() + hours * HOUR_MS).toISOString(),
  );
  const window = { opens_at: opens, closes_at: closes };
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ ...file.ladders[0], ...window });
  const answer = await fetch(`${baseUrl}/api/admin/ladders`, { method: "POST", headers, body });
  assert.equal(answer.status, 201, await answer.text());
  const goals = { ...file.events[0], ...window, flag_mode: "testing" };
  writeFileSync(pathIn("goals.json"), JSON.stringify(goals));
}

const here = (line: string) =>
  line
    .replaceAll("/var/lib/", `${WORK_FOLDER}/lib/`)
    .replaceAll("/var/backups/", `${WORK_FOLDER}/backups/`)
    .replaceAll("/etc/bout/", `${WORK_FOLDER}/etc/`)
    .replace(":9464/metrics", `:${METRICS}/metrics`);

async function shell(line: string): Promise<string> {
  const variables = {
    PATH: `${pathIn("bin")}:${process.env.PATH}`,
    LADDER: ladder?.baseUrl ?? "",
    BOUT_ADMIN_KEY: key,
    EDITOR: "edit",
    ID: announcement,
    CAPTURE: capture,
  };
  const options = { cwd: folder, env: { ...process.env, ...variables } };
  const { stdout } = await run("sh", ["-ec", here(line)], options);
  return stdout;
}

/** A doctor run that only prints warnings, for example about a small disk, counts as a success. */
async function doctor(line: string): Promise<string> {
  return shell(`${line} || [ $? -eq 1 ]`);
}

function assertServes(line: string): void {
  const words = shellWords(here(line).replaceAll("'", '"'));
  for (const [at, word] of words.entries())
    if (word.endsWith("-file")) writeSecret(word, words[at + 1] ?? "");
  const isVariable = words[0]?.startsWith("BOUT_") === true;
  const flags = words.slice(words.indexOf(isVariable ? "serve" : "--") + 1);
  const options = readServeOptions(flags, {});
  assert.ok(!("error" in options), JSON.stringify(options));
  assert.equal(optionsProblem(options), null);
}

function writeSecret(flag: string, path: string): void {
  const secret = flag === "--smtp-file" ? "smtp://127.0.0.1:25" : "postgres://127.0.0.1/bout";
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${secret}\n`, { mode: 0o600 });
}

let announcement = "";

let capture = "";

async function isCaptureFinished(): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` };
  for (;;) {
    const answer = await fetch(`${ladder?.baseUrl}/api/admin/profiling/captures/${capture}`, {
      headers,
    });
    const { state } = (await answer.json()) as { state: string };
    if (state !== "recording") return assert.equal(state, "ready");
    await setTimeout(100);
  }
}

/** Setup before particular commands, and checks after them. */
const AROUND: readonly [
  command: RegExp,
  before: () => Promise<void>,
  after: (out: string) => void,
][] = [
  [
    /^npx bout restore \S+bout-1 /,
    async () => {
      await stop();
      renameSync(DATA, pathIn("lib/bout.lost"));
    },
    (out) => assert.match(out, /database {3}sound/),
  ],
  [
    /^npx bout admin settings set max_concurrent 80/,
    async () => void (await start()),
    (out) => assert.match(out, /max_concurrent \d+ to 80/),
  ],
  [
    /^npx bout admin settings --json/,
    async () => {},
    () => assert.ok(existsSync(pathIn("settings.json"))),
  ],
  [
    /settings apply/,
    async () => {},
    () => assert.match(readFileSync(pathIn("settings.json"), "utf8"), /"max_concurrent": 100/),
  ],
  [
    /announcements draft/,
    async () => {},
    (out) => {
      announcement = /^id +(\S+)$/m.exec(out)?.[1] ?? "";
      assert.match(out, /^state +draft$/m);
    },
  ],
  [/^curl \S+ \S+\/metrics$/, async () => {}, (out) => assert.match(out, /^bout_store_up 1$/m)],
  [
    /profiling start/,
    async () => {},
    (out) => {
      capture = /^id +(\S+)$/m.exec(out)?.[1] ?? "";
      assert.match(out, /^state +recording$/m);
    },
  ],
  [
    /profiling download/,
    isCaptureFinished,
    () => assert.match(readFileSync(join(folder, "evening.cpuprofile"), "utf8"), /^\{"nodes":\[/),
  ],
  [/announcements publish/, async () => {}, (out) => assert.match(out, /^state +published$/m)],
  [/^npx bout admin events add/, async () => createEvents(ladder!), () => {}],
  [/^cd \/var\/lib\/bout$/, oldCopy, () => {}],
  [/^cp bout\.db\.schema/, async () => {}, () => assert.ok(existsSync(join(DATA, "bout.db")))],
];

async function oldCopy(): Promise<void> {
  await stop();
  copyFileSync(join(DATA, "bout.db"), join(DATA, "bout.db.schema-22"));
}

async function follow(line: string): Promise<void> {
  if (SKIPPED_COMMANDS.some((command) => command.test(line))) return;
  if (/^npm start -- |^BOUT_FLAG_\S+='[^']*' npx bout serve$/.test(line)) return assertServes(line);
  const [, prepare, checkPage] = AROUND.find(([command]) => command.test(line)) ?? [];
  await prepare?.();
  if (line === "systemctl stop bout") return ladder === null ? undefined : stop();
  if (line === "systemctl start bout") return void (await start());
  if (line.startsWith("cd ")) {
    folder = here(line.slice("cd ".length));
    return;
  }
  const out = await (line.startsWith("npx bout doctor") ? doctor(line) : shell(line));
  checkPage?.(out);
}

before(createPrograms);
after(() => ladder?.child.kill("SIGKILL"));

it("every command in the operators' guide works as described", async () => {
  key = await createAdmin(await start());
  const blocks = PAGES.flatMap((name) => readDocPage(name).blocks.filter(isShell));
  const pages = readDocPages().filter(({ name }) => name.startsWith("operating"));
  for (const { name, blocks } of pages)
    assert.ok(PAGES.includes(name) || !blocks.some(isShell), `${name} has commands`);
  const lines: string[] = [];
  for (const { text } of blocks) {
    folder = WORK_FOLDER;
    for (const line of text
      .replaceAll(/\\\n +/g, "")
      .trimEnd()
      .split("\n")) {
      await assert.doesNotReject(follow(line), line);
      if (line.startsWith("cp bout.db.schema")) await start();
      lines.push(line);
    }
  }
  assert.ok(
    lines.filter((line) => /\bbout (?:admin|backup|restore|doctor)\b/.test(line)).length >= 10,
  );
  assert.ok(existsSync(pathIn("lib/bout.newer")));
  assert.equal((await fetch(`${ladder?.baseUrl}/api`)).status, 200);
  await stop();
});
