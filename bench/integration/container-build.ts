// Runs a Dockerfile's instructions in plain directories. See container.ts.

import { existsSync } from "node:fs";
import { cp, mkdir, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";

import { assertDefined } from "#base/util/assert-defined.ts";
import { isInBuildContext, parseVariables } from "#testing/fixtures/dockerfile.ts";
import type { Instruction } from "#testing/fixtures/dockerfile.ts";

import { addNode, runVisibly, execCommand, unpack } from "./container-base.ts";

const PROJECT_FOLDER = join(import.meta.dirname, "..", "..");
const AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt";

type BuildOptions = {
  folder: string;
  base: string;
  instructions: readonly Instruction[];
  ignored: readonly string[];
};

/** A build stage. The last stage becomes the image. */
export type ContainerImage = {
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

export async function buildImage(buildOptions: BuildOptions): Promise<ContainerImage> {
  const stages = new Map<string, ContainerImage>();
  let image: ContainerImage | undefined;
  for (const instruction of buildOptions.instructions) {
    const { keyword, args: argument, stage } = instruction;
    console.log(`step    ${keyword} ${argument}`);
    if (keyword === "FROM") {
      const [from = "", , name = String(stage)] = argument.split(" ");
      image = await startStage(buildOptions, stage, from);
      stages.set(name, image);
    } else await applyInstruction(buildOptions, assertDefined(image, "stage"), stages, instruction);
  }
  return assertDefined(image, "stage");
}

async function startStage(
  { folder, base }: BuildOptions,
  stage: number,
  baseImage: string,
): Promise<ContainerImage> {
  const root = join(folder, `stage-${stage}`);
  await unpack(base, root);
  if (baseImage.startsWith("node:")) await addNode(root);
  const emptyFields = {
    variables: {},
    arguments: {},
    healthCheck: [],
    entryPoint: [],
    command: [],
  };
  return { root, workDirectory: "/", user: "root", volume: "", ...emptyFields };
}

async function applyInstruction(
  buildOptions: BuildOptions,
  image: ContainerImage,
  stages: ReadonlyMap<string, ContainerImage>,
  { keyword, args: argument }: Instruction,
): Promise<void> {
  switch (keyword) {
    case "WORKDIR":
      image.workDirectory = argument;
      await mkdir(join(image.root, argument), { recursive: true });
      return;
    case "COPY":
      return copy(buildOptions, image, stages, argument);
    case "RUN":
      return runStep(image, argument);
    case "ARG":
      image.arguments[argument] = (
        await execCommand("git", ["-C", PROJECT_FOLDER, "rev-parse", "HEAD"])
      ).stdout.trim();
      return;
    case "ENV":
      Object.assign(image.variables, parseVariables(argument, image.arguments));
      return;
    default:
      setMetadata(image, keyword, argument);
  }
}

function setMetadata(image: ContainerImage, keyword: string, argument: string): void {
  const parseList = () => JSON.parse(argument.slice(argument.indexOf("["))) as string[];
  if (keyword === "USER") image.user = argument;
  else if (keyword === "VOLUME") image.volume = argument;
  else if (keyword === "HEALTHCHECK") image.healthCheck = parseList();
  else if (keyword === "ENTRYPOINT") image.entryPoint = parseList();
  else if (keyword === "CMD") image.command = parseList();
  else if (keyword !== "EXPOSE" && keyword !== "STOPSIGNAL")
    throw new Error(`unsupported instruction: ${keyword}`);
}

async function copy(
  { ignored }: BuildOptions,
  { root, workDirectory }: ContainerImage,
  stages: ReadonlyMap<string, ContainerImage>,
  argument: string,
): Promise<void> {
  const parts = argument.split(" ");
  const [, sourceStage] = /^--from=(.*)$/.exec(parts[0] ?? "") ?? [];
  const [sources, target] = [
    parts.slice(sourceStage === undefined ? 0 : 1, -1),
    parts.at(-1) ?? "",
  ];
  const destination = join(root, target.startsWith("/") ? target : join(workDirectory, target));
  if (sourceStage !== undefined) {
    const sourceFolder = join(
      assertDefined(stages.get(sourceStage), "stage").root,
      sources[0] ?? "",
    );
    await mkdir(destination, { recursive: true });
    return runVisibly("cp", ["--archive", `${sourceFolder}/.`, destination]);
  }
  for (const source of sources) {
    const path = join(PROJECT_FOLDER, source);
    const isFile = (await stat(path)).isFile();
    const filter = (filePath: string) =>
      isInBuildContext(relative(PROJECT_FOLDER, filePath), ignored);
    const isInside = isFile && target.endsWith("/");
    await cp(path, isInside ? join(destination, basename(source)) : destination, {
      recursive: true,
      filter,
    });
  }
}

/** Steps have network access, as in Docker. npm uses the registry configured on the host. */
async function runStep(image: ContainerImage, step: string): Promise<void> {
  const { root, workDirectory, variables } = image;
  const mounts = ["mount --bind /dev ROOT/dev", "mount -t proc proc ROOT/proc"];
  if (existsSync(AUTHORITIES))
    mounts.push("touch ROOT/run/authorities", `mount --bind ${AUTHORITIES} ROOT/run/authorities`);
  const chrootCommand = `exec chroot ROOT /bin/sh -c 'cd "$0" && eval "$1"' "$0" "$1"`;
  const script = [...mounts, chrootCommand].join("\n").replaceAll("ROOT", root);
  await runVisibly(
    "unshare",
    ["--mount", "--pid", "--fork", "sh", "-ec", script, workDirectory, step],
    { ...variables, ...(await hostVariables()) },
  );
}

async function hostVariables(): Promise<Record<string, string>> {
  const registry = await execCommand("npm", ["config", "get", "registry"], { cwd: PROJECT_FOLDER });
  const registryVariables = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_|https?_proxy$)/i.test(name),
  );
  return {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    HOME: "/root",
    npm_config_registry: registry.stdout.trim(),
    ...Object.fromEntries(registryVariables.map(([name, value]) => [name, value ?? ""])),
    ...(existsSync(AUTHORITIES) && {
      npm_config_cafile: "/run/authorities",
      NODE_EXTRA_CA_CERTS: "/run/authorities",
    }),
  };
}
