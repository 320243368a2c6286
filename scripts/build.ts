// Builds everything that doesn't run from source: the site, the emails and the files for bot
// authors. Also fills the compile cache for everything else.
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

import { assertDefined } from "#base/util/assert-defined.ts";
import { COMMANDS_PACKAGE, SIMULATOR_FILES } from "#core/api/download.ts";
import { HYDRATED_VIEWS } from "#site/shell/data.ts";
import type { HydratedView } from "#site/shell/data.ts";
import type { BuildManifest, BuiltFile } from "#web/docs/build-manifest.ts";

import { buildCommandsPackage } from "./build-package.ts";
import { buildSimulator } from "./build-simulator.ts";
import { writeCompileCache } from "./compile-cache.ts";
import { cardPng } from "./social-card.ts";

const ROOT = join(import.meta.dirname, "..");

type BuildProduct = {
  name: string;
  sources: readonly string[];
  make: (folder: string) => Promise<void>;
};

const ASSETS = "client/assets";
const EMAILS_FILE = "emails.js";
const HASH_LENGTH = 8;
const SHARED_SOURCES = ["src/core", "src/base/util", "scripts/build.ts", "package.json"];
const STARTERS: readonly BuiltFile[] = [
  {
    name: "starter.ts",
    type: "text/plain",
    about: "A complete bot in TypeScript; needs Node 22.18 or newer and the ws package.",
  },
  {
    name: "starter.py",
    type: "text/x-python",
    about: "The same bot in Python; needs Python 3.11 or newer and the websockets package.",
  },
];
const starterPath = ({ name }: BuiltFile): string => `src/tools/starters/${name}`;

const BUILD_PRODUCTS: readonly BuildProduct[] = [
  {
    name: "site",
    sources: ["src/site", "scripts/social-card.ts", ...SHARED_SOURCES],
    make: buildSite,
  },
  {
    name: "emails",
    sources: ["src/site/mail", "src/site/ui", ...SHARED_SOURCES],
    make: buildEmails,
  },
  {
    name: "simulator",
    sources: [
      "src/tools/simulator",
      "src/core/ids/house-bots.ts",
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
    make: buildSimulator,
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
    make: buildCommandsPackage,
  },
  { name: "starters", sources: STARTERS.map(starterPath), make: copyStarters },
  // Lists no sources: Node compares file contents, so the cache can't be stale.
  { name: "compiled", sources: [], make: writeCompileCache },
];

const DIST = join(ROOT, "dist");
const outputPath = (name: string): string => join(DIST, name);
/**
 * Written last, with the time at which the build began. A source changed during the build therefore
 * counts as newer.
 */
const stampPath = (name: string): string => join(outputPath(name), "built");

/** Builds a product. With `stale`, skips a product that is newer than all of its sources. */
async function build(
  product: BuildProduct,
  options: { stale: boolean },
): Promise<"built" | "fresh"> {
  if (options.stale && (await isFresh(product))) return "fresh";
  // The finished build replaces the old one with a single rename, so servers and tests never see a
  // partial build.
  const output = outputPath(product.name);
  const nextOutput = `${output}.next-${process.pid}`;
  const previousOutput = `${output}.last-${process.pid}`;
  const started = new Date();
  await buildOrCleanUp(product, nextOutput);
  await writeFile(join(nextOutput, "built"), "");
  await utimes(join(nextOutput, "built"), started, started);
  await mkdir(DIST, { recursive: true });
  if (existsSync(output)) await rename(output, previousOutput);
  await rename(nextOutput, output);
  await rm(previousOutput, { recursive: true, force: true });
  return "built";
}

async function buildOrCleanUp({ make }: BuildProduct, folder: string): Promise<void> {
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

async function buildSite(folder: string): Promise<void> {
  const vite = await import("vite");
  await vite.build(clientConfig(join(folder, "client")));
  await vite.build(serverConfig(join(folder, "server"), "shell/server.tsx", "server.js"));
  const card = cardPng();
  const hash = createHash("sha256").update(card).digest("base64url").slice(0, HASH_LENGTH);
  await writeFile(join(folder, ASSETS, `card-${hash}.png`), card);
  await compressTexts(join(folder, ASSETS));
}

async function buildEmails(folder: string): Promise<void> {
  const vite = await import("vite");
  await vite.build(serverConfig(folder, "mail/render-email.ts", EMAILS_FILE));
}

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

function sharedConfig(outDir: string): InlineConfig {
  return {
    configFile: false,
    root: join(ROOT, "src", "site", "shell"),
    publicDir: false,
    logLevel: "error",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: { outDir, emptyOutDir: true, target: "es2023", reportCompressedSize: false },
  };
}

function clientConfig(outDir: string): InlineConfig {
  const config = sharedConfig(outDir);
  return {
    ...config,
    build: {
      ...config.build,
      manifest: "manifest.json",
      modulePreload: { polyfill: false },
      // The content security policy forbids inline code.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: ["client.tsx", "early-script.ts", "style.css"].map((name) =>
          join(ROOT, "src/site/shell", name),
        ),
      },
    },
  };
}

