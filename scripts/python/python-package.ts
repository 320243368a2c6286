// The Python simulator as two packages made of the folder `python` and the maps: a wheel, which pip
// installs without building anything, and a source package with the files to read and change.

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";

import { PYTHON, PYTHON_SOURCE } from "#core/resources/download.ts";

import { tarGz } from "../archives/tar.ts";
import type { ArchivedFile } from "../archives/tar.ts";
import { zip } from "../archives/zip.ts";
import { pythonMetadata } from "./python-metadata.ts";

const ROOT = join(import.meta.dirname, "../..");
const MAPS = "src/core/engine/maps";
const PACKAGE = "src/bout_sim";
/** A source package unpacks into a folder with its own name. */
const TOP = PYTHON_SOURCE.name.replace(/\.tar\.gz$/, "");
const SOURCE = /\.py$|(?:^|[\\/])py\.typed$/;

const WHEEL = `Wheel-Version: 1.0
Generator: bout
Root-Is-Purelib: true
Tag: py3-none-any
`;

/** The gzipped archive. Throws if the package's version is not the engine's. */
export async function pythonSourcePackage(): Promise<Uint8Array> {
  const { text } = await pythonMetadata();
  const own = ["README.md", "pyproject.toml", "setup.py"].map(async (name) => ({
    path: name,
    content: await readFile(join(ROOT, "python", name)),
  }));
  const files = [
    { path: "PKG-INFO", content: Buffer.from(text) },
    { path: "LICENSE", content: await readFile(join(ROOT, "LICENSE")) },
    ...(await Promise.all(own)),
    ...(await modulesBelow(PACKAGE)),
  ];
  return tarGz(files.map(({ path, content }) => ({ path: `${TOP}/${path}`, content })));
}

/** The wheel, as https://packaging.python.org/specifications/binary-distribution-format has it. */
export async function pythonWheel(): Promise<Uint8Array> {
  const { text, entryPoints } = await pythonMetadata();
  const folder = `${PYTHON.name.split("-").slice(0, 2).join("-")}.dist-info`;
  const files = [
    ...(await modulesBelow("bout_sim")),
    { path: `${folder}/METADATA`, content: Buffer.from(text) },
    { path: `${folder}/WHEEL`, content: Buffer.from(WHEEL) },
    { path: `${folder}/entry_points.txt`, content: Buffer.from(entryPoints) },
    { path: `${folder}/licenses/LICENSE`, content: await readFile(join(ROOT, "LICENSE")) },
  ];
  const record = `${folder}/RECORD`;
  const lines = [...files.map(recordLine), `${record},,`];
  return zip([...files, { path: record, content: Buffer.from(`${lines.join("\n")}\n`) }]);
}

function recordLine({ path, content }: ArchivedFile): string {
  const hash = createHash("sha256").update(content).digest("base64url");
  return `${path},sha256=${hash},${content.length}`;
}

/** All modules and maps, in the order of their paths, in a folder of the package. */
async function modulesBelow(folder: string): Promise<ArchivedFile[]> {
  const sources = join(ROOT, "python", PACKAGE);
  const modules = (await readdir(sources, { recursive: true })).filter((file) => SOURCE.test(file));
  const maps = await readdir(join(ROOT, MAPS));
  const files = [
    ...modules.map((file) => [file.replaceAll(sep, "/"), join(sources, file)] as const),
    ...maps.map((file) => [`maps/${file}`, join(ROOT, MAPS, file)] as const),
  ];
  const ordered = files.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Promise.all(
    ordered.map(async ([path, from]) => ({
      path: `${folder}/${path}`,
      content: await readFile(from),
    })),
  );
}
