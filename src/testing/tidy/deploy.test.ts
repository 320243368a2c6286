import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { promisify } from "node:util";
import { Script } from "node:vm";

import { parse } from "yaml";

import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { readServeOptions, serveHelp } from "#server/configuration/flags.ts";
import {
  parseInstructions,
  isInBuildContext,
  parseVariables,
} from "#testing/fixtures/dockerfile.ts";
import { unavailableReason } from "#testing/fixtures/find-python.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";

import { ROOT } from "./sources.ts";

const run = promisify(execFile);
const readDeployFile = (name: string) => readFileSync(join(ROOT, "deploy", name), "utf8");

/** Variables that correspond to no flag. Each is documented by Bout or by Node. */
const OTHER_VARIABLES = ["BOUT_COMMIT", "MALLOC_ARENA_MAX", "NODE_COMPILE_CACHE"];
const FLAGS = [...serveHelp().matchAll(/^ +--([\w-]+)/gm)].map(([, name = ""]) => name);
const isKnownVariable = (name: string) =>
  OTHER_VARIABLES.includes(name) ||
  FLAGS.includes(name.replace("BOUT_", "").toLowerCase().replaceAll("_", "-"));

/** Throws unless a server would start with these variables. */
function assertStarts(variables: Record<string, string>): void {
  for (const name of Object.keys(variables)) assert.ok(isKnownVariable(name), name);
  const options = readServeOptions([], variables);
  assert.ok(!("error" in options), JSON.stringify(options));
}

describe("the Dockerfile", () => {
  const instructions = parseInstructions(readDeployFile("Dockerfile"));
  const of = (word: string, buildStage = 1) =>
    instructions.filter((entry) => entry.keyword === word && entry.stage === buildStage);
  const knownVariables =
    "FROM WORKDIR COPY RUN ARG ENV USER VOLUME EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD";

  it("has valid instructions in two stages", () => {
    for (const { keyword } of instructions)
      assert.ok(knownVariables.split(" ").includes(keyword), keyword);
    assert.deepEqual(
      of("FROM", 0)
        .concat(of("FROM"))
        .map(({ args }) => args),
      ["node:24.21.0-bookworm-slim AS build", "debian:bookworm-20260623-slim"],
    );
  });

  it("copies files that exist and aren't ignored, including everything the package needs", () => {
    const ignored = readDeployFile("Dockerfile.dockerignore").split("\n");
    const sources = of("COPY", 0).flatMap(({ args }) => args.split(" ").slice(0, -1));
    for (const source of sources) {
      assert.ok(existsSync(join(ROOT, source)), source);
      assert.ok(isInBuildContext(source, ignored), `${source} is ignored`);
    }
    for (const path of ["node_modules", ".git", "bench", "src/base/util/calendar-days.test.ts"])
      assert.ok(!isInBuildContext(path, ignored), `${path} is sent to the build`);
    for (const folder of ["bin", "docs", "python", "scripts", "src"])
      assert.ok(sources.includes(folder), folder);
  });

  it("runs as a non-root user, with existing files and variables", () => {
    assert.deepEqual(
      of("USER").map(({ args }) => args),
      ["bout"],
    );
    assert.ok(
      instructions.findIndex(({ keyword }) => keyword === "USER") <
        instructions.findIndex(({ keyword }) => keyword === "ENTRYPOINT"),
    );
    const entry = JSON.parse(of("ENTRYPOINT")[0]!.args) as string[];
    assert.equal(entry[0], "/opt/bout/node_modules/.bin/node");
    for (const path of [entry[0]!.replace("/opt/bout/", ""), entry.at(-1)!])
      assert.ok(existsSync(join(ROOT, path)), path);
    assert.deepEqual(JSON.parse(of("CMD")[0]!.args), ["serve"]);
    const variables = parseVariables(of("ENV")[0]!.args, { BOUT_COMMIT: "0123abc" });
    assertStarts(variables);
    assert.deepEqual(
      of("VOLUME").map(({ args }) => args),
      [variables["BOUT_DATA"]],
    );
    assert.deepEqual(
      of("EXPOSE").map(({ args }) => args),
      [variables["BOUT_PORT"]],
    );
  });

  it("checks the server's health on the server's port", () => {
    const [, call = ""] = /CMD (\[.*\])$/.exec(of("HEALTHCHECK")[0]!.args) ?? [];
    const [program, flag, script = ""] = JSON.parse(call) as string[];
    assert.deepEqual([program, flag], ["/opt/bout/node_modules/.bin/node", "-e"]);
    assert.match(script, /process\.env\.BOUT_PORT \+ '\/healthz'/);
    assert.doesNotThrow(() => new Script(script));
  });
});

