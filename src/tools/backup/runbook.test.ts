// Causes each incident in the runbook on a real server, compares the output of the runbook's
// command with the page, and runs the commands that fix it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, statfsSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";

import { PAIRING_BLOCK_TEXT } from "#core/api/pairing-block-text.ts";
import { parseBlocks, readDocPage } from "#testing/fixtures/doc-page.ts";
import { createAccountClient } from "#testing/harness/account-client.ts";
import { BotClient } from "#testing/harness/bot-client.ts";
import { runBout, temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { findFreePort } from "#testing/harness/free-port.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";
import type { LadderProcess } from "#testing/harness/test-server.ts";
import { ROOT } from "#testing/tidy/sources.ts";

const run = promisify(execFile);
const page = readDocPage("runbook");
const WORK_FOLDER = temporaryTestFolder();
const ADMIN = "you@bout.example";
const MAX_TRIES = 100;

const SKIPPED_COMMANDS = [/^journalctl /, /^systemctl /];

type Section = { commands: string[]; outputs: string[] };

function sectionOf(title: string): Section {
  const text = page.text.split(/^## /m).find((section) => section.startsWith(`${title}\n`));
  assert.ok(text, title);
  const blocks = parseBlocks(text);
  const of = (language: string) => blocks.filter((section) => section.language === language);
  return {
    commands: of("sh").flatMap((block) => block.text.trimEnd().split("\n")),
    outputs: of("text").map((block) => block.text),
  };
}

function patternOf(line: string): RegExp {
  const parts = line.trim().split(/(\d[\d.:TZ-]*|\s+)/);
  const pattern = parts.map((part, index) => {
    if (index % 2 === 0) return RegExp.escape(part);
    return /^\s/.test(part) ? "\\s+" : "[\\d.:TZ-]+";
  });
  return new RegExp(`^\\s*${pattern.join("")}\\s*$`, "m");
}

function assertPrints(output: string, expected: readonly string[]): void {
  for (const line of expected.join("").trimEnd().split("\n"))
    if (line !== "") assert.match(output, patternOf(line));
}

class World {
  readonly data: string;
  ladder: LadderProcess | null = null;
  key = "";

  constructor(name: string, folder = WORK_FOLDER) {
    this.data = join(folder, name);
  }

  async start(...flags: string[]): Promise<LadderProcess> {
    const accounts = flags.includes("--accounts") ? [] : ["--accounts", "embedded"];
    this.ladder = await spawnLadder(this.data, [...accounts, "--admin-email", ADMIN, ...flags]);
    return this.ladder;
  }

  async stop(): Promise<void> {
    this.ladder?.child.kill("SIGTERM");
    await this.ladder?.exited;
    this.ladder = null;
  }

  /** Starts with an admin whose email needs no confirmation. */
  async open(...flags: string[]): Promise<string> {
    const { baseUrl } = await this.start("--autoconfirm", ...flags);
    const client = await createAccountClient(baseUrl);
    const token = await client.signUp(ADMIN);
    await client.requestLadder("PUT", "/api/account/handle", { token, body: { handle: "you" } });
    const createdAccount = await client.requestLadder("POST", "/api/account/keys", {
      token,
      body: { label: "terminal" },
    });
    this.key = String(createdAccount.body["key"]);
    return token;
  }

  async bot(name: string, token: string): Promise<BotClient> {
    const { baseUrl } = this.ladder!;
    const client = await createAccountClient(baseUrl);
    const { body } = await client.requestLadder("POST", "/api/bots", { token, body: { name } });
    return BotClient.connect(baseUrl, String(body["token"]));
  }

  async shell(line: string, variables: Record<string, string> = {}): Promise<string> {
    const { baseUrl = "http://127.0.0.1:9" } = this.ladder ?? {};
    const env = {
      ...process.env,
      PATH: `${join(WORK_FOLDER, "bin")}:${process.env.PATH}`,
      BOUT_URL: baseUrl,
      BOUT_ADMIN_KEY: this.key,
      BOUT_PORT: "0",
      ...variables,
    };
    const currentEnv = line
      .replaceAll("/var/lib/bout", this.data)
      .replaceAll("http://127.0.0.1:7777", baseUrl);
    const { stdout } = await run("sh", ["-c", `${currentEnv} || true`], { env, cwd: WORK_FOLDER });
    return stdout.replaceAll(this.data, "/var/lib/bout");
  }

  /** Runs the commands that fix the incident: all except the first in the section. */
  async fix({ commands }: Section): Promise<void> {
    for (const line of commands.slice(1)) {
      if (SKIPPED_COMMANDS.some((section) => section.test(line))) continue;
      const env = { PATH: `${join(WORK_FOLDER, "bin")}:${process.env.PATH}` };
      await this.shell(`set -e; ${line} && echo done`, env).then((out) =>
        assert.match(out, /^done$/m, line),
      );
    }
  }

  async until(line: string, expected: readonly string[]): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const output = await this.shell(line);
      try {
        return assertPrints(output, expected);
      } catch (error) {
        if (tries === MAX_TRIES) throw error;
        await setTimeout(100);
      }
    }
  }
}

const worlds: World[] = [];
function world(name: string, folder?: string): World {
  const createdAccount = new World(name, folder);
  worlds.push(createdAccount);
  return createdAccount;
}

before(() => {
  mkdirSync(join(WORK_FOLDER, "bin"));
  const script = `#!/bin/sh\nshift\nexec "${process.execPath}" "${join(ROOT, "bin/bout.ts")}" "$@"\n`;
  writeFileSync(join(WORK_FOLDER, "bin/npx"), script, { mode: 0o755 });
});
after(() => {
  for (const { ladder } of worlds) ladder?.child.kill("SIGKILL");
});

