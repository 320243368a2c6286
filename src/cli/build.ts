// Builds the site: its server-side pages and its client assets, through Vite, into dist/site.
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

import type { InlineConfig } from "vite";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const OUTPUT = join(ROOT, "dist", "site");
/** Written last; its time is when the build began, so that a later change is never missed. */
const STAMP = join(OUTPUT, "built");
const SOURCES = [
  "src/site",
  "src/viewer",
  "src/engine",
  "src/protocol",
  "src/cli/build.ts",
  "package.json",
];

/** Builds the site unless `stale` asks to and the build is newer than every source. */
export async function buildSite(options: { stale: boolean }): Promise<"built" | "fresh"> {
  if (options.stale && (await isFresh())) return "fresh";
  // A finished build is swapped in whole: a server or a test never meets half of one.
  const next = `${OUTPUT}.next-${process.pid}`;
  const last = `${OUTPUT}.last-${process.pid}`;
  const started = new Date();
  const { build } = await import("vite");
  await build(clientConfig(join(next, "client")));
  await build(serverConfig(join(next, "server")));
  await writeFile(join(next, "built"), "");
  await utimes(join(next, "built"), started, started);
  await mkdir(dirname(OUTPUT), { recursive: true });
  if (existsSync(OUTPUT)) await rename(OUTPUT, last);
  await rename(next, OUTPUT);
  await rm(last, { recursive: true, force: true });
  return "built";
}

function shared(outDir: string): InlineConfig {
  return {
    configFile: false,
    root: join(ROOT, "src", "site"),
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
      // Everything is a file of its own: the content security policy allows no inline code.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: [join(ROOT, "src/site/client.tsx"), join(ROOT, "src/site/style.css")],
      },
    },
  };
}

function serverConfig(outDir: string): InlineConfig {
  const config = shared(outDir);
  return {
    ...config,
    build: {
      ...config.build,
      ssr: join(ROOT, "src/site/server.tsx"),
      rolldownOptions: { output: { entryFileNames: "server.js" } },
    },
  };
}

async function isFresh(): Promise<boolean> {
  if (!existsSync(STAMP)) return false;
  const built = (await stat(STAMP)).mtimeMs;
  const times = await Promise.all(SOURCES.map((source) => newest(join(ROOT, source))));
  return Math.max(...times) < built;
}

/** Folders count too: a file that was added or removed changes the time of its folder. */
async function newest(path: string): Promise<number> {
  const own = await stat(path);
  if (!own.isDirectory()) return own.mtimeMs;
  const inside = (await readdir(path)).filter((name) => !name.endsWith(".test.ts"));
  const times = await Promise.all(inside.map((name) => newest(join(path, name))));
  return Math.max(own.mtimeMs, ...times);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { stale: { type: "boolean", default: false } } });
  const started = performance.now();
  const outcome = await buildSite(values);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(outcome === "fresh" ? "site is up to date" : `site built in ${seconds} s`);
}

/** Installing without development tools keeps a build that came with the files. */
function explain(error: unknown): void {
  const missing = (error as { code?: string }).code === "ERR_MODULE_NOT_FOUND";
  if (missing && existsSync(STAMP)) return console.log("site kept as built: vite is not installed");
  console.error(`site not built: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main().catch(explain);