type Service = {
  image?: string;
  build?: { context: string; dockerfile: string };
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  tmpfs?: string[];
  read_only?: boolean;
  stop_grace_period?: string;
};
type Compose = { services: Record<string, Service>; volumes: Record<string, null> };

describe("the compose file", () => {
  const { services, volumes } = parse(readDeployFile("compose.yaml")) as Compose;
  const filledText = (text: string) =>
    text
      .replaceAll(/\$\{\w+:-([^}]*)\}/g, "$1")
      .replaceAll(/\$\{\w+_EMAIL:\?[^}]*\}/g, "ada@example.org")
      .replaceAll(/\$\{\w+:\?[^}]*\}/g, "word");

  it("builds the image and starts the server with known variables", () => {
    const { build, environment = {}, read_only: isReadOnly } = services["ladder"]!;
    assert.ok(existsSync(join(ROOT, "deploy", build!.context, build!.dockerfile)));
    const values = Object.entries(environment).map(([name, value]) => [name, filledText(value)]);
    assertStarts(Object.fromEntries(values) as Record<string, string>);
    assert.equal(isReadOnly, true);
    assert.deepEqual(services["ladder"]!.volumes, ["ladder:/var/lib/bout"]);
  });

  it("has consistent services, volumes and passwords, and is bound to localhost", () => {
    const { ladder, database } = services;
    for (const name of Object.keys(ladder!.depends_on ?? {})) assert.ok(services[name], name);
    const url = new URL(filledText(ladder!.environment!["BOUT_DATABASE"]!));
    const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD } = database!.environment!;
    assert.deepEqual(
      [url.username, url.pathname, url.password, url.hostname],
      [POSTGRES_USER, `/${POSTGRES_DB}`, filledText(POSTGRES_PASSWORD!), "database"],
    );
    for (const { volumes: mounts = [], ports = [] } of Object.values(services)) {
      for (const mount of mounts) assert.ok(Object.hasOwn(volumes, mount.split(":")[0]!), mount);
      for (const port of ports) assert.match(port, /^127\.0\.0\.1:/);
    }
  });

  it("waits for healthy services, and gives a read-only server a place for temporary files", () => {
    const { ladder, database } = services;
    assert.deepEqual(Object.keys(services), ["ladder", "database", "mail"]);
    assert.deepEqual(Object.keys(volumes), ["ladder", "database"]);
    assert.deepEqual(database!.healthcheck!.test.slice(0, 2), ["CMD", "pg_isready"]);
    for (const [name, { condition }] of Object.entries(ladder!.depends_on!)) {
      const isChecked = services[name]!.healthcheck !== undefined;
      assert.equal(condition, isChecked ? "service_healthy" : "service_started", name);
    }
    assert.deepEqual(ladder!.tmpfs, ["/tmp"]);
  });

  it("gives matches time to finish", () => {
    const seconds = Number.parseInt(services["ladder"]!.stop_grace_period!, 10);
    assert.ok(seconds > drainSeconds());
  });
});

function drainSeconds(): number {
  const options = readServeOptions([], {});
  return "error" in options ? assert.fail(options.error) : options["drain-timeout"];
}

describe("the systemd unit", async () => {
  const unit = readDeployFile("bout.service");
  const skipReason = await unavailableReason("systemd-analyze", ["--version"]);
  const valuesOf = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);

  it("starts the server with known variables and gives matches time to finish", () => {
    const pairs = valuesOf("Environment").map((pair) => pair.split("=") as [string, string]);
    assertStarts(Object.fromEntries(pairs));
    const [start = ""] = valuesOf("ExecStart");
    assert.match(
      start,
      /^\/opt\/bout\/node_modules\/\.bin\/node --max-old-space-size=1024 bin\/bout\.ts serve$/,
    );
    assert.ok(Number(valuesOf("TimeoutStopSec")[0]) > drainSeconds());
    assert.deepEqual(valuesOf("NoNewPrivileges"), ["yes"]);
  });

  it("is accepted by systemd", { skip: skipReason }, async () => {
    const folder = temporaryTestFolder();
    const program = process.execPath;
    const path = join(folder, "bout.service");
    writeFileSync(path, unit.replace("/opt/bout/node_modules/.bin/node", program));
    const { stderr } = await run("systemd-analyze", ["verify", "--man=no", path]);
    const ownLines = stderr.split("\n").filter((line) => line.includes("bout.service"));
    assert.deepEqual(ownLines, []);
  });
});

