// The instructions of a Dockerfile, carried out in folders: see container.ts.

import { existsSync } from "node:fs";
import { cp, mkdir, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";

import { sure } from "#base/units/sure.ts";
import { isSent, variablesOf } from "#testing/fixtures/dockerfile.ts";
import type { Instruction } from "#testing/fixtures/dockerfile.ts";

import { addNode, perform, run, unpack } from "./container-base.ts";

const PROJECT = join(import.meta.dirname, "..", "..");
const AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt";

type Order = {
  folder: string;
  base: string;
  instructions: readonly Instruction[];
  ignored: readonly string[];
};

/** A stage, and at the end the image that it is. */
export type Image = {
  root: string;
  workDirectory: string;
  user: string;
  variables: Record<string, string>;
  arguments: Record<string, string>;
  volume: string;
  healthCheck: string[];
  entryPoint: string[];
  command: string[];
};

export async function buildImage(order: Order): Promise<Image> {
  const stages = new Map<string, Image>();
  let image: Image | undefined;
  for (const instruction of order.instructions) {
    const { word, rest, stage } = instruction;
    console.log(`step    ${word} ${rest}`);
    if (word === "FROM") {
      const [from = "", , name = String(stage)] = rest.split(" ");
      image = await begin(order, stage, from);
      stages.set(name, image);
    } else await carryOut(order, sure(image, "stage"), stages, instruction);
  }
  return sure(image, "stage");
}

async function begin({ folder, base }: Order, stage: number, from: string): Promise<Image> {
  const root = join(folder, `stage-${stage}`);
  await unpack(base, root);
  if (from.startsWith("node:")) await addNode(root);
  const nothing = { variables: {}, arguments: {}, healthCheck: [], entryPoint: [], command: [] };
  return { root, workDirectory: "/", user: "root", volume: "", ...nothing };
}

async function carryOut(
  order: Order,
  image: Image,
  stages: ReadonlyMap<string, Image>,
  { word, rest }: Instruction,
): Promise<void> {
  switch (word) {
    case "WORKDIR":
      image.workDirectory = rest;
      await mkdir(join(image.root, rest), { recursive: true });
      return;
    case "COPY":
      return copy(order, image, stages, rest);
    case "RUN":
      return runStep(image, rest);
    case "ARG":
      image.arguments[rest] = (
        await run("git", ["-C", PROJECT, "rev-parse", "HEAD"])
      ).stdout.trim();
      return;
    case "ENV":
      Object.assign(image.variables, variablesOf(rest, image.arguments));
      return;
    default:
      note(image, word, rest);
  }
}

/** What an image only remembers. */
function note(image: Image, word: string, rest: string): void {
  const list = () => JSON.parse(rest.slice(rest.indexOf("["))) as string[];
  if (word === "USER") image.user = rest;
  else if (word === "VOLUME") image.volume = rest;
  else if (word === "HEALTHCHECK") image.healthCheck = list();
  else if (word === "ENTRYPOINT") image.entryPoint = list();
  else if (word === "CMD") image.command = list();
  else if (word !== "EXPOSE" && word !== "STOPSIGNAL") throw new Error(`${word} is not known here`);
}

async function copy(
  { ignored }: Order,
  { root, workDirectory }: Image,
  stages: ReadonlyMap<string, Image>,
  rest: string,
): Promise<void> {
  const words = rest.split(" ");
  const [, from] = /^--from=(.*)$/.exec(words[0] ?? "") ?? [];
  const [sources, target] = [words.slice(from === undefined ? 0 : 1, -1), words.at(-1) ?? ""];
  const into = join(root, target.startsWith("/") ? target : join(workDirectory, target));
  if (from !== undefined) {
    const whole = join(sure(stages.get(from), "stage").root, sources[0] ?? "");
    await mkdir(into, { recursive: true });
    return perform("cp", ["--archive", `${whole}/.`, into]);
  }
  for (const source of sources) {
    const path = join(PROJECT, source);
    const isFile = (await stat(path)).isFile();
    const filter = (one: string) => isSent(relative(PROJECT, one), ignored);
    const isInside = isFile && target.endsWith("/");
    await cp(path, isInside ? join(into, basename(source)) : into, { recursive: true, filter });
  }
}

/** Docker gives a step its network too; how npm reaches its packages is the machine's business. */
async function runStep(image: Image, step: string): Promise<void> {
  const { root, workDirectory, variables } = image;
  const mounts = ["mount --bind /dev ROOT/dev", "mount -t proc proc ROOT/proc"];
  if (existsSync(AUTHORITIES))
    mounts.push("touch ROOT/run/authorities", `mount --bind ${AUTHORITIES} ROOT/run/authorities`);
  const enter = `exec chroot ROOT /bin/sh -c 'cd "$0" && eval "$1"' "$0" "$1"`;
  const script = [...mounts, enter].join("\n").replaceAll("ROOT", root);
  await perform(
    "unshare",
    ["--mount", "--pid", "--fork", "sh", "-ec", script, workDirectory, step],
    { ...variables, ...(await outsideVariables()) },
  );
}

async function outsideVariables(): Promise<Record<string, string>> {
  const registry = await run("npm", ["config", "get", "registry"], { cwd: PROJECT });
  const named = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_|https?_proxy$)/i.test(name),
  );
  return {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    HOME: "/root",
    npm_config_registry: registry.stdout.trim(),
    ...Object.fromEntries(named.map(([name, value]) => [name, value ?? ""])),
    ...(existsSync(AUTHORITIES) && {
      npm_config_cafile: "/run/authorities",
      NODE_EXTRA_CA_CERTS: "/run/authorities",
    }),
  };
}
