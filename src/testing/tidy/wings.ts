// The single table of src's wings and rooms, and of the imports allowed between them.

import { dirname, normalize } from "node:path/posix";

/** `path` is from the repository root. */
export type SourceFile = { path: string; text: string };

/** Both paths are from the repository root. */
export type Import = { from: string; to: string };

type Wing = {
  /** The wing's folders. If `isOrdered`, no room imports from a later room. */
  rooms: readonly string[];
  isOrdered?: boolean;
  /** Wings, rooms or files in other wings. `ABOVE` means all wings before this one in the table. */
  mayImport: readonly string[];
};

export const ABOVE = "all above";

export const WINGS: Readonly<Record<string, Wing>> = {
  base: {
    rooms: ["util", "clock", "threads", "cache", "token-bucket"],
    isOrdered: true,
    mayImport: [],
  },
  core: {
    rooms: [
      "ids",
      "limits",
      "engine",
      "rating",
      "graph-matching",
      "pairing",
      "protocol",
      "bot-policies",
      "replay",
      "ladder",
      "accounts",
      "events",
      "mail",
      "api",
    ],
    isOrdered: true,
    mayImport: ["base/util"],
  },
  data: {
    rooms: [
      "store",
      "credentials",
      "queries",
      "accounts",
      "ladders",
      "events",
      "settings",
      "announcements",
      "daily-stats",
      "mail",
      "identity",
      "sqlite",
      "postgres",
      "migrations",
      "invalidation",
      "files",
    ],
    mayImport: ["core", "base"],
  },
  adapters: {
    rooms: ["identity", "oauth", "mail"],
    mayImport: ["core", "base", "data/store", "data/credentials"],
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
      "house-bots",
      "human-match",
      "watching",
      "practice",
      "standings",
      "awards",
      "profiling",
    ],
    mayImport: ["core", "base", "data/store", "data/credentials", "data/files"],
  },
  site: {
    rooms: [
      "shell",
      "match",
      "ui",
      "avatars",
      "standings",
      "bot",
      "sign-in",
      "account",
      "admin",
      "admin-ladders",
      "admin-profiling",
      "admin-settings",
      "admin-metrics",
      "admin-mail",
      "admin-announcements",
      "create",
      "events",
      "guide",
      "viewer",
      "play",
      "mail",
    ],
    mayImport: ["core", "base/util"],
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
      "data/credentials",
      "data/files",
      "adapters/identity/identity-provider.ts",
      "live/arena/arena-view.ts",
      "adapters/identity/embedded-provider.ts",
      "site/shell/data.ts",
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
      "author-commands",
      "operator-commands",
      "backup",
      "doctor",
      "load-test",
      "terminal",
      "local-match",
      "verify",
      "simulator",
      "starters",
      "onboard",
      "cli",
    ],
    mayImport: [ABOVE],
  },
  testing: {
    rooms: [
      "actors",
      "simulation",
      "invariants",
      "store-contract",
      "harness",
      "torture",
      "fixtures",
      "fairness",
      "mail-simulation",
      "tidy",
    ],
    mayImport: [ABOVE],
  },
};

const isTest = (path: string): boolean => path.endsWith(".test.ts");

/** Tests, the testing wing, and everything outside src may import anything. */
const isUnrestricted = (path: string): boolean =>
  isTest(path) || !path.startsWith("src/") || path.startsWith("src/testing/");

export function moduleNames(text: string): string[] {
  const importMatches = text.matchAll(/(?:from|import)\s*\(?\s*"([#.][^"]+)"/g);
  const workerUrls = text.matchAll(/new URL\(\s*"(\.[^"]+)",\s*import\.meta\.url/g);
  const resolvedUrls = text.matchAll(/import\.meta\.resolve\("(#[^"]+)"\)/g);
  return [...importMatches, ...workerUrls, ...resolvedUrls].map(([, name]) => name!);
}