/** Mounting requires a privilege that a container may lack. */
const noSmallDisk = await canMount().then((can) => !can && "a small disk can't be mounted here");

async function canMount(): Promise<boolean> {
  const folder = join(WORK_FOLDER, "probe");
  mkdirSync(folder);
  try {
    await run("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]);
    await run("umount", [folder]);
    return true;
  } catch {
    return false;
  }
}

describe("the runbook", () => {
  it("diagnoses that nobody can sign in because the identity provider is down", async () => {
    const section = sectionOf("Nobody can sign in");
    const currentEnv = world("provider");
    const provider = ["--accounts", `http://127.0.0.1:${await findFreePort()}`];
    await currentEnv.start(...provider, "--provider-key", "sb_publishable_x");
    const variables = { BOUT_ACCOUNTS: provider[1]!, BOUT_PROVIDER_KEY: "sb_publishable_x" };
    assertPrints(await currentEnv.shell(section.commands[0]!, variables), section.outputs);
    await currentEnv.stop();
    await currentEnv.open();
    await currentEnv.fix(section);
    await currentEnv.stop();
  });

  it("diagnoses that email isn't arriving because the mail server can't be reached", async () => {
    const section = sectionOf("Email isn't arriving");
    const currentEnv = world("mail");
    await currentEnv.open();
    await currentEnv.stop();
    const { baseUrl } = await currentEnv.start(
      "--smtp",
      `smtp://127.0.0.1:${await findFreePort()}`,
    );
    const { requestProvider } = await createAccountClient(baseUrl);
    for (const name of ["ada", "eve", "bob", "kim"])
      await requestProvider("POST", "/signup", {
        email: `${name}@bout.example`,
        password: "correct horse battery",
      });
    await currentEnv.until(section.commands[0]!, section.outputs);
    await currentEnv.stop();
  });

  it("diagnoses that no matches start and everything is slow because a single owner has all bots", async () => {
    const section = sectionOf("No matches start");
    const currentEnv = world("owner");
    const token = await currentEnv.open();
    for (const name of ["alpha", "beta", "gamma"]) (await currentEnv.bot(name, token)).queue();
    await currentEnv.until(section.commands[0]!, section.outputs);
    const slow = sectionOf("Everything is slow");
    await currentEnv.until(slow.commands[0]!, slow.outputs);
    await currentEnv.fix(slow);
    await currentEnv.stop();
  });

  it("lists every reason why no matches start", () => {
    for (const reason of Object.values(PAIRING_BLOCK_TEXT))
      assert.ok(page.text.includes(`\n| ${reason} |`), reason);
  });

  it("diagnoses 502 responses from the site: the server is healthy or down, or its database is damaged", async () => {
    const section = sectionOf("The site answers 502");
    const currentEnv = world("site");
    await currentEnv.open();
    assertPrints(await currentEnv.shell(section.commands[0]!), section.outputs);
    await currentEnv.stop();
    const code = await currentEnv.shell(`${section.commands[0]}; echo "code $?"`);
    assert.equal(code, "code 7\n");
    const file = join(currentEnv.data, "bout.db");
    truncateSync(file, 5000);
    const { err } = await runBout(["serve", "--data", currentEnv.data, "--port", "0"]);
    const output = err.split("\n").find((line) => line.startsWith("bout serve: "));
    assert.match(
      output ?? "",
      /^bout serve: the database file \S+bout\.db is damaged \(.+\)\. Run bout doctor/,
    );
  });

  it("diagnoses a bot that floods the server", async () => {
    const section = sectionOf("A bot floods the server");
    const currentEnv = world("flood");
    await currentEnv.open();
    await currentEnv.shell("npx bout admin settings set floods_to_suspend 1");
    const { signUp, requestLadder } = await createAccountClient(currentEnv.ladder!.baseUrl);
    const token = await signUp("flooder@bout.example");
    await requestLadder("PUT", "/api/account/handle", { token, body: { handle: "flooder" } });
    const bot = await currentEnv.bot("flooder", token);
    for (let count = 0; count < 200; count += 1) bot.send({});
    assert.equal((await bot.closed).code, 4009);
    await currentEnv.until(section.commands[0]!, section.outputs);
    await currentEnv.fix(section);
    await currentEnv.stop();
  });

  it("diagnoses a full disk", { skip: noSmallDisk }, async () => {
    const section = sectionOf("The disk is full");
    const folder = join(WORK_FOLDER, "small");
    mkdirSync(folder);
    await run("mount", ["-t", "tmpfs", "-o", "size=60m", "tmpfs", folder]);
    const currentEnv = new World("", folder);
    try {
      await currentEnv.open();
      const fillerFile = join(currentEnv.data, "bout.db.schema-22");
      const { bavail, bsize } = statfsSync(folder);
      try {
        writeFileSync(fillerFile, Buffer.alloc(bavail * bsize));
      } catch (error) {
        // By now the server has also written data, so the disk fills up slightly earlier.
        assert.equal((error as NodeJS.ErrnoException).code, "ENOSPC");
      }
      assertPrints(await currentEnv.shell(section.commands[0]!), section.outputs);
      const { baseUrl } = currentEnv.ladder!;
      const { status, body } = await (
        await createAccountClient(baseUrl)
      ).requestProvider("POST", "/signup", {
        email: "ada@bout.example",
        password: "correct horse battery",
      });
      assert.equal(status, 503, JSON.stringify(body));
      await currentEnv.fix(section);
      assert.equal((await fetch(`${baseUrl}/healthz`)).status, 200);
    } finally {
      await currentEnv.stop();
      await run("umount", [folder]);
    }
  });
});
