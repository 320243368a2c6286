import assert from "node:assert/strict";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, it } from "node:test";

import { openSecrets } from "#adapters/identity/secrets.ts";
import { openStore } from "#server/composition/open-store.ts";
import { openSmtpServer, openScriptedServer } from "#testing/fixtures/mail-server.ts";
import { BotClient, registerBot } from "#testing/harness/bot-client.ts";
import { runBout, temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { findFreePort } from "#testing/harness/free-port.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";
import {
  clearRealPostgres,
  REAL_POSTGRES_URL,
  REAL_POSTGRES_TEST_OPTIONS,
} from "#testing/store-contract/real-postgres.ts";

import type { Diagnosis, Level } from "./diagnosis.ts";
import { skewFinding } from "./machine-check.ts";

type Report = { level: Level; findings: Diagnosis[] };

async function report(flags: readonly string[], variables: Record<string, string> = {}) {
  const { code, out, err } = await runBout(
    ["doctor", "--json", ...flags],
    "",
    undefined,
    variables,
  );
  assert.equal(err, "");
  const { level, findings } = JSON.parse(out) as Report;
  const of = (check: string) => findings.find((one) => one.check === check);
  return {
    code,
    level,
    findings,
    of,
    told: (check: string) => `${of(check)?.level} ${of(check)?.found}`,
  };
}

const createFolder = async (fillFolder: (data: string) => void | Promise<void> = () => {}) => {
  const data = join(temporaryTestFolder(), "data");
  mkdirSync(data, { mode: 0o700 });
  await fillFolder(data);
  return data;
};

async function webServer(answers: Record<string, object>, date = new Date()) {
  const server = createServer((request, response) => {
    const body = answers[request.url ?? ""];
    response.writeHead(body === undefined ? 404 : 200, { Date: date.toUTCString() });
    response.end(JSON.stringify(body ?? {}));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("bout doctor", () => {
  it("reports no failure before the first start, and creates nothing", async () => {
    const data = join(temporaryTestFolder(), "data");
    const { told: messages, findings } = await report(["--data", data, "--port", "0"]);
    assert.match(messages("data folder"), /^ok .*will be created at the first start/);
    assert.match(messages("database"), /^ok will be created at the first start/);
    assert.match(messages("keys"), /^ok will be created at the first start/);
    assert.match(messages("port"), /^ok any port of 127\.0\.0\.1 is free/);
    assert.deepEqual(
      findings.filter(({ level }) => level === "fail"),
      [],
    );
    assert.equal(existsSync(data), false);
  });

  it("checks a running server without disturbing it", async () => {
    const data = await createFolder();
    const server = await spawnLadder(data, ["--accounts", "embedded"]);
    const filesBefore = readdirSync(data);
    const { told: messages, findings } = await report(["--data", data, "--port", "0"]);
    assert.ok(
      messages("server").includes(`ok process ${server.child.pid} serves it at ${server.baseUrl}`),
    );
    assert.match(messages("port"), /^ok .* answers, release /);
    assert.match(messages("bot socket"), /^ok .* accepts bots/);
    assert.match(messages("open files"), / the server may open \d+ files/);
    assert.match(messages("schema"), /^ok /);
    assert.match(messages("integrity"), /^ok a recount matches/);
    assert.match(messages("disk speed"), /a sync takes [\d.]+ ms/);
    assert.match(messages("keys"), /^ok 1 kept/);
    assert.deepEqual(
      findings.filter(({ level }) => level === "fail"),
      [],
    );
    assert.deepEqual(readdirSync(data), filesBefore);
    const other = await report(["--data", data, "--base-url", "http://127.0.0.1:9"]);
    assert.equal(other.code, 2);
    assert.match(other.told("base URL"), /^fail http:\/\/127\.0\.0\.1:9\/api/);
    assert.match(other.told("bot socket"), /^fail /);
    server.child.kill("SIGTERM");
    assert.equal(await server.exited, 0);
  });

  it("reports why no matches start, based on the running server's metrics", async () => {
    const data = await createFolder();
    const port = String(await findFreePort());
    const flags = ["--metrics-port", port, "--max-concurrent", "0"];
    const server = await spawnLadder(data, flags);
    const token = await registerBot(server.baseUrl, "alpha");
    const client = await BotClient.connect(server.baseUrl, token);
    client.queue();
    await client.waitFor("queued");
    const { told: messages, code } = await report(["--data", data, "--port", "0", ...flags]);
    assert.match(messages("queues"), /^warn public: 1 bots waiting, .*max_concurrent is 0/);
    assert.equal(code, 1);
    const without = await report(["--data", data, "--port", "0"]);
    assert.match(without.told("queues"), /^ok not checked/);
    server.child.kill("SIGTERM");
    await server.exited;
  });

  it("prints fixes, and derives the exit code from the worst finding", async () => {
    const data = await createFolder((folder) => chmodSync(folder, 0o755));
    const { code, out } = await runBout(["doctor", "--data", data, "--port", "0"]);
    assert.equal(code, 1);
    assert.match(out, /^warn {2}data folder +other users can open .*\(mode 755\)\n +chmod 700 /m);
    assert.match(
      out,
      /\n\d+ ok, \d+ warn, 0 fail\nSee docs\/runbook\.md for fixes by symptom\.\n$/,
    );
  });

  it("rejects flags that the server would reject", async () => {
    for (const flags of [["--turbo"], ["--anonymous", "--host", "0.0.0.0"]]) {
      const { code, err } = await runBout(["doctor", ...flags]);
      assert.equal(code, 2);
      assert.match(err, /^bout doctor: .* See bout doctor --help\.\n$/);
    }
  });

  it("reports invalid files and a port that is in use", async () => {
    const takenPort = new URL(await webServer({})).port;
    const config = join(temporaryTestFolder(), "config.json");
    writeFileSync(config, "{");
    const data = await createFolder();
    const { code, told: messages } = await report([
      "--data",
      data,
      "--port",
      takenPort,
      "--config",
      config,
    ]);
    assert.equal(code, 2);
    assert.match(messages("files"), /^fail .*config\.json/);
    assert.match(messages("port"), /^fail .*EADDRINUSE/);
  });
});

describe("bout doctor on the database", () => {
  const filledFolder = (data: string) => openStore({ data }).then((store) => store.close());

  it("detects a damaged database, and a database from a newer or older release", async () => {
    const damagedFolder = await createFolder(filledFolder);
    truncateSync(join(damagedFolder, "bout.db"), 5000);
    const brokenFolder = await report(["--data", damagedFolder, "--port", "0"]);
    assert.equal(brokenFolder.code, 2);
    assert.ok(
      brokenFolder.findings.some(
        ({ level, check }) => level === "fail" && ["database", "integrity"].includes(check),
      ),
    );
    const newerSchema = await createFolder(filledFolder);
    alterDatabase(
      newerSchema,
      "update schema_migrations set number = number + 100 where number = (select max(number) from schema_migrations)",
    );
    assert.match(
      (await report(["--data", newerSchema, "--port", "0"])).told("schema"),
      /^fail .*supports up to/,
    );
    const olderSchema = await createFolder(filledFolder);
    alterDatabase(
      olderSchema,
      "delete from schema_migrations where number = (select max(number) from schema_migrations)",
    );
    assert.match(
      (await report(["--data", olderSchema, "--port", "0"])).told("schema"),
      /^warn .*the next start migrates it/,
    );
  });

  it("reports figures that differ from a recount", async () => {
    const data = await createFolder(filledFolder);
    alterDatabase(
      data,
      "insert into audit (id, at, kind, actor_kind) values ('x', '2026-01-01T00:00:00.000Z', 'no.kind', 'system')",
    );
    const { code, told: messages } = await report(["--data", data, "--port", "0"]);
    assert.deepEqual(
      [code, messages("integrity")],
      [2, "fail 1 audit entries have an unknown kind"],
    );
  });

  it("fails while transactional email has an open incident, and warns about other incidents", async () => {
    const data = await createFolder(filledFolder);
    const incident = (id: string, scope: string, resolved: string) =>
      alterDatabase(
        data,
        `insert into mail_incidents (id, scope, opened, cause, resolved)
          values ('${id}', '${scope}', '${AT}', 'many_failures', ${resolved})`,
      );
    incident("incident-1", "transactional", `'${AT}'`);
    assert.equal((await report(["--data", data, "--port", "0"])).of("mail incident"), undefined);
    incident("incident-2", "transactional", "null");
    const { told: messages, code } = await report(["--data", data, "--port", "0"]);
    assert.equal(code, 2);
    assert.match(messages("mail incident"), /^fail account email, .* is not being sent since /);
    alterDatabase(data, "delete from mail_incidents");
    incident("incident-3", "*", "null");
    const { of } = await report(["--data", data, "--port", "0"]);
    assert.equal(of("mail incident")?.level, "warn");
    assert.match(of("mail incident")?.advice ?? "", /bout admin mail resolve '\*'/);
  });

  it("warns about accounts whose stored email differs in spelling from their sign-in email", async () => {
    const data = await createFolder(filledFolder);
    const user = (id: string, email: string) =>
      alterDatabase(
        data,
        `insert into identity_users (id, email, email_confirmed_at, user_data, created_at, updated_at)
          values ('${id}', '${email}', '${AT}', '{}', '${AT}', '${AT}')`,
      );
    user("user-1", "u@example.com");
    assert.equal((await report(["--data", data, "--port", "0"])).of("emails"), undefined);
    user("user-2", "u@ｅxample.com");
    const { told: messages, of } = await report(["--data", data, "--port", "0"]);
    assert.match(messages("emails"), /^warn user-2 can't sign in by email: /);
    assert.match(of("emails")?.advice ?? "", /bout admin accounts delete/);
  });

  const AT = "2026-01-01T00:00:00.000Z";

  function alterDatabase(data: string, sql: string): void {
    const database = new DatabaseSync(join(data, "bout.db"));
    database.exec(sql);
    database.close();
  }
});

describe("bout doctor on mail and accounts", () => {
  const url = (port: number, login = "") => `smtp://${login}127.0.0.1:${port}`;

  it("signs in to the mail server without sending anything", async () => {
    const data = await createFolder();
    const server = await openSmtpServer();
    const { told: messages, findings } = await report(["--data", data, "--port", "0"], {
      BOUT_SMTP: url(server.port, "ada:secret-word@"),
    });
    assert.match(messages("mail"), /^ok .*sign-in works; no email was sent/);
    assert.deepEqual([server.receivedMessages, server.loginNames], [[], ["ada"]]);
    assert.doesNotMatch(JSON.stringify(findings), /secret-word/);
    await server.close();
  });

  it("explains why a mail server rejects email, based on its error code", async () => {
    const data = await createFolder();
    const server = await openSmtpServer({ step: "login", code: 535, text: "no ada@example.org" });
    const refusedLogin = await report(["--data", data, "--port", "0"], {
      BOUT_SMTP: url(server.port, "ada:secret-word@"),
    });
    assert.deepEqual(
      [refusedLogin.code, refusedLogin.told("mail")],
      [2, `fail 127.0.0.1:${server.port} doesn't accept email from this server (EAUTH, 535)`],
    );
    assert.doesNotMatch(JSON.stringify(refusedLogin.findings), /secret-word|ada@/);
    await server.close();
    const unreachable = await openScriptedServer(null);
    await unreachable.close();
    const missingServer = await report(["--data", data, "--port", "0"], {
      BOUT_SMTP: url(unreachable.port),
    });
    assert.match(missingServer.told("mail"), /^fail .*\(ESOCKET\)/);
  });

  it("warns if emails go to the outbox, and if a proxy isn't trusted", async () => {
    const data = await createFolder();
    const { code, told: messages } = await report([
      "--data",
      data,
      "--port",
      "0",
      "--base-url",
      "https://bout.example",
    ]);
    assert.equal(code, 1);
    assert.match(messages("mail"), /^warn .*outbox\.jsonl/);
    assert.match(messages("proxy"), /^warn /);
  });

  it("reports keys that are damaged, old, or readable by other users", async () => {
    const openedAt = await createFolder(async (folder) => {
      await openSecrets(join(folder, "secrets.json"), () => new Date());
      chmodSync(join(folder, "secrets.json"), 0o644);
    });
    assert.match(
      (await report(["--data", openedAt, "--port", "0"])).told("keys"),
      /^fail other users can read/,
    );
    const brokenFolder = await createFolder((folder) =>
      writeFileSync(join(folder, "secrets.json"), "{"),
    );
    assert.match(
      (await report(["--data", brokenFolder, "--port", "0"])).told("keys"),
      /^fail .*holds no secrets/,
    );
    const oldKey = await createFolder(async (folder) => {
      await openSecrets(join(folder, "secrets.json"), () => new Date("2020-01-01"));
    });
    assert.match((await report(["--data", oldKey, "--port", "0"])).told("keys"), /^warn 1 kept/);
  });

  it("fetches a project's keys, and compares clocks", async () => {
    const data = await createFolder();
    const keys = (keyType: string) => ({
      "/auth/v1/.well-known/jwks.json": { keys: [{ kty: keyType }] },
      "/auth/v1/settings": { mailer_autoconfirm: false },
    });
    const flags = (project: string) => [
      "--data",
      data,
      "--port",
      "0",
      "--accounts",
      project,
      "--provider-key",
      "sb_publishable_x",
    ];
    const validProject = await report(flags(await webServer(keys("EC"))));
    assert.match(validProject.told("project"), /^ok it publishes 1 keys/);
    assert.match(validProject.told("clock of the project"), /^ok /);
    const lateClock = new Date(Date.now() - 3_600_000);
    const invalidProject = await report(flags(await webServer(keys("oct"), lateClock)));
    assert.match(invalidProject.told("project"), /^fail .*publishes no usable keys/);
    assert.match(
      invalidProject.told("clock of the project"),
      /^fail its clock is 36\d\d\.\d s behind ours/,
    );
    const missingServer = await report(flags("http://127.0.0.1:9"));
    assert.match(missingServer.told("project"), /^fail it doesn't answer/);
  });
});

describe("bout doctor on PostgreSQL", () => {
  it("reports an unreachable database", async () => {
    const data = await createFolder();
    const BOUT_DATABASE = "postgres://ada:secret-word@127.0.0.1:9/bout";
    const {
      code,
      told: messages,
      findings,
    } = await report(["--data", data, "--port", "0"], {
      BOUT_DATABASE,
    });
    assert.equal(code, 2);
    assert.match(messages("database"), /^fail can't be reached \(ECONNREFUSED\)/);
    assert.doesNotMatch(JSON.stringify(findings), /secret-word/);
  });

  it("checks a database before and after the first start", REAL_POSTGRES_TEST_OPTIONS, async () => {
    const postgres = REAL_POSTGRES_URL ?? "";
    await clearRealPostgres();
    const data = await createFolder();
    const flags = ["--data", data, "--port", "0", "--database", postgres];
    assert.match((await report(flags)).told("schema"), /^ok no schema yet/);
    await (await openStore({ postgres })).close();
    const { told: messages } = await report(flags);
    assert.match(messages("database"), /^ok connected in \d+ ms; no server is running/);
    assert.match(messages("clock of the database"), /^ok /);
    assert.match(messages("integrity"), /^ok /);
  });
});

it("clocks are compared to within the precision of the other clock", () => {
  const level = (theirTime: number, precisionMs = 0) =>
    skewFinding("clock", theirTime, 1_000_000, precisionMs).level;
  assert.deepEqual(
    [level(1_000_000), level(994_000), level(994_000, 1000), level(1_061_000)],
    ["ok", "warn", "ok", "fail"],
  );
});
