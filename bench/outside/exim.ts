// Debian's Exim for a bench: on a loopback port, with a folder of its own for everything, delivering
// into files. It listens to nobody else and passes nothing on.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { freePort } from "#testing/harness/free-port.ts";

const PROGRAM = "/usr/sbin/exim4";
/** The account that Debian's package makes for it. */
const USER = "Debian-exim";
const START_TRIES = 50;
const LOOK_MS = 100;

/** Why it cannot be started here; null if it can. */
export function eximProblem(): string | null {
  if (!existsSync(PROGRAM))
    return "there is no mail server here: apt-get install --no-install-recommends exim4-daemon-light";
  return process.getuid?.() === 0 ? null : "Exim takes a configuration from root alone: use sudo";
}

export type Exim = {
  port: number;
  /** What was delivered up to now, as it lies in the mailbox. */
  delivered(): Promise<string[]>;
  /** Ends at once, and listens again on the same port at the next start. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
};

export async function openExim(): Promise<Exim> {
  const folder = await mkdtemp(join(tmpdir(), "bout-exim-"));
  // Its own account delivers.
  await chmod(folder, 0o777);
  for (const name of ["spool", "log", "mail"]) {
    await mkdir(join(folder, name));
    await chmod(join(folder, name), 0o777);
  }
  const port = await freePort();
  const configuration = join(folder, "exim.conf");
  await writeFile(configuration, textOf(folder, port), { mode: 0o644 });
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    child = spawn(PROGRAM, ["-C", configuration, "-bdf"], { stdio: "ignore" });
    for (let tries = 0; !(await greets(port)); tries += 1) {
      if (tries === START_TRIES || child.exitCode !== null) throw new Error("Exim does not start");
      await pause(LOOK_MS);
    }
  }

  async function kill(): Promise<void> {
    if (child === null || child.exitCode !== null) return;
    const closed = once(child, "close");
    child.kill("SIGKILL");
    await closed;
    child = null;
  }

  await start();
  const inbox = join(folder, "mail", "new");
  return {
    port,
    delivered: async () => {
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

function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("data", () => {
      socket.end("QUIT\r\n");
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

const textOf = (folder: string, port: number): string => `
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
  user = ${USER}
`;
