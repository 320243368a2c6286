// Builds the simulator that authors download: two scripts, the types of one, the Python package.

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { promisify } from "node:util";

import type { InlineConfig } from "vite";

import { ENGINE_VERSION, RULES_VERSION } from "#core/engine/rules.ts";
import { PYTHON, PYTHON_SOURCE, MODULE, SCRIPT, TYPES } from "#core/resources/download.ts";

import { rollUp } from "./declarations.ts";
import { pythonSourcePackage, pythonWheel } from "./python/python-package.ts";

const run = promisify(execFile);

const ROOT = join(import.meta.dirname, "..");
const ENTRY = "tools/simulator/index.ts";
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");
const GLOBAL = "BoutSim";

/** Writes all files of the simulator into a folder. */
export async function makeSimulator(folder: string): Promise<void> {
  // Where vite is missing, so are the other tools. Nothing else should fail first.
  const { build } = await import("vite");
  await mkdir(folder, { recursive: true });
  const notice = await noticeText();
  const pointer = `// @ts-self-types="./${TYPES.name}"\n`;
  const scripts = async () => {
    await build(scriptConfig(folder, "es", MODULE.name, pointer + notice));
    await build(scriptConfig(folder, "iife", SCRIPT.name, notice));
    await writeFile(join(folder, PYTHON.name), await pythonWheel());
    await writeFile(join(folder, PYTHON_SOURCE.name), await pythonSourcePackage());
  };
  await Promise.all([writeTypes(join(folder, TYPES.name)), scripts()]);
}

function scriptConfig(
  outDir: string,
  format: "es" | "iife",
  name: string,
  banner: string,
): InlineConfig {
  return {
    configFile: false,
    root: join(ROOT, "src", "tools", "simulator"),
    publicDir: false,
    logLevel: "error",
    build: {
      outDir,
      emptyOutDir: false,
      target: "es2023",
      // The module is meant to be read; the script only to be loaded.
      minify: format === "iife",
      reportCompressedSize: false,
      lib: {
        entry: join(ROOT, "src", ENTRY),
        name: GLOBAL,
        formats: [format],
        fileName: () => name,
      },
      rolldownOptions: { output: { postBanner: banner } },
    },
  };
}

/** The notices that the licences of the bundled packages require. */
async function noticeText(): Promise<string> {
  const texts = [join(ROOT, "LICENSE"), join(ROOT, "node_modules", "typebox", "license")];
  const licences = await Promise.all(texts.map((path) => readFile(path, "utf8")));
  const head = `The simulator of Bout: engine ${ENGINE_VERSION}, rules ${RULES_VERSION}.\n`;
  return `/*!\n${[head, ...licences].join("\n")}*/\n`;
}

/** The types of the public interface in one file, from the compiler's own declarations. */
async function writeTypes(path: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), "bout-types-"));
  try {
    const config = join(work, "tsconfig.json");
    await writeFile(config, JSON.stringify(declarationConfig(work)));
    await run(process.execPath, [TSC, "-p", config]).catch(explain);
    await writeFile(path, rollUp(await readDeclarations(work), ENTRY));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The compiler writes its errors to its output. */
function explain(error: { message: string; stdout?: string }): never {
  throw new Error(error.stdout || error.message, { cause: error });
}

function declarationConfig(outDir: string): object {
  const compilerOptions = {
    noEmit: false,
    // Checking is not the job of a build, and takes most of the time.
    noCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: join(ROOT, "src"),
    outDir,
  };
  const extended = join(ROOT, "tsconfig.core.json");
  return { extends: extended, compilerOptions, include: [], files: [join(ROOT, "src", ENTRY)] };
}

const DECLARATIONS = ".d.ts";

/** Declarations by the path of their module. */
async function readDeclarations(folder: string): Promise<Map<string, string>> {
  const files = await readdir(folder, { recursive: true });
  const made = files.filter((file) => file.endsWith(DECLARATIONS));
  const read = made.map(async (file): Promise<[string, string]> => {
    const module = `${file.slice(0, -DECLARATIONS.length)}.ts`;
    return [module.replaceAll(sep, "/"), await readFile(join(folder, file), "utf8")];
  });
  return new Map(await Promise.all(read));
}
