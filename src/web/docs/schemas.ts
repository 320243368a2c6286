import type { TSchema } from "typebox";

import { RESOURCE_SCHEMAS } from "#core/api/resource-schemas.ts";
import { SOCKET_SCHEMAS } from "#core/api/socket-schemas.ts";

/** A Map, so that a name never resolves to an inherited property. */
export const SCHEMAS: ReadonlyMap<string, TSchema> = new Map(
  Object.entries({ ...SOCKET_SCHEMAS, ...RESOURCE_SCHEMAS }),
);

export const SCHEMA_NAMES: readonly string[] = [...SCHEMAS.keys()].toSorted();

export const RENAMED: ReadonlyMap<string, string> = new Map([["event", "fight-event"]]);
