// The only table of the wings and rooms of src, and of who may import whom.

import { dirname, normalize } from "node:path/posix";

/** A file with its path from the root of the repository. */
export type SourceFile = { path: string; text: string };

/** One import of one file by another, both as paths from the root of the repository. */
export type Import = { from: string; to: string };

type Wing = {
  /** Folders of the wing. If their order is binding, none imports a later one. */
  rooms: readonly string[];
  isOrdered?: boolean;
  /** Wings, rooms or files of other wings. `ABOVE` stands for all wings before it in the table. */
  mayImport: readonly string[];
};

const ABOVE = "all above";

export const WINGS: Readonly<Record<string, Wing>> = {
  base: {
    rooms: ["units", "clock", "threads", "cache", "token-bucket"],
    isOrdered: true,
    mayImport: [],
  },
  core: {
    rooms: [
      "words",
      "engine",
      "rating",
      "graph-matching",
      "pairing",
      "protocol",
      "policies",
      "replay",
      "ladder",
      "accounts",
      "events",
      "mail",
      "resources",
      "operator",
    ],
    isOrdered: true,
    mayImport: ["base/units"],
  },
  data: {
    rooms: [
      "store",
      "access",
      "queries",
      "accounts",
      "ladders",
      "events",
      "settings",
      "announcements",
      "days",
      "mail",
      "identity",
      "sqlite",
      "postgres",
      "migrations",
      "cached",
      "files",
    ],
    mayImport: ["core", "base"],
  },
  outside: {
    rooms: ["identity", "grants", "mail"],
    mayImport: ["core", "base", "data/store", "data/access"],
  },
  live: {
    rooms: [
      "match",
      "matchmaker",
      "recorder",
      "health",
      "diagnostics",
      "arena",
      "sockets",
      "house",
      "play",
      "practice",
      "standings",
      "awards",
      "profiling",
    ],
    mayImport: ["core", "base", "data/store", "data/access", "data/files"],
  },
  site: {
    rooms: [
      "public",
      "look",
      "avatars",
      "standings",
      "bot",
      "sign-in",
      "account",
      "admin",
      "admin-ladders",
      "admin-profiling",
      "admin-settings",
      "admin-figures",
      "admin-mail",
      "admin-announcements",
      "create",
      "events",
      "guide",
      "viewer",
      "play",
      "mail",
    ],
    mayImport: ["core", "base/units"],
  },
  web: {
    rooms: [
      "http",
      "auth",
      "docs",
      "pages",
      "api",
      "bots",
      "account",
      "ladders",
      "events",
      "admin",
      "reports",
      "mcp",
    ],
    mayImport: [
      "core",
      "base",
      "data/store",
      "data/access",
      "data/files",
      "outside/identity/provider.ts",
      "live/arena/view.ts",
      "outside/identity/embedded.ts",
      "site/public/data.ts",
      "site/standings/data.ts",
      "site/bot/data.ts",
      "site/account/data.ts",
      "site/admin/data.ts",
      "site/create/data.ts",
      "site/events/data.ts",
      "site/guide/data.ts",
    ],
  },
  server: { rooms: ["composition", "configuration", "jobs"], mayImport: [ABOVE] },
  tools: {
    rooms: [
      "cli",
      "operator",
      "keep",
      "doctor",
      "rehearse",
      "terminal",
      "local",
      "verify",
      "simulator",
      "starters",
      "onboard",
      "program",
    ],
    mayImport: [ABOVE],
  },
  testing: {
    rooms: [
      "actors",
      "simulation",
      "invariants",
      "store-cases",
      "harness",
      "torture",
      "fixtures",
      "fairness",
      "mail-months",
      "tidy",
    ],
    mayImport: [ABOVE],
  },
};

/** Where the program lived until release 0.53: one file that points to the new address. */
const FORWARDER = "src/cli/bout.ts";

const isTest = (path: string): boolean => path.endsWith(".test.ts");

/** Tests, the wing of tests, and whatever is outside src may import everything. */
const isFree = (path: string): boolean =>
  isTest(path) || !path.startsWith("src/") || path.startsWith("src/testing/");

/** Module names in static and dynamic imports, re-exports and worker URLs. */
export function moduleNames(text: string): string[] {
  const imported = text.matchAll(/(?:from|import)\s*\(?\s*"([#.][^"]+)"/g);
  const located = text.matchAll(/new URL\(\s*"(\.[^"]+)",\s*import\.meta\.url/g);
  const resolved = text.matchAll(/import\.meta\.resolve\("(#[^"]+)"\)/g);
  return [...imported, ...located, ...resolved].map(([, name]) => name!);
}

