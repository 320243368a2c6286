// The files of the simulator, as built.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import {
  commandsAddress,
  SIMULATOR_ADDRESSES,
  SIMULATOR_PREFIX,
} from "#core/resources/download.ts";

import type { Build, BuiltFile } from "./build.ts";

export type SimulatorDownload = {
  bytes: Uint8Array;
  /** Media type, with a character set if it is text. */
  type: string;
  etag: string;
};

/** `address` changes with the release. */
export type CommandsDownload = SimulatorDownload & { address: string };

/** The package of author commands; null if it was not built. */
export async function readCommands({
  folder,
  package: built,
}: Pick<Build, "folder" | "package">): Promise<CommandsDownload | null> {
  if (built === null) return null;
  const address = commandsAddress(built.name);
  return { ...(await readFileOf(folder, "package", built)), address };
}

/** By name; empty if nothing was built. */
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

type Addresses = Record<keyof typeof SIMULATOR_ADDRESSES, string | null>;

/** Where the simulator and its guide are; null for what does not exist. */
export function simulatorAddresses(
  files: ReadonlyMap<string, unknown>,
  docs: ReadonlyMap<string, unknown>,
): Addresses {
  const served = new Set([
    ...[...files.keys()].map((name) => SIMULATOR_PREFIX + name),
    ...[...docs.keys()].map((name) => `/docs/${name}`),
  ]);
  const addresses = Object.entries(SIMULATOR_ADDRESSES).map(([key, address]) => {
    return [key, served.has(address) ? address : null];
  });
  return Object.fromEntries(addresses) as Addresses;
}
