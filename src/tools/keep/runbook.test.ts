// The runbook: each incident is brought about on a real server, and the section's command prints
// what the section says. The commands of its fixes are run as well.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, statfsSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";

import { PAIRING_WORDS } from "#core/operator/pairing-words.ts";
import { blocksIn, pageOf } from "#testing/fixtures/doc-page.ts";
import { personAt } from "#testing/harness/account-client.ts";
import { BotClient } from "#testing/harness/bot-client.ts";
import { runBout, temporaryFolder } from "#testing/harness/bout-process.ts";
import { freePort } from "#testing/harness/free-port.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";
import type { LadderProcess } from "#testing/harness/test-server.ts";
import { ROOT } from "#testing/tidy/sources.ts";

const run = promisify(execFile);
const page = pageOf("runbook");
const ROOM = temporaryFolder();
const ADMIN = "you@bout.example";
const MOST_TRIES = 100;

/** They belong to the machine. */
const NOT_RUN = [/^journalctl /, /^systemctl /];

type Section = { commands: string[]; outputs: string[] };

function sectionOf(title: string): Section {
  const text = page.text.split(/^## /m).find((one) => one.startsWith(`${title}\n`));
  assert.ok(text, title);
  const blocks = blocksIn(text);
  const of = (language: string) => blocks.filter((one) => one.language === language);
  return {
    commands: of("sh").flatMap((block) => block.text.trimEnd().split("\n")),
    outputs: of("text").map((block) => block.text),
  };
}

/** Each line, with any number for a number and any gap for a gap. */
function patternOf(line: string): RegExp {
  const parts = line.trim().split(/(\d[\d.:TZ-]*|\s+)/);
  const pattern = parts.map((part, at) => {
    if (at % 2 === 0) return RegExp.escape(part);
    return /^\s/.test(part) ? "\\s+" : "[\\d.:TZ-]+";
  });
  return new RegExp(`^\\s*${pattern.join("")}\\s*$`, "m");
}

function assertPrints(output: string, expected: readonly string[]): void {
  for (const line of expected.join("").trimEnd().split("\n"))
    if (line !== "") assert.match(output, patternOf(line));
}

/** A server with an admin, who has an agent key. */
class World {
  readonly data: string;
  ladder: LadderProcess | null = null;
  key = "";

  constructor(name: string, folder = ROOM) {
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

  /** Starts with an admin whose address needs no confirmation. */
  async open(...flags: string[]): Promise<string> {
    const { baseUrl } = await this.start("--autoconfirm", ...flags);
    const client = await personAt(baseUrl);
    const token = await client.enter(ADMIN);
    await client.ladder("PUT", "/api/account/handle", { token, body: { handle: "you" } });
    const made = await client.ladder("POST", "/api/account/keys", {
      token,
      body: { label: "terminal" },
    });
    this.key = String(made.body["key"]);
    return token;
  }

  async bot(name: string, token: string): Promise<BotClient> {
    const { baseUrl } = this.ladder!;
    const client = await personAt(baseUrl);
    const { body } = await client.ladder("POST", "/api/bots", { token, body: { name } });
    return BotClient.connect(baseUrl, String(body["token"]));
  }

  /** Output of a command, with any exit code. */
  async shell(line: string, variables: Record<string, string> = {}): Promise<string> {
    const { baseUrl = "http://127.0.0.1:9" } = this.ladder ?? {};
    const env = {
      ...process.env,
      PATH: `${join(ROOM, "bin")}:${process.env.PATH}`,
      BOUT_URL: baseUrl,
      BOUT_ADMIN_KEY: this.key,
      BOUT_PORT: "0",
      ...variables,
    };
    const here = line
      .replaceAll("/var/lib/bout", this.data)
      .replaceAll("http://127.0.0.1:7777", baseUrl);
    const { stdout } = await run("sh", ["-c", `${here} || true`], { env, cwd: ROOM });
    return stdout.replaceAll(this.data, "/var/lib/bout");
  }

  /** Runs the commands of the fixes: all but the first of the section. */
  async fix({ commands }: Section): Promise<void> {
    for (const line of commands.slice(1)) {
      if (NOT_RUN.some((one) => one.test(line))) continue;
      const env = { PATH: `${join(ROOM, "bin")}:${process.env.PATH}` };
      await this.shell(`set -e; ${line} && echo done`, env).then((out) =>
        assert.match(out, /^done$/m, line),
      );
    }
  }

  /** Repeats a command until it prints what it should. */
  async until(line: string, expected: readonly string[]): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const output = await this.shell(line);
      try {
        return assertPrints(output, expected);
      } catch (error) {
        if (tries === MOST_TRIES) throw error;
        await setTimeout(100);
      }
    }
  }
}

const worlds: World[] = [];
function world(name: string, folder?: string): World {
  const made = new World(name, folder);
  worlds.push(made);
  return made;
}

