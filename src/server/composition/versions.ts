import { createHash } from "node:crypto";

import { allGrids } from "#core/engine/maps.ts";
import { ENGINE_VERSION, RULES, RULES_VERSION } from "#core/engine/rules.ts";
import { PROTOCOL_VERSION } from "#core/protocol/version.ts";

/** Returns the SHA-256 of all maps and rules as canonical JSON (sorted keys, no spaces). */
export function rulesHash(): string {
  const maps = Object.fromEntries(allGrids().map(({ name, rows }) => [name, rows]));
  return createHash("sha256")
    .update(canonical({ maps, rules: RULES }))
    .digest("hex");
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(",")}}`;
}

export function runningVersions() {
  return {
    engine: ENGINE_VERSION,
    protocol: PROTOCOL_VERSION,
    rules: RULES_VERSION,
    rules_hash: rulesHash(),
  };
}

export function versionLine(release: string): string {
  const { engine, protocol, rules } = runningVersions();
  return `bout ${release} (engine ${engine}, protocol ${protocol}, rules ${rules})`;
}
