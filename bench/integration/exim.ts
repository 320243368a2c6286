// Runs Debian's Exim for a bench, on a loopback port with its own folder. Exim delivers to files,
// accepts only loopback connections and relays nothing.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { findFreePort } from "#testing/harness/free-port.ts";

const EXIM_PROGRAM = "/usr/sbin/exim4";
const EXIM_USER = "Debian-exim";
const MAX_START_ATTEMPTS = 50;
const POLL_INTERVAL_MS = 100;

/** Returns why Exim can't be started on this machine, or null if it can. */
export function eximProblem(): string | null {
  if (!existsSync(EXIM_PROGRAM))
    return "no mail server found: apt-get install --no-install-recommends exim4-daemon-light";
  return process.getuid?.() === 0 ? null : "Exim accepts a configuration from root only: use sudo";
}

export type Exim = {
  port: number;
  readDelivered(): Promise<string[]>;
  /** Stops Exim immediately. When started again, Exim listens on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
};

export async function openExim(): Promise<Exim> {
  const folder = await mkdtemp(join(tmpdir(), "bout-exim-"));
  // Exim delivers as its own system account, which must be able to write here.
  await chmod(folder, 0o777);
  for (const name of ["spool", "log", "mail"]) {
    await mkdir(join(folder, name));
    await chmod(join(folder, name), 0o777);
  }
  const port = await findFreePort();
  const configuration = join(folder, "exim.conf");
  await writeFile(configuration, configurationText(folder, port), { mode: 0o644 });
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    child = spawn(EXIM_PROGRAM, ["-C", configuration, "-bdf"], { stdio: "ignore" });
    for (let attempts = 0; !(await sendsGreeting(port)); attempts += 1) {
      if (attempts === MAX_START_ATTEMPTS || child.exitCode !== null)
        throw new Error("Exim did not start");
      await pause(POLL_INTERVAL_MS);
    }
  }

  async function kill(): Promise<void> {
    if (child === null || child.exitCode !== null) return;
    const exit = once(child, "close");
    child.kill("SIGKILL");
    await exit;
    child = null;
  }

  await start();
  const inbox = join(folder, "mail", "new");
  return {
    port,
    readDelivered: async () => {
      const names = existsSync(inbox) ? await readdir(inbox) : [];
      return Promise.all(names.map((name) => readFile(join(inbox, name), "utf8")));
    },
    kill,
    start,
    close: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function sendsGreeting(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("data", () => {
      socket.end("QUIT\r\n");
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

const configurationText = (folder: string, port: number): string => `
spool_directory = ${folder}/spool
log_file_path = ${folder}/log/%slog
pid_file_path = ${folder}/pid
daemon_smtp_ports = ${port}
local_interfaces = 127.0.0.1
primary_hostname = mail.example
message_size_limit = 64K
tls_advertise_hosts =
keep_environment =
smtp_accept_max = 20
acl_smtp_mail = sender
acl_smtp_rcpt = recipient
acl_smtp_data = content
begin acl
sender:
  deny sender_domains = refused.example
       message = not from here
  accept
recipient:
  deny local_parts = refused
       message = no such mailbox
  defer local_parts = later
        message = not now
  accept
content:
  deny condition = \${if match{$message_body}{not taken}}
       message = not this
  accept
begin routers
all:
  driver = accept
  transport = folder
begin transports
folder:
  driver = appendfile
  directory = ${folder}/mail
  maildir_format
  create_directory
  user = ${EXIM_USER}
`;
