// Profiles as they leave the machine: what the runtime recorded, rebuilt from the fields that are
// known, without folders of the machine and without texts that are no name from our source.

import { Type } from "typebox";
import type { Static } from "typebox";

const Whole = Type.Integer();

const CallFrame = Type.Object({
  functionName: Type.String(),
  scriptId: Type.String(),
  url: Type.String({ description: "from the root of the project, or of a package in it" }),
  lineNumber: Whole,
  columnNumber: Whole,
});

const ProfileNode = Type.Object({
  id: Whole,
  callFrame: CallFrame,
  hitCount: Type.Optional(Whole),
  children: Type.Optional(Type.Array(Whole)),
  positionTicks: Type.Optional(Type.Array(Type.Object({ line: Whole, ticks: Whole }))),
});
type ProfileNode = Static<typeof ProfileNode>;

/** The format of V8's inspector, which browsers and editors open. Times are in µs. */
export const CpuProfileSchema = Type.Object({
  nodes: Type.Array(ProfileNode),
  startTime: Type.Number(),
  endTime: Type.Number(),
  samples: Type.Optional(Type.Array(Whole)),
  timeDeltas: Type.Optional(Type.Array(Whole)),
});
export type CpuProfile = Static<typeof CpuProfileSchema>;

/** Stands for what is not shown. */
export const HIDDEN = "(hidden)";

/** `root` is the address of the project's folder, such as `file:///opt/bout/`. */
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
      url: cleanAddress(url, root),
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

/** V8's own entries, of time in which no function runs. */
const OWN_NAMES = ["", "(root)", "(program)", "(idle)", "(garbage collector)"];
/** Names as source has them: `Store.add`, `get size`, `#sum`, `bound run`, `<anonymous>`. */
const NAME = /^(?:(?:get|set|bound|async|static|new) )*[#$\w<>]{1,40}(?:\.[#$\w<>]{1,40}){0,4}$/;
/** Such a name has words in it. A key or a token is long and has digits all over. */
const SECRET = /(?:\d\D*){4}|[0-9a-f]{16}/;

/**
 * A function may be named at run time, by a computed key or by the text of a regular expression,
 * and then its name can be anything.
 */
function cleanName(name: string): string {
  if (OWN_NAMES.includes(name)) return name;
  if (name.startsWith("RegExp: ")) return "RegExp";
  return NAME.test(name) && !SECRET.test(name) ? name : HIDDEN;
}

const PACKAGES = "/node_modules/";
const PLAIN_PATH = /^[\w@.+/ ()-]{1,300}$/;
const BUILTIN = /^(?:node:[\w/-]+|wasm:\/\/wasm\/[\w-]+)$/;

/** Packages may be installed above the project, in a folder that is nobody else's business. */
function cleanAddress(url: string, root: string): string {
  if (url === "" || BUILTIN.test(url)) return url;
  const inPackage = url.lastIndexOf(PACKAGES);
  const path = inPackage < 0 ? pathIn(url, root) : url.slice(inPackage + 1);
  return path !== null && PLAIN_PATH.test(path) && !path.includes("..") ? path : HIDDEN;
}

const pathIn = (url: string, root: string): string | null =>
  url.startsWith(root) ? url.slice(root.length).replace(/[?#].*$/, "") : null;
