// A tool of the MCP endpoint: what it takes, what it answers, and how it is called.

import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import type { Static, TObject, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { Check } from "typebox/value";

import { ERRORS } from "#core/protocol/errors.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import { requirementOf } from "#core/protocol/requirement.ts";
import { ToolRefusalSchema } from "#core/resources/mcp.ts";
import type { ToolRefusal } from "#core/resources/mcp.ts";
import type { MeDeps } from "#web/api/me.ts";
import type { Caller } from "#web/auth/people.ts";
import { jsonSchema } from "#web/docs/json-schema.ts";
import type { LadderDeps } from "#web/ladders/door.ts";

export type ToolDeps = MeDeps &
  LadderDeps & {
    /** The address of the endpoint, to which programs' tokens are bound. */
    endpoint: string;
    /** Asks the public API within the process. */
    inside: (path: string) => Promise<{ status: number; body: string }>;
  };

export type ToolRefused = { refused: ErrorCode; text?: string };

export type Tool = {
  listed: ListedTool;
  /** Acts on the caller's own account, whatever the arguments say. */
  call: (deps: ToolDeps, caller: Caller, given: unknown) => Promise<CallToolResult>;
};

/** What a client may tell its user before it calls a tool. */
const HINTS = {
  reads: { readOnlyHint: true, openWorldHint: false },
  adds: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  ends: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
} as const;

type Plan<Input extends TObject, Output extends TSchema> = {
  name: string;
  title: string;
  /** For the model that chooses among tools. */
  about: string;
  kind: keyof typeof HINTS;
  /** Names and types alone: `run` checks values, so that a wrong one is refused with a code. */
  input: Input;
  output: Output;
  run: (
    deps: ToolDeps,
    caller: Caller,
    given: Static<Input>,
  ) => Promise<Static<Output> | ToolRefused> | Static<Output> | ToolRefused;
};

export function defineTool<Input extends TObject, Output extends TSchema>(
  plan: Plan<Input, Output>,
): Tool {
  const { name, title, about, kind, input, output, run } = plan;
  const accepts = Compile(input);
  return {
    listed: {
      name,
      title,
      description: about,
      inputSchema: { ...jsonSchema(input), type: "object" },
      outputSchema: {
        type: "object",
        anyOf: [jsonSchema(output), jsonSchema(ToolRefusalSchema)],
      },
      annotations: HINTS[kind],
    },
    call: async (deps, caller, given = {}) => {
      if (!accepts.Check(given)) return toRefusal(wrongArguments(faultIn(input, given)));
      const result = await run(deps, caller, given);
      return isRefused(result) ? toRefusal(result) : toResult(result);
    },
  };
}

const isRefused = (result: unknown): result is ToolRefused =>
  typeof result === "object" && result !== null && "refused" in result;

/** A refusal of what the caller sent. */
export const wrongArguments = (text: string): ToolRefused => ({
  refused: "invalid_arguments",
  text,
});

export const notFound = (what: string): ToolRefused => ({
  refused: "not_found",
  text: `There is no such ${what}.`,
});

export const rateLimited = ({ waitS, text }: { waitS: number; text: string }): ToolRefused => ({
  refused: "rate_limited",
  text: `${text} Wait ${waitS} s.`,
});

/** Why the arguments do not match; names of unknown ones are not repeated. */
function faultIn(input: TObject, given: unknown): string {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return "The arguments must be a JSON object.";
  const { properties } = input;
  const required: readonly string[] = input.required ?? [];
  const values = given as Record<string, unknown>;
  for (const [name, schema] of Object.entries(properties)) {
    const value = values[name];
    const isWrong = value === undefined ? required.includes(name) : !Check(schema, value);
    if (isWrong) return `The argument '${name}' ${requirementOf(schema, value)}.`;
  }
  const names = Object.keys(properties);
  const takes = names.length === 0 ? "none" : `no other than ${names.join(", ")}`;
  return `There is an argument that is not known here: this tool takes ${takes}.`;
}

export function toRefusal({
  refused: code,
  text = ERRORS[code].text,
}: ToolRefused): CallToolResult {
  return { ...toResult({ error: text, code } satisfies ToolRefusal), isError: true };
}

/** The text is the same for clients that know no structured content. */
function toResult(result: object): CallToolResult {
  const structuredContent = result as Record<string, unknown>;
  return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent };
}
