// Requests of tools to the public HTTP API, inside the process: caches and turns are shared.

import { Type } from "typebox";

import type { ErrorBody } from "#core/resources/common.ts";

import type { ToolDeps, ToolRefused } from "./tool.ts";

/** The argument of tools that read one ladder. */
export const ladder = Type.Optional(
  Type.String({ description: "id of a ladder; left out: public" }),
);

export type Query = Readonly<Record<string, string | number | undefined>>;

/** Returns the answer of a GET route, or its refusal. Refusals without a code get one. */
export async function read<Resource extends object>(
  { inside }: ToolDeps,
  path: string,
  query: Query = {},
): Promise<Resource | ToolRefused> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const { status, body } = await inside(`${path}?${new URLSearchParams(given).toString()}`);
  if (status === 200) return JSON.parse(body) as Resource;
  const { error, code } = JSON.parse(body) as ErrorBody;
  if (code !== undefined) return { refused: code, text: error };
  if (status >= 500) throw new Error(`${path} answered ${status} to a tool`);
  return { refused: status === 404 ? "not_found" : "invalid_arguments", text: error };
}
