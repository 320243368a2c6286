// The files of the simulator, as built.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { SIMULATOR_ADDRESSES, SIMULATOR_PREFIX } from "#core/resources/download.ts";

import type { Build } from "./build.ts";

export type SimulatorDownload = {
  bytes: Uint8Array;
  /** Media type, with a character set if it is text. */
  type: string;
  etag: string;
};

/** By name; empty if nothing was built. */
export async function readSimulator({
  folder,
  simulator,
}: Pick<Build, "folder" | "simulator">): Promise<ReadonlyMap<string, SimulatorDownload>> {
  const files = simulator.map(async ({ name, type }) => {
    const bytes = await readFile(join(folder, "simulator", name));
    const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
    const isText = type.startsWith("text/");
    return [name, { bytes, etag, type: isText ? `${type}; charset=utf-8` : type }] as const;
  });
  return new Map(await Promise.all(files));
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
