// The published schemas, by the names that documents give them.

import type { TSchema } from "typebox";

import { RESOURCE_SCHEMAS } from "#core/resources/resources.ts";
import { SOCKET_SCHEMAS } from "#core/resources/socket-schemas.ts";

/** A map, so that no name finds a property that every object inherits. */
export const SCHEMAS: ReadonlyMap<string, TSchema> = new Map(
  Object.entries({ ...SOCKET_SCHEMAS, ...RESOURCE_SCHEMAS }),
);

export const SCHEMA_NAMES: readonly string[] = [...SCHEMAS.keys()].toSorted();

/** Schemas that are now published under another name. */
export const RENAMED: ReadonlyMap<string, string> = new Map([["event", "fight-event"]]);
