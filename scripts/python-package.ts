// The Python simulator as a source package: the folder `python` without its tests, and the maps.

import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";

import { ENGINE_VERSION } from "#core/engine/rules.ts";
import { PYTHON } from "#core/resources/download.ts";

import { tarGz } from "./tar.ts";
import type { ArchivedFile } from "./tar.ts";

const ROOT = join(import.meta.dirname, "..");
const MAPS = "src/core/engine/maps";
const PACKAGE = "src/bout_sim";
/** A package unpacks into a folder with its own name. */
const TOP = PYTHON.name.replace(/\.tar\.gz$/, "");
const SOURCE = /\.py$|(?:^|[\\/])py\.typed$/;

/** From a path of this project to a path in the package. */
type Move = [from: string, to: string];

/** The gzipped archive. Throws if the package's version is not the engine's. */
export async function pythonPackage(): Promise<Uint8Array> {
  const modules = (await readdir(join(ROOT, "python", PACKAGE), { recursive: true })).filter(
    (file) => SOURCE.test(file),
  );
  const maps = await readdir(join(ROOT, MAPS));
  const moves: Move[] = [
    ["LICENSE", "LICENSE"],
    ...["README.md", "pyproject.toml", "setup.py"].map((file): Move => [`python/${file}`, file]),
    ...modules.map((file): Move => [`python/${PACKAGE}/${file}`, `${PACKAGE}/${file}`]),
    ...maps.map((file): Move => [`${MAPS}/${file}`, `${PACKAGE}/maps/${file}`]),
  ];
  const files = moves.map(async ([from, to]): Promise<ArchivedFile> => {
    const path = `${TOP}/${to.replaceAll(sep, "/")}`;
    return { path, content: await readFile(join(ROOT, from)) };
  });
  return tarGz([
    { path: `${TOP}/PKG-INFO`, content: await facts() },
    ...(await Promise.all(files)),
  ]);
}

/** What a source package says about itself, in PyPA's core metadata format. */
async function facts(): Promise<Uint8Array> {
  const text = await readFile(join(ROOT, "python", "pyproject.toml"), "utf8");
  const [, name] = /^name = "(.*)"$/m.exec(text) ?? [];
  const [, version] = /^version = "(.*)"$/m.exec(text) ?? [];
  if (version !== ENGINE_VERSION)
    throw new Error(`the Python package is ${version}, the engine ${ENGINE_VERSION}`);
  return Buffer.from(`Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`);
}
