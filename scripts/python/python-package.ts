// Builds the Python simulator from the `python` folder and the maps, as two packages: a wheel that
// pip installs without a build, and a source package.

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";

import { PYTHON_WHEEL, PYTHON_SOURCE } from "#core/api/download.ts";

import { tarGz } from "../archives/tar.ts";
import type { ArchivedFile } from "../archives/tar.ts";
import { createZip } from "../archives/zip.ts";
import { pythonMetadata } from "./python-metadata.ts";

const ROOT = join(import.meta.dirname, "../..");
const MAPS = "src/core/engine/maps";
const PACKAGE = "src/bout_sim";
/** By convention, a source package unpacks into a folder named after the package. */
const TOP_FOLDER = PYTHON_SOURCE.name.replace(/\.tar\.gz$/, "");
const SOURCE = /\.py$|(?:^|[\\/])py\.typed$/;

const WHEEL = `Wheel-Version: 1.0
Generator: bout
Root-Is-Purelib: true
Tag: py3-none-any
`;

/**
 * Returns the source package as a gzipped tar archive. Throws an Error if the package version
 * differs from the engine version.
 */
export async function pythonSourcePackage(): Promise<Uint8Array> {
  const { text } = await pythonMetadata();
  const ownFiles = ["README.md", "pyproject.toml", "setup.py"].map(async (name) => ({
    path: name,
    content: await readFile(join(ROOT, "python", name)),
  }));
  const files = [
    { path: "PKG-INFO", content: Buffer.from(text) },
    { path: "LICENSE", content: await readFile(join(ROOT, "LICENSE")) },
    ...(await Promise.all(ownFiles)),
    ...(await packageModules(PACKAGE)),
  ];
  return tarGz(files.map(({ path, content }) => ({ path: `${TOP_FOLDER}/${path}`, content })));
}

/**
 * Returns the wheel. Format:
 * https://packaging.python.org/specifications/binary-distribution-format.
 */
export async function pythonWheel(): Promise<Uint8Array> {
  const { text, entryPoints } = await pythonMetadata();
  const folder = `${PYTHON_WHEEL.name.split("-").slice(0, 2).join("-")}.dist-info`;
  const files = [
    ...(await packageModules("bout_sim")),
    { path: `${folder}/METADATA`, content: Buffer.from(text) },
    { path: `${folder}/WHEEL`, content: Buffer.from(WHEEL) },
    { path: `${folder}/entry_points.txt`, content: Buffer.from(entryPoints) },
    { path: `${folder}/licenses/LICENSE`, content: await readFile(join(ROOT, "LICENSE")) },
  ];
  const record = `${folder}/RECORD`;
  const lines = [...files.map(recordLine), `${record},,`];
  return createZip([...files, { path: record, content: Buffer.from(`${lines.join("\n")}\n`) }]);
}

function recordLine({ path, content }: ArchivedFile): string {
  const hash = createHash("sha256").update(content).digest("base64url");
  return `${path},sha256=${hash},${content.length}`;
}

async function packageModules(folder: string): Promise<ArchivedFile[]> {
  const sources = join(ROOT, "python", PACKAGE);
  const modules = (await readdir(sources, { recursive: true })).filter((file) => SOURCE.test(file));
  const maps = await readdir(join(ROOT, MAPS));
  const files = [
    ...modules.map((file) => [file.replaceAll(sep, "/"), join(sources, file)] as const),
    ...maps.map((file) => [`maps/${file}`, join(ROOT, MAPS, file)] as const),
  ];
  const sortedFiles = files.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Promise.all(
    sortedFiles.map(async ([path, sourcePath]) => ({
      path: `${folder}/${path}`,
      content: await readFile(sourcePath),
    })),
  );
}
