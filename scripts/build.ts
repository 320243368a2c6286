// Builds what does not run from source: the site, and the simulator that authors download. What runs
// from source is compiled ahead.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs, promisify } from "node:util";
import zlib, { constants } from "node:zlib";

import type { InlineConfig } from "vite";

import { sure } from "#base/units/sure.ts";
import { COMMANDS, SIMULATOR_FILES } from "#core/resources/download.ts";
import { LIVE_VIEWS } from "#site/public/data.ts";
import type { LiveView } from "#site/public/data.ts";
import type { BuildManifest, BuiltFile } from "#web/docs/build.ts";

import { makePackage } from "./build-package.ts";
import { makeSimulator } from "./build-simulator.ts";
import { cardPng } from "./card.ts";
import { compileServer } from "./compile.ts";

const ROOT = join(import.meta.dirname, "..");

type Product = {
  /** Folder in dist. */
  name: string;
  sources: readonly string[];
  /** Leaves the product in a folder. */
  make: (folder: string) => Promise<void>;
};

/** In the folder of the site. */
const ASSETS = "client/assets";
/** In the folder of the letters. */
const LETTERS = "letters.js";
/** Of a name, as the bundler makes them. */
const HASH_LENGTH = 8;
const SHARED_SOURCES = ["src/core", "src/base/units", "scripts/build.ts", "package.json"];
/** Each works without the rest of this project. */
const STARTERS: readonly BuiltFile[] = [
  {
    name: "starter.ts",
    type: "text/plain",
    about: "A whole bot in TypeScript; needs Node 22.18 or newer and the package ws.",
  },
  {
    name: "starter.py",
    type: "text/x-python",
    about: "The same bot in Python; needs Python 3.11 or newer and the package websockets.",
  },
];
const starterPath = ({ name }: BuiltFile): string => `src/tools/starters/${name}`;

const PRODUCTS: readonly Product[] = [
  {
    name: "site",
    sources: ["src/site", "scripts/card.ts", ...SHARED_SOURCES],
    make: makeSite,
  },
  {
    name: "letters",
    sources: ["src/site/mail", "src/site/look", ...SHARED_SOURCES],
    make: makeLetters,
  },
  {
    name: "simulator",
    sources: [
      "src/tools/simulator",
      "src/core/words/house.ts",
      "python/src",
      "python/pyproject.toml",
      "python/setup.py",
      "python/README.md",
      "scripts/build-simulator.ts",
      "scripts/declarations.ts",
      "scripts/python",
      "scripts/archives",
      "LICENSE",
      ...SHARED_SOURCES,
    ],
    make: makeSimulator,
  },
  {
    name: "package",
    sources: [
      "src/tools",
      "src/live",
      "src/server",
      "src/base",
      "scripts/build-package.ts",
      "scripts/archives",
      ...SHARED_SOURCES,
    ],
    make: makePackage,
  },
  { name: "starters", sources: STARTERS.map(starterPath), make: copyStarters },
  // Without sources: it is never wrong, because Node compares contents, and so never stale.
  { name: "compiled", sources: [], make: compileServer },
];

const DIST = join(ROOT, "dist");
const outputOf = (name: string): string => join(DIST, name);
/** Written last, with the time when the build began, so that a later change is never missed. */
const stampOf = (name: string): string => join(outputOf(name), "built");

/**
 * Builds a product, unless only stale ones are requested and the build is newer than every source.
 */
async function build(product: Product, options: { stale: boolean }): Promise<"built" | "fresh"> {
  if (options.stale && (await isFresh(product))) return "fresh";
  // A finished build is swapped in whole, so a server or a test never sees half of one.
  const output = outputOf(product.name);
  const next = `${output}.next-${process.pid}`;
  const last = `${output}.last-${process.pid}`;
  const started = new Date();
  await makeWhole(product, next);
  await writeFile(join(next, "built"), "");
  await utimes(join(next, "built"), started, started);
  await mkdir(DIST, { recursive: true });
  if (existsSync(output)) await rename(output, last);
  await rename(next, output);
  await rm(last, { recursive: true, force: true });
  return "built";
}

/** Leaves nothing behind if it fails. */
async function makeWhole({ make }: Product, folder: string): Promise<void> {
  try {
    await make(folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function copyStarters(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const starter of STARTERS)
    await copyFile(join(ROOT, starterPath(starter)), join(folder, starter.name));
}

async function makeSite(folder: string): Promise<void> {
  const vite = await import("vite");
  await vite.build(clientConfig(join(folder, "client")));
  await vite.build(serverConfig(join(folder, "server"), "public/server.tsx", "server.js"));
  const card = cardPng();
  const hash = createHash("sha256").update(card).digest("base64url").slice(0, HASH_LENGTH);
  await writeFile(join(folder, ASSETS, `card-${hash}.png`), card);
  await compressTexts(join(folder, ASSETS));
}

async function makeLetters(folder: string): Promise<void> {
  const vite = await import("vite");
  await vite.build(serverConfig(folder, "mail/letters.ts", LETTERS));
}

/** Makes the compressed forms of each file next to it, so that no server has to. */
async function compressTexts(folder: string): Promise<void> {
  const texts = (await readdir(folder)).filter((name) => TEXT_FILE.test(name));
  await Promise.all(
    texts.map(async (name) => {
      const path = join(folder, name);
      const text = await readFile(path);
      await writeFile(`${path}.gz`, await gzip(text, { level: constants.Z_BEST_COMPRESSION }));
      await writeFile(`${path}.br`, await brotli(text));
    }),
  );
}

const TEXT_FILE = /\.(?:css|js|svg)$/;
const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);

function shared(outDir: string): InlineConfig {
  return {
    configFile: false,
    root: join(ROOT, "src", "site", "public"),
    publicDir: false,
    logLevel: "error",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: { outDir, emptyOutDir: true, target: "es2023", reportCompressedSize: false },
  };
}

function clientConfig(outDir: string): InlineConfig {
  const config = shared(outDir);
  return {
    ...config,
    build: {
      ...config.build,
      manifest: "manifest.json",
      modulePreload: { polyfill: false },
      // Nothing is inlined: the content security policy allows no inline code.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: ["client.tsx", "early.ts", "style.css"].map((name) =>
          join(ROOT, "src/site/public", name),
        ),
      },
    },
  };
}

