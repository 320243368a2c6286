// What keeps the repository tidy: the ring table, sizes and banned words, as checks over sources.

export type Source = { path: string; text: string };
export type Untidy = { path: string; problem: string };

/** Who may import whom. A room is a folder of src; "types" means types and constant tuples. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  engine: [],
  rating: [],
  matching: [],
  pairing: ["rating", "matching"],
  protocol: ["engine"],
  resources: ["engine", "protocol"],
  ladder: ["rating", "protocol", "resources"],
  store: ["ladder", "protocol"],
  threads: [],
  database: ["store", "ladder", "protocol", "threads"],
  judge: ["engine", "rating", "pairing", "protocol", "ladder", "store", "threads"],
  archive: ["engine", "protocol", "store", "threads"],
  arena: ["engine", "rating", "pairing", "protocol", "ladder", "store", "judge", "archive"],
  wire: ["protocol", "arena", "http"],
  documents: ["protocol", "resources", "simulator"],
  http: ["protocol", "resources", "ladder", "store", "arena", "documents"],
  api: [
    "http",
    "engine",
    "rating",
    "pairing",
    "protocol",
    "resources",
    "ladder",
    "store",
    "judge",
    "arena",
    "documents",
    "simulator",
  ],
  server: [
    "engine",
    "rating",
    "pairing",
    "protocol",
    "resources",
    "ladder",
    "store",
    "database",
    "judge",
    "archive",
    "arena",
    "wire",
    "documents",
    "http",
    "api",
    "site",
    "bots",
  ],
  viewer: ["engine", "protocol", "resources"],
  site: ["engine", "protocol", "resources", "viewer", "policy"],
  terminal: ["engine"],
  verify: ["rating", "protocol", "ladder"],
  local: ["engine", "protocol", "ladder", "archive", "arena", "server", "bots", "simulator"],
  cli: [
    "engine",
    "rating",
    "pairing",
    "protocol",
    "ladder",
    "server",
    "bots",
    "arena",
    "terminal",
    "local",
    "simulator",
    "verify",
  ],
  policy: ["engine", "ladder"],
  simulator: ["engine", "protocol", "ladder", "policy"],
  bots: ["engine", "ladder", "policy"],
  invariants: ["rating", "pairing", "protocol", "ladder", "store", "judge", "arena"],
  simulation: [
    "engine",
    "rating",
    "pairing",
    "protocol",
    "ladder",
    "store",
    "judge",
    "archive",
    "arena",
    "policy",
    "bots",
    "server",
    "invariants",
    "contract",
  ],
  fairness: [
    "engine",
    "rating",
    "pairing",
    "protocol",
    "ladder",
    "judge",
    "invariants",
    "simulation",
  ],
};

/** The one engine file that these rooms may see: vocabularies and types. */
const GLOSSARY = "#engine/types.ts";
const SEES_GLOSSARY = ["protocol", "resources"];
const MOST_LINES = 400;
const LONGEST_LINE = 100;

const BANNED_IN_SOURCE: readonly [word: RegExp, instead: string][] = [
  [/\bMath\.random\b/, "draw from a seed, or node:crypto in server"],
];
const BANNED: readonly [word: RegExp, instead: string][] = [
  [/\bTO(?:DO)\b|\bFIX(?:ME)\b|\bX{3}\b/, "finish it"],
  [/oxlint-disable|@ts-(?:ignore|expect-error|nocheck)/, "mend what is reported"],
  [/\.(?:only|skip|todo)\(/, "run every test"],
  [/from "\.\.\//, "address another room as #room/file.ts"],
];

/** Everything that is untidy in one source file. */
export function untidy(source: Source): Untidy[] {
  return [...borders(source), ...sizes(source), ...words(source)].map((problem) => ({
    path: source.path,
    problem,
  }));
}

/** Rooms that exist for tests alone: they may import every other. */
export const TEST_ROOMS = ["testing", "contract", "harness"];

function isTest(path: string): boolean {
  return path.endsWith(".test.ts") || TEST_ROOMS.includes(roomOf(path));
}

const roomOf = (path: string): string => path.split("/")[1];

function borders({ path, text }: Source): string[] {
  if (isTest(path)) return [];
  const room = roomOf(path);
  const allowed = MAY_IMPORT[room];
  if (allowed === undefined) return [`${room} is no room of the ring table`];
  return importsOf(text).flatMap((name) => {
    const target = /^#([a-z]+)\//.exec(name)?.[1];
    if (target === undefined) return [];
    if (target === room) return [`${name} is in this room: import ./${name.split("/")[1]}`];
    if (!allowed.includes(target)) return [`${room} may not import ${target} (${name})`];
    if (target === "engine" && SEES_GLOSSARY.includes(room) && name !== GLOSSARY)
      return [`${room} sees ${GLOSSARY} alone`];
    return [];
  });
}

/** Module names of static and dynamic imports and re-exports. */
export function importsOf(text: string): string[] {
  const found = text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g);
  return [...found].map(([, name]) => name);
}

/** Tests hold golden texts of any width, and tables of any length. */
function sizes({ path, text }: Source): string[] {
  if (isTest(path)) return [];
  const lines = text.split("\n");
  const problems = lines.flatMap((line, at) =>
    line.length > LONGEST_LINE && !isUnbreakable(line)
      ? [`line ${at + 1} is ${line.length} long`]
      : [],
  );
  return lines.length > MOST_LINES + 1 ? [...problems, `${lines.length} lines`] : problems;
}

/** Texts, patterns and templates do not wrap. */
function isUnbreakable(line: string): boolean {
  return /["'`/]/.test(line);
}

function words({ path, text }: Source): string[] {
  if (path.startsWith("src/testing/tidy")) return [];
  const banned = isTest(path) ? BANNED : [...BANNED, ...BANNED_IN_SOURCE];
  return banned.flatMap(([word, instead]) => {
    const found = word.exec(text);
    return found === null ? [] : [`${found[0]}: ${instead}`];
  });
}
