import type { TSchema } from "typebox";

import { RESOURCE_SCHEMAS } from "#core/api/resource-schemas.ts";
import { SOCKET_SCHEMAS } from "#core/api/socket-schemas.ts";

/** A map, so that no name resolves to an inherited property. */
export const SCHEMAS: ReadonlyMap<string, TSchema> = new Map(
  Object.entries({ ...SOCKET_SCHEMAS, ...RESOURCE_SCHEMAS }),
);

export const SCHEMA_NAMES: readonly string[] = [...SCHEMAS.keys()].toSorted();

/** Former schema names with their current ones. */
export const RENAMED: ReadonlyMap<string, string> = new Map([["event", "fight-event"]]);
