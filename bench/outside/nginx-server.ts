// nginx with the example configuration of this project in front of `bout serve`, both on ports of
// loopback that are free. Only addresses, ports and paths of the example are replaced.

import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";

import { freePort } from "#testing/harness/free-port.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";
import type { LadderProcess } from "#testing/harness/test-server.ts";

const run = promisify(execFile);
const EXAMPLE = join(import.meta.dirname, "..", "..", "deploy", "nginx.conf");
const LOOK_EVERY_MS = 50;
const LOOKS = 100;

export const OPERATOR = "operator@example.org";

/** What the server is told as the example says, and what makes its games short. */
const FLAGS = `--host 127.0.0.1 --trust-proxy 127.0.0.1 --rate-limits on --accounts embedded
  --anonymous --autoconfirm --admin-email ${OPERATOR} --house kiter,brawler --match-interval 0.1
  --tick-seconds 0.5`.split(/\s+/);

export type Front = {
  /** The address that people use: https, and nginx behind it. */
  baseUrl: string;
  port: number;
  /** The port where nginx leads people to https. */
  plainPort: number;
  ladder: LadderProcess;
  nginx: ChildProcess;
  /** What nginx has said. */
  said: string[];
  close(): Promise<void>;
};

/** The version that nginx tells, or null when there is none. */
export async function nginxVersion(): Promise<string | null> {
  try {
    return (await run("nginx", ["-v"])).stderr.trim();
  } catch {
    return null;
  }
}

/** Node trusts the certificate from here on, in this process alone. */
async function makeCertificate(folder: string): Promise<{ key: string; chain: string }> {
  const [key, chain] = [join(folder, "key.pem"), join(folder, "chain.pem")];
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"];
  const named = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  await run("openssl", [...request, ...named, "-keyout", key, "-out", chain]);
  setDefaultCACertificates([...getCACertificates(), await readFile(chain, "utf8")]);
  return { key, chain };
}

type Ports = { inner: number; secure: number; plain: number };

async function writeConfiguration(
  folder: string,
  { inner, secure, plain }: Ports,
): Promise<string> {
  const { key, chain } = await makeCertificate(folder);
  const example = await readFile(EXAMPLE, "utf8");
  const text = example
    .replaceAll(/(ssl_certificate_key +)\S+;/g, `$1${key};`)
    .replaceAll(/(ssl_certificate +)\S+;/g, `$1${chain};`)
    .replaceAll(/^ *listen \[::\].*\n/gm, "")
    .replace("listen 80;", `listen 127.0.0.1:${plain};`)
    .replace("listen 443 ", `listen 127.0.0.1:${secure} `)
    .replaceAll("bout.example", "localhost")
    .replace("127.0.0.1:7777;", `127.0.0.1:${inner};`);
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const temporary = paths.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
  const file = join(folder, "nginx.conf");
  await mkdir(join(folder, "logs"));
  await writeFile(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr warn;
events {}
http { access_log off; ${temporary}
${text}}
`,
  );
  return file;
}

/** Starts both; `close` ends them by their ids. */
export async function openFront(folder: string): Promise<Front> {
  const [inner, secure, plain] = [await freePort(), await freePort(), await freePort()];
  const file = await writeConfiguration(folder, { inner, secure, plain });
  const baseUrl = `https://localhost:${secure}`;
  const own = ["--port", String(inner), "--base-url", baseUrl];
  const ladder = await spawnLadder(join(folder, "data"), [...FLAGS, ...own]);
  const nginx = spawn("nginx", ["-p", folder, "-c", file], { stdio: ["ignore", "ignore", "pipe"] });
  const said: string[] = [];
  nginx.stderr.setEncoding("utf8").on("data", (text: string) => said.push(text));
  const close = async () => {
    for (const child of [nginx, ladder.child])
      if (child.exitCode === null && child.kill("SIGTERM")) await once(child, "exit");
  };
  const front = { baseUrl, port: secure, plainPort: plain, ladder, nginx, said, close };
  await untilAnswered(front).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return front;
}

async function untilAnswered({ baseUrl, nginx, said }: Front): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    if (nginx.exitCode !== null) throw new Error(`nginx ended: ${said.join("")}`);
    const answer = await fetch(`${baseUrl}/healthz`).catch(() => null);
    if (answer?.ok === true) return;
    await pause(LOOK_EVERY_MS);
  }
  throw new Error(`nothing answers at ${baseUrl}: ${said.join("")}`);
}