/** Returns all imports between files of the repository, excluding packages. */
export function collectImports(sources: readonly SourceFile[]): Import[] {
  const known = new Set(sources.map(({ path }) => path));
  return sources.flatMap(({ path, text }) =>
    moduleNames(text)
      .map((name) => resolveImport(path, name))
      .filter((to) => known.has(to) || to.startsWith("src/"))
      .map((to) => ({ from: path, to })),
  );
}

const resolveImport = (path: string, name: string): string =>
  name.startsWith("#") ? `src/${name.slice(1)}` : normalize(`${dirname(path)}/${name}`);

function locate(path: string): { wing: string; room: string; inside: string } {
  const inside = path.slice("src/".length);
  const [wing = "", room = ""] = inside.split("/");
  return { wing, room: `${wing}/${room}`, inside };
}

const wingNames = Object.keys(WINGS);

function listAllowances(wing: string): readonly string[] {
  const { mayImport } = WINGS[wing]!;
  return mayImport.includes(ABOVE) ? wingNames.slice(0, wingNames.indexOf(wing)) : mayImport;
}

function findAllowance({ from, to }: Import): string | null {
  const target = locate(to);
  const places = [target.wing, target.room, target.inside];
  return listAllowances(locate(from).wing).find((allowed) => places.includes(allowed)) ?? null;
}

const restrictedImports = (imports: readonly Import[]): Import[] =>
  imports.filter(({ from }) => !isUnrestricted(from));

/** Returns imports that the table doesn't allow, one line each. */
export function findStrayImports(imports: readonly Import[]): string[] {
  return restrictedImports(imports).flatMap(explainStray);
}

function explainStray(importEdge: Import): string[] {
  const [source, target] = [locate(importEdge.from), locate(importEdge.to)];
  const line = `${importEdge.from} imports ${importEdge.to}`;
  if (source.wing !== target.wing) return findAllowance(importEdge) === null ? [line] : [];
  const { rooms, isOrdered = false } = WINGS[source.wing]!;
  const roomIndex = (room: string) => rooms.indexOf(room.split("/")[1]!);
  if (!isOrdered || roomIndex(target.room) <= roomIndex(source.room)) return [];
  return [`${line}, a later room`];
}

export function findUnusedAllowances(imports: readonly Import[]): string[] {
  const usedAllowances = new Set(
    restrictedImports(imports)
      .filter(({ from, to }) => locate(from).wing !== locate(to).wing)
      .map(
        (importEdge) => `${locate(importEdge.from).wing} may import ${findAllowance(importEdge)}`,
      ),
  );
  const listedRooms = Object.entries(WINGS).flatMap(([wing, { mayImport }]) =>
    mayImport
      .filter((importEdge) => importEdge !== ABOVE)
      .map((importEdge) => `${wing} may import ${importEdge}`),
  );
  return listedRooms.filter((importEdge) => !usedAllowances.has(importEdge));
}

/** Modules are imported by path from src, or by file name within a room. */
export function findMisnamedModules({ path, text }: SourceFile): string[] {
  if (!path.startsWith("src/") || isTest(path)) return [];
  const { room } = locate(path);
  return moduleNames(text).flatMap((name) => {
    const isSameRoom = name.startsWith(`#${room}/`);
    return isSameRoom
      ? [`${path}: ${name} is in the same room: import ./${name.split("/").at(-1)}`]
      : [];
  });
}

/** Returns folders that are missing from the table, and rooms that contain no files. */
export function findStrayRooms(sources: readonly SourceFile[]): string[] {
  const inSrc = sources.filter(({ path }) => path.startsWith("src/"));
  const existingRooms = new Set(inSrc.map(({ path }) => locate(path).room));
  const listedRooms = Object.entries(WINGS).flatMap(([wing, { rooms }]) =>
    rooms.map((room) => `${wing}/${room}`),
  );
  const unlistedRooms = [...existingRooms].filter((room) => !listedRooms.includes(room));
  const emptyRooms = listedRooms.filter((room) => !existingRooms.has(room));
  return [
    ...unlistedRooms.map((room) => `${room} is not a room`),
    ...emptyRooms.map((room) => `${room} is empty`),
  ];
}
