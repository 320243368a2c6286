import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { commandsPath, SIMULATOR_PATHS, SIMULATOR_PATH_PREFIX } from "#core/api/download.ts";

import type { Build, BuiltFile } from "./build-manifest.ts";

export type SimulatorDownload = {
  bytes: Uint8Array;
  /** Media type, with a charset for text. */
  type: string;
  etag: string;
};

export type CommandsDownload = SimulatorDownload & { address: string };

/** Reads the npm package with the author commands. Null if not built. */
export async function readCommands({
  folder,
  package: build,
}: Pick<Build, "folder" | "package">): Promise<CommandsDownload | null> {
  if (build === null) return null;
  const address = commandsPath(build.name);
  return { ...(await readFileOf(folder, "package", build)), address };
}

/** Reads the simulator's files by name. Empty if not built. */
export async function readSimulator({
  folder,
  simulator,
}: Pick<Build, "folder" | "simulator">): Promise<ReadonlyMap<string, SimulatorDownload>> {
  const files = simulator.map(
    async (file) => [file.name, await readFileOf(folder, "simulator", file)] as const,
  );
  return new Map(await Promise.all(files));
}

async function readFileOf(
  folder: string,
  product: string,
  { name, type }: BuiltFile,
): Promise<SimulatorDownload> {
  const bytes = await readFile(join(folder, product, name));
  const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
  const isText = type.startsWith("text/");
  return { bytes, etag, type: isText ? `${type}; charset=utf-8` : type };
}

type Addresses = Record<keyof typeof SIMULATOR_PATHS, string | null>;

/** Returns the addresses of the simulator and its guide. Null if unavailable. */
export function simulatorAddresses(
  files: ReadonlyMap<string, unknown>,
  docs: ReadonlyMap<string, unknown>,
): Addresses {
  const served = new Set([
    ...[...files.keys()].map((name) => SIMULATOR_PATH_PREFIX + name),
    ...[...docs.keys()].map((name) => `/docs/${name}`),
  ]);
  const addresses = Object.entries(SIMULATOR_PATHS).map(([key, address]) => {
    return [key, served.has(address) ? address : null];
  });
  return Object.fromEntries(addresses) as Addresses;
}
