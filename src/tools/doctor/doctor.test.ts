// What the doctor says of healthy and of broken servers, with the flags of the server.
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

import { openSecrets } from "#outside/identity/secrets.ts";
import { openStore } from "#server/composition/open-store.ts";
import { openMailServer, openOddServer } from "#testing/fixtures/mail-server.ts";
import { BotClient, register } from "#testing/harness/bot-client.ts";
import { runBout, temporaryFolder } from "#testing/harness/bout-process.ts";
import { freePort } from "#testing/harness/free-port.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";
import {
  clearRealPostgres,
  REAL_POSTGRES,
  WITH_REAL_POSTGRES,
} from "#testing/store-cases/real-postgres.ts";

import type { Diagnosis, Level } from "./diagnosis.ts";
import { skewFinding } from "./machine.ts";

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

const folderWith = async (fill: (data: string) => void | Promise<void> = () => {}) => {
  const data = join(temporaryFolder(), "data");
  mkdirSync(data, { mode: 0o700 });
  await fill(data);
  return data;
};

/** An HTTP server that answers by path. */
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
  it("finds nothing wrong before the first start, and makes nothing", async () => {
    const data = join(temporaryFolder(), "data");
    const { told, findings } = await report(["--data", data, "--port", "0"]);
    assert.match(told("data folder"), /^ok .*is made at the first start/);
    assert.match(told("database"), /^ok it is made at the first start/);
    assert.match(told("keys"), /^ok they are made at the first start/);
    assert.match(told("port"), /^ok any port of 127\.0\.0\.1 is free/);
    assert.deepEqual(
      findings.filter(({ level }) => level === "fail"),
      [],
    );
    assert.equal(existsSync(data), false);
  });

  it("looks at a server that runs, without disturbing it", async () => {
    const data = await folderWith();
    const server = await spawnLadder(data, ["--accounts", "embedded"]);
    const before = readdirSync(data);
    const { told, findings } = await report(["--data", data, "--port", "0"]);
    assert.ok(
      told("server").includes(`ok process ${server.child.pid} serves it now at ${server.baseUrl}`),
    );
    assert.match(told("port"), /^ok .* answers, release /);
    assert.match(told("bot socket"), /^ok .* takes bots/);
    assert.match(told("open files"), / the server may open \d+ files/);
    assert.match(told("schema"), /^ok /);
    assert.match(told("integrity"), /^ok a recount agrees/);
    assert.match(told("disk speed"), /a sync takes [\d.]+ ms/);
    assert.match(told("keys"), /^ok 1 kept/);
    assert.deepEqual(
      findings.filter(({ level }) => level === "fail"),
      [],
    );
    assert.deepEqual(readdirSync(data), before);
    const other = await report(["--data", data, "--base-url", "http://127.0.0.1:9"]);
    assert.equal(other.code, 2);
    assert.match(other.told("base URL"), /^fail http:\/\/127\.0\.0\.1:9\/api/);
    assert.match(other.told("bot socket"), /^fail /);
    server.child.kill("SIGTERM");
    assert.equal(await server.exited, 0);
  });

  it("says why no match starts, by the metrics of the running server", async () => {
    const data = await folderWith();
    const port = String(await freePort());
    const flags = ["--metrics-port", port, "--max-concurrent", "0"];
    const server = await spawnLadder(data, flags);
    const token = await register(server.baseUrl, "alpha");
    const client = await BotClient.connect(server.baseUrl, token);
    client.queue();
    await client.next("queued");
    const { told, code } = await report(["--data", data, "--port", "0", ...flags]);
    assert.match(told("queues"), /^warn public: 1 bots wait, .*max_concurrent is 0/);
    assert.equal(code, 1);
    const without = await report(["--data", data, "--port", "0"]);
    assert.match(without.told("queues"), /^ok not looked at/);
    server.child.kill("SIGTERM");
    await server.exited;
  });

  it("prints rows with what to do, and ends by the worst of them", async () => {
    const data = await folderWith((folder) => chmodSync(folder, 0o755));
    const { code, out } = await runBout(["doctor", "--data", data, "--port", "0"]);
    assert.equal(code, 1);
    assert.match(out, /^warn {2}data folder +others may open .*\(mode 755\)\n +chmod 700 /m);
    assert.match(
      out,
      /\n\d+ ok, \d+ warn, 0 fail\nSee docs\/runbook\.md for fixes by symptom\.\n$/,
    );
  });

  it("refuses flags that the server would refuse", async () => {
    for (const flags of [["--turbo"], ["--anonymous", "--host", "0.0.0.0"]]) {
      const { code, err } = await runBout(["doctor", ...flags]);
      assert.equal(code, 2);
      assert.match(err, /^bout doctor: .* See bout doctor --help\.\n$/);
    }
  });

  it("names files of flags that are not right, and a port that another program has", async () => {
    const taken = new URL(await webServer({})).port;
    const config = join(temporaryFolder(), "config.json");
    writeFileSync(config, "{");
    const data = await folderWith();
    const { code, told } = await report(["--data", data, "--port", taken, "--config", config]);
    assert.equal(code, 2);
    assert.match(told("files"), /^fail .*config\.json/);
    assert.match(told("port"), /^fail .*EADDRINUSE/);
  });
});