function serverConfig(outDir: string, entry: string, name: string): InlineConfig {
  const config = sharedConfig(outDir);
  return {
    ...config,
    build: {
      ...config.build,
      ssr: join(ROOT, "src/site", entry),
      rolldownOptions: { output: { entryFileNames: name } },
    },
  };
}

/** Lists the files that the server may serve, including files from reused builds. */
async function writeManifest(): Promise<void> {
  const isBuilt = (name: string) => existsSync(stampPath(name));
  const manifest: BuildManifest = {
    site: isBuilt("site") ? await describeSite() : null,
    emails: isBuilt("emails") ? `emails/${EMAILS_FILE}` : null,
    package: isBuilt("package") ? await describeCommands() : null,
    simulator: isBuilt("simulator") ? SIMULATOR_FILES : [],
    starters: isBuilt("starters") ? STARTERS : [],
  };
  await mkdir(DIST, { recursive: true });
  const next = join(DIST, `manifest.json.next-${process.pid}`);
  await writeFile(next, `${JSON.stringify(manifest, null, 2)}\n`);
  await rename(next, join(DIST, "manifest.json"));
}

/**
 * The file name comes from the folder, because a reused package may belong to an earlier release.
 */
async function describeCommands(): Promise<BuiltFile> {
  const files = await readdir(outputPath("package"));
  const name = assertDefined(
    files.find((file) => file.endsWith(".tgz")),
    "package in the build",
  );
  return { name, ...COMMANDS_PACKAGE };
}

async function cardFileName(): Promise<string> {
  const files = await readdir(join(outputPath("site"), ASSETS));
  return assertDefined(
    files.find((file) => file.startsWith("card-")),
    "card in the build",
  );
}

async function describeSite(): Promise<BuildManifest["site"]> {
  const text = await readFile(join(outputPath("site"), "client", "manifest.json"), "utf8");
  const files = JSON.parse(text) as Record<string, { file: string; imports?: string[] }>;
  const builtFile = (source: string) => assertDefined(files[source], `${source} in the build`);
  const entry = (source: string) => `/${builtFile(source).file}`;
  const withImports = (source: string): string[] => [
    source,
    ...(builtFile(source).imports ?? []).flatMap(withImports),
  ];
  const initialSources = new Set(withImports("client.tsx"));
  const preloadFiles = (view: HydratedView) =>
    [...new Set(withImports(`../${view}.tsx`))]
      .filter((source) => !initialSources.has(source))
      .map(entry);
  return {
    server: "site/server/server.js",
    assets: `site/${ASSETS}`,
    entries: {
      script: entry("client.tsx"),
      earlyScript: entry("early-script.ts"),
      style: entry("style.css"),
      shareCard: `/assets/${await cardFileName()}`,
      views: Object.fromEntries(HYDRATED_VIEWS.map((view) => [view, preloadFiles(view)])) as Record<
        HydratedView,
        string[]
      >,
    },
  };
}

async function isFresh({ name, sources }: BuildProduct): Promise<boolean> {
  if (!existsSync(stampPath(name))) return false;
  const built = (await stat(stampPath(name))).mtimeMs;
  const mtimes = await Promise.all(sources.map((source) => newestMtime(join(ROOT, source))));
  return Math.max(...mtimes) < built;
}

/**
 * Returns the newest modification time below a path. Includes folders, because adding or removing a
 * file changes only its folder's time.
 */
async function newestMtime(path: string): Promise<number> {
  const ownStats = await stat(path);
  if (!ownStats.isDirectory()) return ownStats.mtimeMs;
  const children = (await readdir(path)).filter((name) => !name.endsWith(".test.ts"));
  const mtimes = await Promise.all(children.map((name) => newestMtime(join(path, name))));
  return Math.max(ownStats.mtimeMs, ...mtimes);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { stale: { type: "boolean", default: false } } });
  for (const product of BUILD_PRODUCTS) {
    await report(product, values).catch(reportFailure(product));
    await writeManifest();
  }
}

async function report(product: BuildProduct, options: { stale: boolean }): Promise<void> {
  const started = performance.now();
  const outcome = await build(product, options);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const { name } = product;
  console.log(outcome === "fresh" ? `${name} is up to date` : `${name} built in ${seconds} s`);
}

/**
 * Without vite, as in an installation without development dependencies, an existing build is
 * reused.
 */
function reportFailure({ name }: BuildProduct): (error: unknown) => void {
  return (error) => {
    const isToolMissing = (error as { code?: string }).code === "ERR_MODULE_NOT_FOUND";
    if (isToolMissing && existsSync(stampPath(name)))
      return console.log(`${name} reused: vite is not installed`);
    console.error(`${name} not built: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main();