before(() => {
  mkdirSync(join(ROOM, "bin"));
  const script = `#!/bin/sh\nshift\nexec "${process.execPath}" "${join(ROOT, "bin/bout.ts")}" "$@"\n`;
  writeFileSync(join(ROOM, "bin/npx"), script, { mode: 0o755 });
});
after(() => {
  for (const { ladder } of worlds) ladder?.child.kill("SIGKILL");
});

/** Mounting needs a privilege that a container may lack. */
const noSmallDisk = await canMount().then((can) => !can && "a small disk can't be mounted here");

async function canMount(): Promise<boolean> {
  const folder = join(ROOM, "probe");
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
  it("nobody can sign in: the identity provider is down", async () => {
    const section = sectionOf("Nobody can sign in");
    const here = world("provider");
    const provider = ["--accounts", `http://127.0.0.1:${await freePort()}`];
    await here.start(...provider, "--provider-key", "sb_publishable_x");
    const variables = { BOUT_ACCOUNTS: provider[1]!, BOUT_PROVIDER_KEY: "sb_publishable_x" };
    assertPrints(await here.shell(section.commands[0]!, variables), section.outputs);
    await here.stop();
    await here.open();
    await here.fix(section);
    await here.stop();
  });

  it("email isn't arriving: the mail server can't be reached", async () => {
    const section = sectionOf("Email isn't arriving");
    const here = world("mail");
    await here.open();
    await here.stop();
    const { baseUrl } = await here.start("--smtp", `smtp://127.0.0.1:${await freePort()}`);
    const { identity } = await personAt(baseUrl);
    for (const name of ["ada", "eve", "bob", "kim"])
      await identity("POST", "/signup", {
        email: `${name}@bout.example`,
        password: "correct horse battery",
      });
    await here.until(section.commands[0]!, section.outputs);
    await here.stop();
  });

  it("no matches start, and everything is slow: one owner has all bots", async () => {
    const section = sectionOf("No matches start");
    const here = world("owner");
    const token = await here.open();
    for (const name of ["alpha", "beta", "gamma"]) (await here.bot(name, token)).queue();
    await here.until(section.commands[0]!, section.outputs);
    const slow = sectionOf("Everything is slow");
    await here.until(slow.commands[0]!, slow.outputs);
    await here.fix(slow);
    await here.stop();
  });

  it("names each reason why no match starts", () => {
    for (const reason of Object.values(PAIRING_WORDS))
      assert.ok(page.text.includes(`\n| ${reason} |`), reason);
  });

  it("the site answers 502: the server is well, is away, or its database is damaged", async () => {
    const section = sectionOf("The site answers 502");
    const here = world("site");
    await here.open();
    assertPrints(await here.shell(section.commands[0]!), section.outputs);
    await here.stop();
    const code = await here.shell(`${section.commands[0]}; echo "code $?"`);
    assert.equal(code, "code 7\n");
    const file = join(here.data, "bout.db");
    truncateSync(file, 5000);
    const { err } = await runBout(["serve", "--data", here.data, "--port", "0"]);
    const told = err.split("\n").find((line) => line.startsWith("bout serve: "));
    assert.match(
      told ?? "",
      /^bout serve: the database file \S+bout\.db is damaged \(.+\)\. Run bout doctor/,
    );
  });

  it("a bot floods the server", async () => {
    const section = sectionOf("A bot floods the server");
    const here = world("flood");
    await here.open();
    await here.shell("npx bout admin settings set floods_to_suspend 1");
    const { enter, ladder } = await personAt(here.ladder!.baseUrl);
    const token = await enter("flooder@bout.example");
    await ladder("PUT", "/api/account/handle", { token, body: { handle: "flooder" } });
    const bot = await here.bot("flooder", token);
    for (let count = 0; count < 200; count += 1) bot.say({});
    assert.equal((await bot.closed).code, 4009);
    await here.until(section.commands[0]!, section.outputs);
    await here.fix(section);
    await here.stop();
  });

  it("the disk is full", { skip: noSmallDisk }, async () => {
    const section = sectionOf("The disk is full");
    const folder = join(ROOM, "small");
    mkdirSync(folder);
    await run("mount", ["-t", "tmpfs", "-o", "size=60m", "tmpfs", folder]);
    const here = new World("", folder);
    try {
      await here.open();
      const filler = join(here.data, "bout.db.schema-22");
      const { bavail, bsize } = statfsSync(folder);
      try {
        writeFileSync(filler, Buffer.alloc(bavail * bsize));
      } catch (error) {
        // The server has written meanwhile: the disk is full a little earlier.
        assert.equal((error as NodeJS.ErrnoException).code, "ENOSPC");
      }
      assertPrints(await here.shell(section.commands[0]!), section.outputs);
      const { baseUrl } = here.ladder!;
      const { status, body } = await (
        await personAt(baseUrl)
      ).identity("POST", "/signup", {
        email: "ada@bout.example",
        password: "correct horse battery",
      });
      assert.equal(status, 503, JSON.stringify(body));
      await here.fix(section);
      assert.equal((await fetch(`${baseUrl}/healthz`)).status, 200);
    } finally {
      await here.stop();
      await run("umount", [folder]);
    }
  });
});