function serverConfig(outDir: string, entry: string, name: string): InlineConfig {
  const config = shared(outDir);
  return {
    ...config,
    build: {
      ...config.build,
      ssr: join(ROOT, "src/site", entry),
      rolldownOptions: { output: { entryFileNames: name } },
    },
  };
}

/** Lists what there is to serve, whether new or kept. The server knows nothing else. */
async function writeManifest(): Promise<void> {
  const built = (name: string) => existsSync(stampOf(name));
  const manifest: BuildManifest = {
    site: built("site") ? await describeSite() : null,
    letters: built("letters") ? `letters/${LETTERS}` : null,
    package: built("package") ? await describeCommands() : null,
    simulator: built("simulator") ? SIMULATOR_FILES : [],
    starters: built("starters") ? STARTERS : [],
  };
  await mkdir(DIST, { recursive: true });
  const next = join(DIST, `manifest.json.next-${process.pid}`);
  await writeFile(next, `${JSON.stringify(manifest, null, 2)}\n`);
  await rename(next, join(DIST, "manifest.json"));
}

/** A package that was kept as built may be that of an earlier release. */
async function describeCommands(): Promise<BuiltFile> {
  const files = await readdir(outputOf("package"));
  const name = sure(
    files.find((file) => file.endsWith(".tgz")),
    "package in the build",
  );
  return { name, ...COMMANDS };
}

async function cardName(): Promise<string> {
  const files = await readdir(join(outputOf("site"), ASSETS));
  return sure(
    files.find((file) => file.startsWith("card-")),
    "card in the build",
  );
}

async function describeSite(): Promise<BuildManifest["site"]> {
  const text = await readFile(join(outputOf("site"), "client", "manifest.json"), "utf8");
  const files = JSON.parse(text) as Record<string, { file: string; imports?: string[] }>;
  const built = (source: string) => sure(files[source], `${source} in the build`);
  const entry = (source: string) => `/${built(source).file}`;
  const withImports = (source: string): string[] => [
    source,
    ...(built(source).imports ?? []).flatMap(withImports),
  ];
  const loaded = new Set(withImports("client.tsx"));
  const ahead = (view: LiveView) =>
    [...new Set(withImports(`../${view}.tsx`.replace("../public/", "")))]
      .filter((source) => !loaded.has(source))
      .map(entry);
  return {
    server: "site/server/server.js",
    assets: `site/${ASSETS}`,
    entries: {
      script: entry("client.tsx"),
      early: entry("early.ts"),
      style: entry("style.css"),
      card: `/assets/${await cardName()}`,
      views: Object.fromEntries(LIVE_VIEWS.map((view) => [view, ahead(view)])) as Record<
        LiveView,
        string[]
      >,
    },
  };
}

async function isFresh({ name, sources }: Product): Promise<boolean> {
  if (!existsSync(stampOf(name))) return false;
  const built = (await stat(stampOf(name))).mtimeMs;
  const times = await Promise.all(sources.map((source) => newest(join(ROOT, source))));
  return Math.max(...times) < built;
}

/** Folders count too: adding or removing a file changes the time of its folder. */
async function newest(path: string): Promise<number> {
  const own = await stat(path);
  if (!own.isDirectory()) return own.mtimeMs;
  const inside = (await readdir(path)).filter((name) => !name.endsWith(".test.ts"));
  const times = await Promise.all(inside.map((name) => newest(join(path, name))));
  return Math.max(own.mtimeMs, ...times);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { stale: { type: "boolean", default: false } } });
  for (const product of PRODUCTS) {
    await report(product, values).catch(explain(product));
    await writeManifest();
  }
}

async function report(product: Product, options: { stale: boolean }): Promise<void> {
  const started = performance.now();
  const outcome = await build(product, options);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const { name } = product;
  console.log(outcome === "fresh" ? `${name} is up to date` : `${name} built in ${seconds} s`);
}

/** Installing without development tools keeps a build that came with the files. */
function explain({ name }: Product): (error: unknown) => void {
  return (error) => {
    const missing = (error as { code?: string }).code === "ERR_MODULE_NOT_FOUND";
    if (missing && existsSync(stampOf(name)))
      return console.log(`${name} kept as built: vite is not installed`);
    console.error(`${name} not built: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main();