describe("the systemd units for backups", async () => {
  const skipReason = await unavailableReason("systemd-analyze", ["--version"]);
  const service = readDeployFile("bout-backup.service");

  it("run bout backup into a folder named after the current time", async () => {
    const [, line = ""] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(service) ?? [];
    assert.match(line, /^exec \/opt\/bout\/node_modules\/\.bin\/node bin\/bout\.ts backup /);
    // systemd unescapes doubled signs. echo prints the arguments that node would receive.
    const script = line
      .replaceAll("$$", "$")
      .replaceAll("%%", "%")
      .replace(/\S+\/node /, "echo ");
    const { stdout } = await run("sh", ["-c", script]);
    const folder = /^bin\/bout\.ts backup \/var\/lib\/bout-backups\/\d{4}-\d\d-\d\dT\d{6}Z\n$/;
    assert.match(stdout, folder);
    assert.match(service, /^StateDirectory=bout bout-backups$/m);
    assert.match(service, /^ExecStartPost=\/usr\/bin\/find \/var\/lib\/bout-backups /m);
  });

  it("are accepted by systemd", { skip: skipReason }, async () => {
    const folder = temporaryTestFolder();
    const paths = ["bout-backup.service", "bout-backup.timer"].map((name) => {
      writeFileSync(join(folder, name), readDeployFile(name));
      return join(folder, name);
    });
    const { stderr } = await run("systemd-analyze", ["verify", "--man=no", ...paths]);
    assert.deepEqual(
      stderr.split("\n").filter((text) => text.includes("bout-backup")),
      [],
    );
  });
});

const KIB = 1024;

describe("the reverse proxies", async () => {
  const nginx = readDeployFile("nginx.conf");
  const caddy = readDeployFile("Caddyfile");
  const noNginx = await unavailableReason("nginx", ["-v"]);
  const noCaddy = await unavailableReason("caddy", ["version"]);
  const folder = temporaryTestFolder();
  before(() => mkdirSync(join(folder, "logs")));

  it("forward to the server's port, accept the largest body that the server accepts, and pass known flags", () => {
    const options = readServeOptions(
      ["--base-url", "https://bout.example", "--trust-proxy", "127.0.0.1"],
      {},
    );
    assert.ok(!("error" in options), "flags");
    for (const text of [nginx, caddy]) {
      assert.match(text, /--base-url https:\/\/bout\.example --trust-proxy 127\.0\.0\.1/);
      assert.ok(text.includes(`127.0.0.1:${options.port}`));
    }
    const units = { KiB: KIB, MiB: KIB * KIB };
    const limits = [...caddy.matchAll(/request_body @(\w+) \{\s+max_size (\d+)(KiB|MiB)\n/g)].map(
      ([, matcher, count, unit]) => [matcher, Number(count) * units[unit as keyof typeof units]],
    );
    assert.deepEqual(limits, [
      ["image", FIXED_LIMITS.image_bytes],
      ["other", FIXED_LIMITS.json_body_bytes],
    ]);
    const sizes = [...nginx.matchAll(/client_max_body_size (\d+)([km]);/g)];
    const bytes = sizes.map(([, count, unit]) => Number(count) * (unit === "k" ? KIB : KIB * KIB));
    assert.deepEqual(bytes, [FIXED_LIMITS.json_body_bytes, FIXED_LIMITS.image_bytes]);
  });

  it("nginx accepts its configuration", { skip: noNginx }, async () => {
    const certificate = [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "2",
      "-subj",
      "/CN=bout.example",
    ];
    const [key, chain] = [join(folder, "key.pem"), join(folder, "chain.pem")];
    await run("openssl", [...certificate, "-keyout", key, "-out", chain]);
    const text = nginx
      .replaceAll(/(ssl_certificate_key +)\S+;/g, `$1${key};`)
      .replaceAll(/(ssl_certificate +)\S+;/g, `$1${chain};`);
    const whole = join(folder, "nginx.conf");
    writeFileSync(
      whole,
      `pid ${folder}/pid; error_log stderr; events {}\nhttp {\naccess_log off;\n${text}}\n`,
    );
    await assert.doesNotReject(run("nginx", ["-t", "-p", folder, "-c", whole]));
  });

  it("Caddy accepts its configuration", { skip: noCaddy }, async () => {
    const args = ["adapt", "--adapter", "caddyfile", "--config", join(ROOT, "deploy", "Caddyfile")];
    await assert.doesNotReject(run("caddy", args));
  });
});
