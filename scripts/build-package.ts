// Builds the package with the author commands that ladders serve: one npm tarball without
// dependencies, for Node 20 or later.

import { mkdtemp, readFile, readdir, rm, writeFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";

import type { InlineConfig } from "vite";

import { commandsFileName } from "#core/api/download.ts";

import { tarGz } from "./archives/tar.ts";
import type { ArchivedFile } from "./archives/tar.ts";

const ROOT = join(import.meta.dirname, "..");
const SOURCES = join(ROOT, "src", "tools", "cli");
const PACKAGES = join(ROOT, "node_modules");
/** Packages bundled into the tarball, which must include their licence notices. */
const BUNDLED_PACKAGES = ["commander", "cli-progress", "string-width", "typebox", "ws"];
const COPIED_PACKAGE = "ws";

/** Writes this release's tarball into a folder. The same sources produce the same bytes. */
export async function buildCommandsPackage(folder: string): Promise<void> {
  const { build } = await import("vite");
  const manifest = await packageManifest();
  const workFolder = await mkdtemp(join(tmpdir(), "bout-package-"));
  try {
    await build(bundleConfig(workFolder));
    const files = [
      ...(await filesIn(workFolder, "")),
      ...(await filesIn(join(PACKAGES, COPIED_PACKAGE), `${COPIED_PACKAGE}/`)),
      { path: "start.js", content: await readFile(join(SOURCES, "start.js")) },
      { path: "LICENSE", content: Buffer.from(await noticeText()) },
      { path: "package.json", content: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
    ];
    const packageFiles = files.map(({ path, content }) => ({ path: `package/${path}`, content }));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, commandsFileName(manifest.version)), tarGz(packageFiles));
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

function bundleConfig(outDir: string): InlineConfig {
  return {
    configFile: false,
    root: SOURCES,
    publicDir: false,
    logLevel: "error",
    ssr: { noExternal: true },
    build: {
      outDir,
      ssr: true,
      target: "node20",
      reportCompressedSize: false,
      rolldownOptions: {
        input: ["bout.ts", "sim-worker.ts"].map((name) => join(SOURCES, name)),
        output: { entryFileNames: "[name].js", chunkFileNames: "[name].js" },
      },
    },
  };
}

async function packageManifest() {
  const text = await readFile(join(ROOT, "package.json"), "utf8");
  const { version, license } = JSON.parse(text) as { version: string; license: string };
  const about = "Bout commands for bot authors: onboard, sim, play, replay, verify";
  return {
    name: "@bout-ladder/cli",
    version,
    description: about,
    license,
    type: "module",
    bin: { bout: "start.js" },
    engines: { node: ">=20" },
  };
}

async function filesIn(folder: string, prefix: string): Promise<ArchivedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      const relativePath = path.slice(folder.length + 1).replaceAll(sep, "/");
      return { path: prefix + relativePath, content: await readFile(path) };
    }),
  );
}

async function noticeText(): Promise<string> {
  const ownLicence = await readFile(join(ROOT, "LICENSE"), "utf8");
  const notices = BUNDLED_PACKAGES.map(async (name) => {
    const files = await readdir(join(PACKAGES, name));
    const licence = files.find((file) => /^licen[cs]e(?:\.\w+)?$/i.test(file));
    if (licence === undefined) throw new Error(`${name} has no licence file`);
    return `${name}\n\n${await readFile(join(PACKAGES, name, licence), "utf8")}`;
  });
  return [ownLicence, ...(await Promise.all(notices))].join(`\n${"-".repeat(72)}\n\n`);
}