describe("bout doctor on the database", () => {
  const filled = (data: string) => openStore({ data }).then((store) => store.close());

  it("finds a database that is damaged, of a newer release, or older", async () => {
    const damaged = await folderWith(filled);
    truncateSync(join(damaged, "bout.db"), 5000);
    const broken = await report(["--data", damaged, "--port", "0"]);
    assert.equal(broken.code, 2);
    assert.ok(
      broken.findings.some(
        ({ level, check }) => level === "fail" && ["database", "integrity"].includes(check),
      ),
    );
    const newer = await folderWith(filled);
    alter(
      newer,
      "update schema_migrations set number = number + 100 where number = (select max(number) from schema_migrations)",
    );
    assert.match(
      (await report(["--data", newer, "--port", "0"])).told("schema"),
      /^fail .*knows up to/,
    );
    const older = await folderWith(filled);
    alter(
      older,
      "delete from schema_migrations where number = (select max(number) from schema_migrations)",
    );
    assert.match(
      (await report(["--data", older, "--port", "0"])).told("schema"),
      /^warn .*the next start makes it/,
    );
  });

  it("finds figures that a recount does not give", async () => {
    const data = await folderWith(filled);
    alter(
      data,
      "insert into audit (id, at, kind, actor_kind) values ('x', '2026-01-01T00:00:00.000Z', 'no.kind', 'system')",
    );
    const { code, told } = await report(["--data", data, "--port", "0"]);
    assert.deepEqual([code, told("integrity")], [2, "fail 1 audit entries are of no known kind"]);
  });

  it("fails while an incident of transactional email is open, and warns of others", async () => {
    const data = await folderWith(filled);
    const incident = (id: string, scope: string, resolved: string) =>
      alter(
        data,
        `insert into mail_incidents (id, scope, opened, cause, resolved)
          values ('${id}', '${scope}', '${AT}', 'many_failures', ${resolved})`,
      );
    incident("incident-1", "transactional", `'${AT}'`);
    assert.equal((await report(["--data", data, "--port", "0"])).of("mail incident"), undefined);
    incident("incident-2", "transactional", "null");
    const { told, code } = await report(["--data", data, "--port", "0"]);
    assert.equal(code, 2);
    assert.match(told("mail incident"), /^fail emails about accounts, .* are not sent since /);
    alter(data, "delete from mail_incidents");
    incident("incident-3", "*", "null");
    const { of } = await report(["--data", data, "--port", "0"]);
    assert.equal(of("mail incident")?.level, "warn");
    assert.match(of("mail incident")?.advice ?? "", /bout admin mail resolve '\*'/);
  });

  it("warns of accounts whose email has another spelling than the one they sign in with", async () => {
    const data = await folderWith(filled);
    const user = (id: string, email: string) =>
      alter(
        data,
        `insert into identity_users (id, email, email_confirmed_at, user_data, created_at, updated_at)
          values ('${id}', '${email}', '${AT}', '{}', '${AT}', '${AT}')`,
      );
    user("user-1", "u@example.com");
    assert.equal((await report(["--data", data, "--port", "0"])).of("emails"), undefined);
    user("user-2", "u@ｅxample.com");
    const { told, of } = await report(["--data", data, "--port", "0"]);
    assert.match(told("emails"), /^warn user-2 can't sign in by email: /);
    assert.match(of("emails")?.advice ?? "", /bout admin accounts delete/);
  });

  const AT = "2026-01-01T00:00:00.000Z";

  function alter(data: string, sql: string): void {
    const database = new DatabaseSync(join(data, "bout.db"));
    database.exec(sql);
    database.close();
  }
});

describe("bout doctor on mail and accounts", () => {
  const url = (port: number, login = "") => `smtp://${login}127.0.0.1:${port}`;

  it("logs in to the mail server, and sends nothing", async () => {
    const data = await folderWith();
    const server = await openMailServer();
    const { told, findings } = await report(["--data", data, "--port", "0"], {
      BOUT_SMTP: url(server.port, "ada:secret-word@"),
    });
    assert.match(told("mail"), /^ok .*the log-in fits; nothing was sent/);
    assert.deepEqual([server.mails, server.logins], [[], ["ada"]]);
    assert.doesNotMatch(JSON.stringify(findings), /secret-word/);
    await server.close();
  });

  it("says why a mail server does not take letters, in codes alone", async () => {
    const data = await folderWith();
    const server = await openMailServer({ step: "login", code: 535, text: "no ada@example.org" });
    const refused = await report(["--data", data, "--port", "0"], {
      BOUT_SMTP: url(server.port, "ada:secret-word@"),
    });
    assert.deepEqual(
      [refused.code, refused.told("mail")],
      [2, `fail 127.0.0.1:${server.port} does not take our letters (EAUTH, 535)`],
    );
    assert.doesNotMatch(JSON.stringify(refused.findings), /secret-word|ada@/);
    await server.close();
    const gone = await openOddServer(null);
    await gone.close();
    const away = await report(["--data", data, "--port", "0"], { BOUT_SMTP: url(gone.port) });
    assert.match(away.told("mail"), /^fail .*\(ESOCKET\)/);
  });

  it("warns where letters wait for the operator, and of a proxy that nobody trusts", async () => {
    const data = await folderWith();
    const { code, told } = await report([
      "--data",
      data,
      "--port",
      "0",
      "--base-url",
      "https://bout.example",
    ]);
    assert.equal(code, 1);
    assert.match(told("mail"), /^warn .*outbox\.jsonl/);
    assert.match(told("proxy"), /^warn /);
  });

  it("finds keys that others can read, that are damaged, or old", async () => {
    const open = await folderWith(async (folder) => {
      await openSecrets(join(folder, "secrets.json"), () => new Date());
      chmodSync(join(folder, "secrets.json"), 0o644);
    });
    assert.match(
      (await report(["--data", open, "--port", "0"])).told("keys"),
      /^fail others can read/,
    );
    const broken = await folderWith((folder) => writeFileSync(join(folder, "secrets.json"), "{"));
    assert.match(
      (await report(["--data", broken, "--port", "0"])).told("keys"),
      /^fail .*holds no secrets/,
    );
    const old = await folderWith(async (folder) => {
      await openSecrets(join(folder, "secrets.json"), () => new Date("2020-01-01"));
    });
    assert.match((await report(["--data", old, "--port", "0"])).told("keys"), /^warn 1 kept/);
  });

  it("asks a project for its keys, and compares clocks", async () => {
    const data = await folderWith();
    const keys = (kty: string) => ({
      "/auth/v1/.well-known/jwks.json": { keys: [{ kty }] },
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
    const good = await report(flags(await webServer(keys("EC"))));
    assert.match(good.told("project"), /^ok it answers, and publishes 1 keys/);
    assert.match(good.told("clock of the project"), /^ok /);
    const late = new Date(Date.now() - 3_600_000);
    const bad = await report(flags(await webServer(keys("oct"), late)));
    assert.match(bad.told("project"), /^fail .*publishes no keys/);
    assert.match(bad.told("clock of the project"), /^fail its clock is 36\d\d\.\d s behind ours/);
    const away = await report(flags("http://127.0.0.1:9"));
    assert.match(away.told("project"), /^fail it does not answer/);
  });
});

describe("bout doctor on PostgreSQL", () => {
  it("says what is wrong with an address where nobody answers", async () => {
    const data = await folderWith();
    const BOUT_DATABASE = "postgres://ada:secret-word@127.0.0.1:9/bout";
    const { code, told, findings } = await report(["--data", data, "--port", "0"], {
      BOUT_DATABASE,
    });
    assert.equal(code, 2);
    assert.match(told("database"), /^fail it cannot be reached \(ECONNREFUSED\)/);
    assert.doesNotMatch(JSON.stringify(findings), /secret-word/);
  });

  it("looks at a database before and after the first start", WITH_REAL_POSTGRES, async () => {
    const postgres = REAL_POSTGRES ?? "";
    await clearRealPostgres();
    const data = await folderWith();
    const flags = ["--data", data, "--port", "0", "--database", postgres];
    assert.match((await report(flags)).told("schema"), /^ok none yet/);
    await (await openStore({ postgres })).close();
    const { told } = await report(flags);
    assert.match(told("database"), /^ok it took \d+ ms to connect; nobody serves it now/);
    assert.match(told("clock of the database"), /^ok /);
    assert.match(told("integrity"), /^ok /);
  });
});

it("clocks are compared to within what is known of them", () => {
  const level = (theirs: number, grain = 0) => skewFinding("clock", theirs, 1_000_000, grain).level;
  assert.deepEqual(
    [level(1_000_000), level(994_000), level(994_000, 1000), level(1_061_000)],
    ["ok", "warn", "ok", "fail"],
  );
});
