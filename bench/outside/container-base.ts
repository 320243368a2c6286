// A bare Debian in place of the images that a Dockerfile begins with: see container.ts.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { promisify } from "node:util";

export const run = promisify(execFile);
const PROJECT = join(import.meta.dirname, "..", "..");
const RELEASE = "bookworm";

const TOOLS = {
  mmdebstrap: "on Debian: apt-get install mmdebstrap",
  unshare: "on Debian: apt-get install util-linux",
};

/** What has to be installed first, as a sentence; null when all is there. */
export async function missingTools(): Promise<string | null> {
  if (process.getuid?.() !== 0) return "only root may make a Debian: run it as root";
  for (const [name, how] of Object.entries(TOOLS))
    if ((await run(name, ["--version"]).catch(() => null)) === null)
      return `there is no ${name}: install it, ${how}`;
  return null;
}

/** Runs a program whose output people see, and rejects unless it ends with 0. */
export async function perform(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const child = spawn(program, [...args], { stdio: ["ignore", "inherit", "inherit"], env });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${args.join(" ")}`);
}

/** How apt reaches Debian is the machine's own business, and the same inside. */
export async function makeBase(file: string): Promise<void> {
  const { stdout } = await run("apt-config", ["dump", "--format", '%f "%v";%n', "Acquire"]);
  const lines = stdout.split("\n").filter((line) => /^Acquire::https?::.* "[^"]/i.test(line));
  const options = `${file}.apt`;
  await writeFile(options, lines.join("\n"));
  const flags = ["--quiet", "--variant=minbase", `--aptopt=${options}`];
  await perform("mmdebstrap", [...flags, RELEASE, file]);
  await rm(options);
}

export async function unpack(base: string, root: string): Promise<void> {
  await mkdir(root);
  await run("tar", ["--extract", "--numeric-owner", "--file", base, "--directory", root]);
  for (const name of ["resolv.conf", "hosts"])
    await cp(join("/etc", name), join(root, "etc", name), { dereference: true });
}

/** In place of an image of Node: the Node and npm of this machine, but not those of the project. */
export async function addNode(root: string): Promise<void> {
  const own = PROJECT + sep;
  const folders = (process.env["PATH"] ?? "")
    .split(":")
    .filter((one) => !`${one}/`.startsWith(own));
  const [program = ""] = await found(folders, "node");
  const [npm = ""] = await found(folders, "npm");
  if (program === "" || npm === "") throw new Error("this machine has no node and npm of its own");
  const local = join(root, "usr", "local");
  await cp(program, join(local, "bin", "node"));
  await cp(dirname(dirname(npm)), join(local, "lib", "node_modules", "npm"), { recursive: true });
  await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(local, "bin", "npm"));
}

async function found(folders: readonly string[], name: string): Promise<string[]> {
  const paths = folders.map((folder) => realpath(join(folder, name)).catch(() => null));
  return (await Promise.all(paths)).filter((path) => path !== null);
}
