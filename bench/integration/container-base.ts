// Builds a minimal Debian that replaces the base images in a Dockerfile. See container.ts.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { promisify } from "node:util";

export const execCommand = promisify(execFile);
const PROJECT_FOLDER = join(import.meta.dirname, "..", "..");
const RELEASE = "bookworm";

const TOOLS = {
  mmdebstrap: "on Debian: apt-get install mmdebstrap",
  unshare: "on Debian: apt-get install util-linux",
};

export async function missingTools(): Promise<string | null> {
  if (process.getuid?.() !== 0) return "bootstrapping Debian requires root: run it as root";
  for (const [name, installHint] of Object.entries(TOOLS))
    if ((await execCommand(name, ["--version"]).catch(() => null)) === null)
      return `${name} not found: install it, ${installHint}`;
  return null;
}

export async function runVisibly(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const child = spawn(program, [...args], { stdio: ["ignore", "inherit", "inherit"], env });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`${program} exited with ${code}: ${args.join(" ")}`);
}

/** Applies the host's apt configuration inside the base image too. */
export async function makeBase(file: string): Promise<void> {
  const { stdout } = await execCommand("apt-config", ["dump", "--format", '%f "%v";%n', "Acquire"]);
  const lines = stdout.split("\n").filter((line) => /^Acquire::https?::.* "[^"]/i.test(line));
  const options = `${file}.apt`;
  await writeFile(options, lines.join("\n"));
  const flags = ["--quiet", "--variant=minbase", `--aptopt=${options}`];
  await runVisibly("mmdebstrap", [...flags, RELEASE, file]);
  await rm(options);
}

export async function unpack(base: string, root: string): Promise<void> {
  await mkdir(root);
  await execCommand("tar", ["--extract", "--numeric-owner", "--file", base, "--directory", root]);
  for (const name of ["resolv.conf", "hosts"])
    await cp(join("/etc", name), join(root, "etc", name), { dereference: true });
}

/**
 * Copies Node and npm from this machine, in place of the Node image. Leaves out this project's
 * packages.
 */
export async function addNode(root: string): Promise<void> {
  const projectPrefix = PROJECT_FOLDER + sep;
  const folders = (process.env["PATH"] ?? "")
    .split(":")
    .filter((folder) => !`${folder}/`.startsWith(projectPrefix));
  const [program = ""] = await findExecutables(folders, "node");
  const [npm = ""] = await findExecutables(folders, "npm");
  if (program === "" || npm === "") throw new Error("no node and npm installed on this machine");
  const localFolder = join(root, "usr", "local");
  await cp(program, join(localFolder, "bin", "node"));
  await cp(dirname(dirname(npm)), join(localFolder, "lib", "node_modules", "npm"), {
    recursive: true,
  });
  await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(localFolder, "bin", "npm"));
}

async function findExecutables(folders: readonly string[], name: string): Promise<string[]> {
  const paths = folders.map((folder) => realpath(join(folder, name)).catch(() => null));
  return (await Promise.all(paths)).filter((path) => path !== null);
}
