// Looks for secrets in whatever a server keeps or says.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** By what it is. */
export type NamedSecrets = Map<string, string>;

/** Too short a text would be found by chance. */
const LEAST_CHARS = 10;

/** Remembers a secret, and returns it. */
export function keepSecret(secrets: NamedSecrets, what: string, value: unknown): string {
  const isLong = typeof value === "string" && value.length >= LEAST_CHARS;
  assert.ok(isLong, `${what}: ${JSON.stringify(value)}`);
  secrets.set(what, value);
  return value;
}

type PathNames = Readonly<Record<string, string>>;

/** The answers of every GET of the contract to an admin, by path; `names` go into the paths. */
export async function answersTo(
  baseUrl: string,
  admin: string,
  names: PathNames,
): Promise<Map<string, string>> {
  const contract = await fetch(`${baseUrl}/openapi.json`);
  const { paths } = (await contract.json()) as { paths: Record<string, object> };
  const found = new Map<string, string>();
  for (const [path, methods] of Object.entries(paths)) {
    if (!("get" in methods)) continue;
    const url = path.replaceAll(/\{(\w+)\}/g, (_, part: string) => names[part] ?? "x");
    const response = await fetch(baseUrl + url, { headers: { Authorization: `Bearer ${admin}` } });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isPacked = response.headers.get("content-type") === "application/gzip";
    const text = (isPacked && response.ok ? gunzipSync(bytes) : bytes).toString("latin1");
    found.set(path, `${JSON.stringify([...response.headers])}\n${text}`);
  }
  return found;
}

/** Every file of the data folder, by its path; what is compressed is read as it was before. */
export async function filesIn(data: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const entries = await readdir(data, { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const path = join(parentPath, name);
    const bytes = await readFile(path);
    const isPacked = name.endsWith(".gz");
    found.set(path, (isPacked ? gunzipSync(bytes) : bytes).toString("latin1"));
  }
  return found;
}

/** Where a secret is in the open, as `secret in place`. */
export function leaksOf(secrets: NamedSecrets, places: ReadonlyMap<string, string>): string[] {
  return [...places].flatMap(([place, text]) =>
    [...secrets].filter(([, value]) => text.includes(value)).map(([what]) => `${what} in ${place}`),
  );
}
