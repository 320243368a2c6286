import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import type { Static, TObject, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { Check } from "typebox/value";

import { ToolRefusalSchema } from "#core/api/mcp.ts";
import type { ToolRefusal } from "#core/api/mcp.ts";
import { ERROR_CATALOGUE } from "#core/protocol/errors.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import { requirementOf } from "#core/protocol/schema-requirement.ts";
import type { MeDeps } from "#web/api/me.ts";
import type { Caller } from "#web/auth/account-lookup.ts";
import { jsonSchema } from "#web/docs/json-schema.ts";
import type { LadderDeps } from "#web/ladders/ladder-mutex.ts";

export type ToolDeps = MeDeps &
  LadderDeps & {
    /** URL of the endpoint, which is also the audience of app tokens. */
    endpoint: string;
    request: (path: string) => Promise<{ status: number; body: string }>;
  };

export type ToolError = { refused: ErrorCode; text?: string };

export type Tool = {
  listing: ListedTool;
  /** Acts on the caller's account only, whatever the arguments. */
  call: (deps: ToolDeps, caller: Caller, args: unknown) => Promise<CallToolResult>;
};

const HINTS = {
  reads: { readOnlyHint: true, openWorldHint: false },
  adds: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  ends: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
} as const;

type ToolDefinition<Input extends TObject, Output extends TSchema> = {
  name: string;
  title: string;
  /** Written for the model, which selects tools by their description. */
  description: string;
  kind: keyof typeof HINTS;
  /** Declares names and types only. `run` validates values, so that errors have a code. */
  input: Input;
  output: Output;
  run: (
    deps: ToolDeps,
    caller: Caller,
    args: Static<Input>,
  ) => Promise<Static<Output> | ToolError> | Static<Output> | ToolError;
};

export function defineTool<Input extends TObject, Output extends TSchema>(
  toolDefinition: ToolDefinition<Input, Output>,
): Tool {
  const { name, title, description, kind, input, output, run } = toolDefinition;
  const validator = Compile(input);
  return {
    listing: {
      name,
      title,
      description: description,
      inputSchema: { ...jsonSchema(input), type: "object" },
      outputSchema: {
        type: "object",
        anyOf: [jsonSchema(output), jsonSchema(ToolRefusalSchema)],
      },
      annotations: HINTS[kind],
    },
    call: async (deps, caller, args = {}) => {
      if (!validator.Check(args)) return toRefusal(invalidArguments(argumentError(input, args)));
      const result = await run(deps, caller, args);
      return isToolError(result) ? toRefusal(result) : toResult(result);
    },
  };
}

const isToolError = (result: unknown): result is ToolError =>
  typeof result === "object" && result !== null && "refused" in result;

export const invalidArguments = (text: string): ToolError => ({
  refused: "invalid_arguments",
  text,
});

export const notFound = (what: string): ToolError => ({
  refused: "not_found",
  text: `There is no such ${what}.`,
});

export const rateLimited = ({ waitS, text }: { waitS: number; text: string }): ToolError => ({
  refused: "rate_limited",
  text: `${text} Wait ${waitS} s.`,
});

/** Returns why the arguments are invalid. Doesn't repeat unknown names. */
function argumentError(input: TObject, args: unknown): string {
  if (typeof args !== "object" || args === null || Array.isArray(args))
    return "The arguments must be a JSON object.";
  const { properties } = input;
  const required: readonly string[] = input.required ?? [];
  const values = args as Record<string, unknown>;
  for (const [name, schema] of Object.entries(properties)) {
    const value = values[name];
    const isInvalid = value === undefined ? required.includes(name) : !Check(schema, value);
    if (isInvalid) return `The argument '${name}' ${requirementOf(schema, value)}.`;
  }
  const names = Object.keys(properties);
  const acceptedText = names.length === 0 ? "none" : `only ${names.join(", ")}`;
  return `Unknown argument. This tool accepts ${acceptedText}.`;
}

export function toRefusal({
  refused: code,
  text = ERROR_CATALOGUE[code].text,
}: ToolError): CallToolResult {
  return { ...toResult({ error: text, code } satisfies ToolRefusal), isError: true };
}

/** The text repeats the result for clients that don't support structured content. */
function toResult(result: object): CallToolResult {
  const structuredContent = result as Record<string, unknown>;
  return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent };
}