/** Every import between files of the repository; packages are excluded. */
export function importsOf(sources: readonly SourceFile[]): Import[] {
  const known = new Set(sources.map(({ path }) => path));
  return sources.flatMap(({ path, text }) =>
    moduleNames(text)
      .map((name) => targetOf(path, name))
      .filter((to) => known.has(to) || to.startsWith("src/"))
      .map((to) => ({ from: path, to })),
  );
}

const targetOf = (path: string, name: string): string =>
  name.startsWith("#") ? `src/${name.slice(1)}` : normalize(`${dirname(path)}/${name}`);

/** A place in the words of the table: wing, wing and room, path within src. */
function placeOf(path: string): { wing: string; room: string; inside: string } {
  const inside = path.slice("src/".length);
  const [wing = "", room = ""] = inside.split("/");
  return { wing, room: `${wing}/${room}`, inside };
}

const wingNames = Object.keys(WINGS);

function allowancesOf(wing: string): readonly string[] {
  const { mayImport } = WINGS[wing]!;
  return mayImport.includes(ABOVE) ? wingNames.slice(0, wingNames.indexOf(wing)) : mayImport;
}

/** The allowance that permits an import between two wings, or null. */
function allowanceOf({ from, to }: Import): string | null {
  const target = placeOf(to);
  const places = [target.wing, target.room, target.inside];
  return allowancesOf(placeOf(from).wing).find((allowed) => places.includes(allowed)) ?? null;
}

/** Imports that the table covers. */
const bound = (imports: readonly Import[]): Import[] =>
  imports.filter(({ from }) => !isFree(from) && from !== FORWARDER);

/** Imports that the table does not allow, one line each. */
export function strayImports(imports: readonly Import[]): string[] {
  return bound(imports).flatMap(strayReason);
}

function strayReason(one: Import): string[] {
  const [here, there] = [placeOf(one.from), placeOf(one.to)];
  const line = `${one.from} imports ${one.to}`;
  if (here.wing !== there.wing) return allowanceOf(one) === null ? [line] : [];
  const { rooms, isOrdered = false } = WINGS[here.wing]!;
  const orderOf = (room: string) => rooms.indexOf(room.split("/")[1]!);
  if (!isOrdered || orderOf(there.room) <= orderOf(here.room)) return [];
  return [`${line}, a later room`];
}

/** Allowances of the table that no import uses. */
export function unusedAllowances(imports: readonly Import[]): string[] {
  const used = new Set(
    bound(imports)
      .filter(({ from, to }) => placeOf(from).wing !== placeOf(to).wing)
      .map((one) => `${placeOf(one.from).wing} may import ${allowanceOf(one)}`),
  );
  const given = Object.entries(WINGS).flatMap(([wing, { mayImport }]) =>
    mayImport.filter((one) => one !== ABOVE).map((one) => `${wing} may import ${one}`),
  );
  return given.filter((one) => !used.has(one));
}

/** Modules are addressed by their path from src, or by file name within a room. */
export function misnamedModules({ path, text }: SourceFile): string[] {
  if (!path.startsWith("src/") || isTest(path)) return [];
  const { room } = placeOf(path);
  return moduleNames(text).flatMap((name) => {
    const own = name.startsWith(`#${room}/`);
    return own ? [`${path}: ${name} is in this room: import ./${name.split("/").at(-1)}`] : [];
  });
}

/** Folders that are not rooms of the table, and rooms without a file. */
export function strayRooms(sources: readonly SourceFile[]): string[] {
  const inSrc = sources.filter(({ path }) => path.startsWith("src/") && path !== FORWARDER);
  const found = new Set(inSrc.map(({ path }) => placeOf(path).room));
  const given = Object.entries(WINGS).flatMap(([wing, { rooms }]) =>
    rooms.map((room) => `${wing}/${room}`),
  );
  const strays = [...found].filter((room) => !given.includes(room));
  const empty = given.filter((room) => !found.has(room));
  return [
    ...strays.map((room) => `${room} is no room`),
    ...empty.map((room) => `${room} is empty`),
  ];
}

const MOST_FILES = 25;
/** The rules of the combat stay together. */
const LARGE_ROOMS = ["core/engine"];

/** Rooms with too many product files to remember. */
export function crowdedRooms(sources: readonly SourceFile[]): string[] {
  const inSrc = sources.filter(({ path }) => path.startsWith("src/") && !isFree(path));
  const counts = Map.groupBy(inSrc, ({ path }) => placeOf(path).room);
  return [...counts]
    .filter(([room, files]) => files.length > MOST_FILES && !LARGE_ROOMS.includes(room))
    .map(([room, files]) => `${room} has ${files.length} files`);
}
