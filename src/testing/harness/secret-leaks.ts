import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

export type NamedSecrets = Map<string, string>;

/** Shorter secrets would match by chance. */
const MIN_SECRET_LENGTH = 10;

export function addSecret(secrets: NamedSecrets, secretName: string, value: unknown): string {
  const isLong = typeof value === "string" && value.length >= MIN_SECRET_LENGTH;
  assert.ok(isLong, `${secretName}: ${JSON.stringify(value)}`);
  secrets.set(secretName, value);
  return value;
}

type PathParameters = Readonly<Record<string, string>>;

/**
 * Calls every GET operation of the API as an admin. Returns the responses by path; `names` fills in
 * the path parameters.
 */
export async function fetchAllGetResponses(
  baseUrl: string,
  admin: string,
  pathParameters: PathParameters,
): Promise<Map<string, string>> {
  const contract = await fetch(`${baseUrl}/openapi.json`);
  const { paths } = (await contract.json()) as { paths: Record<string, object> };
  const textsByPath = new Map<string, string>();
  for (const [path, methods] of Object.entries(paths)) {
    if (!("get" in methods)) continue;
    const url = path.replaceAll(
      /\{(\w+)\}/g,
      (_, parameter: string) => pathParameters[parameter] ?? "x",
    );
    const response = await fetch(baseUrl + url, { headers: { Authorization: `Bearer ${admin}` } });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isGzipped = response.headers.get("content-type") === "application/gzip";
    const text = (isGzipped && response.ok ? gunzipSync(bytes) : bytes).toString("latin1");
    textsByPath.set(path, `${JSON.stringify([...response.headers])}\n${text}`);
  }
  return textsByPath;
}

/** Returns the content of every file in the data folder by path, decompressed. */
export async function readAllFiles(data: string): Promise<Map<string, string>> {
  const textsByPath = new Map<string, string>();
  const entries = await readdir(data, { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const path = join(parentPath, name);
    const bytes = await readFile(path);
    const isGzipped = name.endsWith(".gz");
    textsByPath.set(path, (isGzipped ? gunzipSync(bytes) : bytes).toString("latin1"));
  }
  return textsByPath;
}

/** Returns secrets found in plain text, as `secret in place`. */
export function findLeaks(
  secrets: NamedSecrets,
  textsByPlace: ReadonlyMap<string, string>,
): string[] {
  return [...textsByPlace].flatMap(([place, text]) =>
    [...secrets]
      .filter(([, value]) => text.includes(value))
      .map(([secretName]) => `${secretName} in ${place}`),
  );
}
