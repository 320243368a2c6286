// Lets tools request the public HTTP API inside the process. Tools then share its caches and
// queues.

import { Type } from "typebox";

import type { ErrorBody } from "#core/api/common-schemas.ts";

import type { ToolDeps, ToolError } from "./tool.ts";

export const ladderArgument = Type.Optional(
  Type.String({ description: "id of a ladder; default: public" }),
);

export type Query = Readonly<Record<string, string | number | undefined>>;

/** Returns a GET route's response, or its error. Errors without a code get one. */
export async function readPublicApi<Resource extends object>(
  { request }: ToolDeps,
  path: string,
  query: Query = {},
): Promise<Resource | ToolError> {
  const params = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const { status, body } = await request(`${path}?${new URLSearchParams(params).toString()}`);
  if (status === 200) return JSON.parse(body) as Resource;
  const { error, code } = JSON.parse(body) as ErrorBody;
  if (code !== undefined) return { refused: code, text: error };
  if (status >= 500) throw new Error(`${path} returned ${status} to a tool`);
  return { refused: status === 404 ? "not_found" : "invalid_arguments", text: error };
}
