// Sanitizes profiles before they leave the machine: rebuilds them from known fields, without local
// folders and without texts that aren't names from our source.

import { Type } from "typebox";
import type { Static } from "typebox";

const IntegerSchema = Type.Integer();

const CallFrame = Type.Object({
  functionName: Type.String(),
  scriptId: Type.String(),
  url: Type.String({ description: "Path from the root of the project, or of a package in it." }),
  lineNumber: IntegerSchema,
  columnNumber: IntegerSchema,
});

const ProfileNode = Type.Object({
  id: IntegerSchema,
  callFrame: CallFrame,
  hitCount: Type.Optional(IntegerSchema),
  children: Type.Optional(Type.Array(IntegerSchema)),
  positionTicks: Type.Optional(
    Type.Array(Type.Object({ line: IntegerSchema, ticks: IntegerSchema })),
  ),
});
type ProfileNode = Static<typeof ProfileNode>;

/** The format of V8's inspector, which browsers and editors open. Times are in µs. */
export const CpuProfileSchema = Type.Object({
  nodes: Type.Array(ProfileNode),
  startTime: Type.Number(),
  endTime: Type.Number(),
  samples: Type.Optional(Type.Array(IntegerSchema)),
  timeDeltas: Type.Optional(Type.Array(IntegerSchema)),
});
export type CpuProfile = Static<typeof CpuProfileSchema>;

/** Placeholder for hidden texts. */
export const HIDDEN_TEXT = "(hidden)";

/** `root` is the URL of the project's folder, such as `file:///opt/bout/`. */
export function cleanProfile(profile: CpuProfile, root: string): CpuProfile {
  const { startTime, endTime, samples, timeDeltas } = profile;
  return {
    nodes: profile.nodes.map((node) => cleanNode(node, root)),
    startTime,
    endTime,
    ...(samples !== undefined && { samples }),
    ...(timeDeltas !== undefined && { timeDeltas }),
  };
}

function cleanNode(node: ProfileNode, root: string): ProfileNode {
  const { id, callFrame, hitCount, children, positionTicks } = node;
  const { functionName, scriptId, url, lineNumber, columnNumber } = callFrame;
  return {
    id,
    callFrame: {
      functionName: cleanName(functionName),
      scriptId,
      url: cleanUrl(url, root),
      lineNumber,
      columnNumber,
    },
    ...(hitCount !== undefined && { hitCount }),
    ...(children !== undefined && { children }),
    ...(positionTicks !== undefined && {
      positionTicks: positionTicks.map(({ line, ticks }) => ({ line, ticks })),
    }),
  };
}

/** V8's own entries, for time in which no function runs. */
const V8_NAMES = ["", "(root)", "(program)", "(idle)", "(garbage collector)"];
/** Names as they appear in source: `Store.add`, `get size`, `#sum`, `bound run`, `<anonymous>`. */
const FUNCTION_NAME =
  /^(?:(?:get|set|bound|async|static|new) )*[#$\w<>]{1,40}(?:\.[#$\w<>]{1,40}){0,4}$/;
/** A key or token is long and has digits throughout; names consist of words. */
const SECRET_LIKE = /(?:\d\D*){4}|[0-9a-f]{16}/;

/**
 * A function can be named at run time, by a computed key or by the text of a regular expression, so
 * its name can be anything.
 */
function cleanName(name: string): string {
  if (V8_NAMES.includes(name)) return name;
  if (name.startsWith("RegExp: ")) return "RegExp";
  return FUNCTION_NAME.test(name) && !SECRET_LIKE.test(name) ? name : HIDDEN_TEXT;
}

const PACKAGES_FOLDER = "/node_modules/";
const PLAIN_PATH = /^[\w@.+/ ()-]{1,300}$/;
const BUILTIN_URL = /^(?:node:[\w/-]+|wasm:\/\/wasm\/[\w-]+)$/;

/** Packages may be installed above the project, in a folder whose path is private. */
function cleanUrl(url: string, root: string): string {
  if (url === "" || BUILTIN_URL.test(url)) return url;
  const packageIndex = url.lastIndexOf(PACKAGES_FOLDER);
  const path = packageIndex < 0 ? pathInProject(url, root) : url.slice(packageIndex + 1);
  return path !== null && PLAIN_PATH.test(path) && !path.includes("..") ? path : HIDDEN_TEXT;
}

const pathInProject = (url: string, root: string): string | null =>
  url.startsWith(root) ? url.slice(root.length).replace(/[?#].*$/, "") : null;
