// Sanitizes profiles before they leave the machine. Rebuilds each profile from known fields, and
// removes local folders and any text that isn't a name from our source.

import { Type } from "typebox";
import type { Static } from "typebox";

const IntegerSchema = Type.Integer();

const CallFrame = Type.Object({
  functionName: Type.String(),
  scriptId: Type.String(),
  url: Type.String({ description: "Path relative to the project, or to a package in it." }),
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

/** Format of V8's inspector, which browsers and editors can open. Times are in µs. */
export const CpuProfileSchema = Type.Object({
  nodes: Type.Array(ProfileNode),
  startTime: Type.Number(),
  endTime: Type.Number(),
  samples: Type.Optional(Type.Array(IntegerSchema)),
  timeDeltas: Type.Optional(Type.Array(IntegerSchema)),
});
export type CpuProfile = Static<typeof CpuProfileSchema>;

export const HIDDEN_TEXT = "(hidden)";

/**
 * Returns a sanitized copy. `root` is the URL of the project folder, such as `file:///opt/bout/`.
 */
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

/** Names that V8 uses for time in which no function runs. */
const V8_NAMES = ["", "(root)", "(program)", "(idle)", "(garbage collector)"];
/**
 * Function names as they appear in source: `Store.add`, `get size`, `#sum`, `bound run`,
 * `<anonymous>`.
 */
const FUNCTION_NAME =
  /^(?:(?:get|set|bound|async|static|new) )*[#$\w<>]{1,40}(?:\.[#$\w<>]{1,40}){0,4}$/;
/** Keys and tokens are long and contain digits throughout. Names consist of words. */
const SECRET_LIKE = /(?:\d\D*){4}|[0-9a-f]{16}/;

/**
 * Functions can be named at run time, by a computed key or by the text of a regular expression, so
 * a name can contain anything.
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
