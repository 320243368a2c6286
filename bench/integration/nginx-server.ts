// Runs nginx with the project's example configuration in front of `bout serve`, both on free
// loopback ports. Only addresses, ports and paths differ from the example.

import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";

import { findFreePort } from "#testing/harness/free-port.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";
import type { LadderProcess } from "#testing/harness/test-server.ts";

const execCommand = promisify(execFile);
const EXAMPLE_CONFIGURATION = join(import.meta.dirname, "..", "..", "deploy", "nginx.conf");
const POLL_INTERVAL_MS = 50;
const MAX_ATTEMPTS = 100;

export const OPERATOR_EMAIL = "operator@example.org";

const FLAGS = `--host 127.0.0.1 --trust-proxy 127.0.0.1 --rate-limits on --accounts embedded
  --anonymous --autoconfirm --admin-email ${OPERATOR_EMAIL} --house kiter,brawler
  --match-interval 0.1 --tick-seconds 0.5`.split(/\s+/);

export type NginxFront = {
  baseUrl: string;
  port: number;
  plainPort: number;
  ladder: LadderProcess;
  nginx: ChildProcess;
  stderrChunks: string[];
  close(): Promise<void>;
};

export async function nginxVersion(): Promise<string | null> {
  try {
    return (await execCommand("nginx", ["-v"])).stderr.trim();
  } catch {
    return null;
  }
}

/** Makes Node trust the certificate for the lifetime of this process. */
async function makeCertificate(folder: string): Promise<{ key: string; chain: string }> {
  const [key, chain] = [join(folder, "key.pem"), join(folder, "chain.pem")];
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"];
  const subjectArgs = [
    "-subj",
    "/CN=localhost",
    "-addext",
    "subjectAltName=DNS:localhost,IP:127.0.0.1",
  ];
  await execCommand("openssl", [...request, ...subjectArgs, "-keyout", key, "-out", chain]);
  setDefaultCACertificates([...getCACertificates(), await readFile(chain, "utf8")]);
  return { key, chain };
}

type Ports = { innerPort: number; securePort: number; plainHttpPort: number };

async function writeConfiguration(
  folder: string,
  { innerPort, securePort, plainHttpPort }: Ports,
): Promise<string> {
  const { key, chain } = await makeCertificate(folder);
  const example = await readFile(EXAMPLE_CONFIGURATION, "utf8");
  const text = example
    .replaceAll(/(ssl_certificate_key +)\S+;/g, `$1${key};`)
    .replaceAll(/(ssl_certificate +)\S+;/g, `$1${chain};`)
    .replaceAll(/^ *listen \[::\].*\n/gm, "")
    .replace("listen 80;", `listen 127.0.0.1:${plainHttpPort};`)
    .replace("listen 443 ", `listen 127.0.0.1:${securePort} `)
    .replaceAll("bout.example", "localhost")
    .replace("127.0.0.1:7777;", `127.0.0.1:${innerPort};`);
  const tempPathNames = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const tempPathLines = tempPathNames
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(" ");
  const file = join(folder, "nginx.conf");
  await mkdir(join(folder, "logs"));
  await writeFile(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr warn;
events {}
http { access_log off; ${tempPathLines}
${text}}
`,
  );
  return file;
}

/** Starts nginx and the ladder. `close` stops both by process ID. */
export async function openNginxFront(folder: string): Promise<NginxFront> {
  const [innerPort, securePort, plainHttpPort] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  const file = await writeConfiguration(folder, { innerPort, securePort, plainHttpPort });
  const baseUrl = `https://localhost:${securePort}`;
  const addressFlags = ["--port", String(innerPort), "--base-url", baseUrl];
  const ladder = await spawnLadder(join(folder, "data"), [...FLAGS, ...addressFlags]);
  const nginx = spawn("nginx", ["-p", folder, "-c", file], { stdio: ["ignore", "ignore", "pipe"] });
  const stderrChunks: string[] = [];
  nginx.stderr.setEncoding("utf8").on("data", (text: string) => stderrChunks.push(text));
  const close = async () => {
    for (const child of [nginx, ladder.child])
      if (child.exitCode === null && child.kill("SIGTERM")) await once(child, "exit");
  };
  const nginxFront = {
    baseUrl,
    port: securePort,
    plainPort: plainHttpPort,
    ladder,
    nginx,
    stderrChunks,
    close,
  };
  await waitUntilAnswered(nginxFront).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return nginxFront;
}

async function waitUntilAnswered({ baseUrl, nginx, stderrChunks }: NginxFront): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (nginx.exitCode !== null) throw new Error(`nginx exited: ${stderrChunks.join("")}`);
    const response = await fetch(`${baseUrl}/healthz`).catch(() => null);
    if (response?.ok === true) return;
    await pause(POLL_INTERVAL_MS);
  }
  throw new Error(`no response at ${baseUrl}: ${stderrChunks.join("")}`);
}
