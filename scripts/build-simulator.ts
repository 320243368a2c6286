// Builds the simulator for bot authors: two scripts, type declarations and the Python packages.

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { promisify } from "node:util";

import type { InlineConfig } from "vite";

import {
  PYTHON_WHEEL,
  PYTHON_SOURCE,
  SIMULATOR_MODULE,
  SIMULATOR_SCRIPT,
  SIMULATOR_TYPES,
} from "#core/api/download.ts";
import { ENGINE_VERSION, RULES_VERSION } from "#core/engine/rules.ts";

import { rollUpDeclarations } from "./declarations.ts";
import { pythonSourcePackage, pythonWheel } from "./python/python-package.ts";

const execFileAsync = promisify(execFile);

const ROOT = join(import.meta.dirname, "..");
const ENTRY = "tools/simulator/index.ts";
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");
const GLOBAL_NAME = "BoutSim";

export async function buildSimulator(folder: string): Promise<void> {
  // If vite is missing, so are the other tools. Importing it first reports that before any work is
  // done.
  const { build } = await import("vite");
  await mkdir(folder, { recursive: true });
  const notice = await noticeText();
  const typesPointer = `// @ts-self-types="./${SIMULATOR_TYPES.name}"\n`;
  const scripts = async () => {
    await build(scriptConfig(folder, "es", SIMULATOR_MODULE.name, typesPointer + notice));
    await build(scriptConfig(folder, "iife", SIMULATOR_SCRIPT.name, notice));
    await writeFile(join(folder, PYTHON_WHEEL.name), await pythonWheel());
    await writeFile(join(folder, PYTHON_SOURCE.name), await pythonSourcePackage());
  };
  await Promise.all([writeTypes(join(folder, SIMULATOR_TYPES.name)), scripts()]);
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
      // People read the module, so only the script is minified.
      minify: format === "iife",
      reportCompressedSize: false,
      lib: {
        entry: join(ROOT, "src", ENTRY),
        name: GLOBAL_NAME,
        formats: [format],
        fileName: () => name,
      },
      rolldownOptions: { output: { postBanner: banner } },
    },
  };
}

async function noticeText(): Promise<string> {
  const texts = [join(ROOT, "LICENSE"), join(ROOT, "node_modules", "typebox", "license")];
  const licences = await Promise.all(texts.map((path) => readFile(path, "utf8")));
  const header = `Bout simulator: engine ${ENGINE_VERSION}, rules ${RULES_VERSION}.\n`;
  return `/*!\n${[header, ...licences].join("\n")}*/\n`;
}

async function writeTypes(path: string): Promise<void> {
  const workFolder = await mkdtemp(join(tmpdir(), "bout-types-"));
  try {
    const config = join(workFolder, "tsconfig.json");
    await writeFile(config, JSON.stringify(declarationConfig(workFolder)));
    await execFileAsync(process.execPath, [TSC, "-p", config]).catch(throwCompilerError);
    await writeFile(path, rollUpDeclarations(await readDeclarations(workFolder), ENTRY));
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

/** tsc prints its errors to stdout. */
function throwCompilerError(error: { message: string; stdout?: string }): never {
  throw new Error(error.stdout || error.message, { cause: error });
}

function declarationConfig(outDir: string): object {
  const compilerOptions = {
    noEmit: false,
    // Type checking takes most of the time and isn't needed to emit declarations.
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

async function readDeclarations(folder: string): Promise<Map<string, string>> {
  const files = await readdir(folder, { recursive: true });
  const declarationFiles = files.filter((file) => file.endsWith(DECLARATIONS));
  const declarationsByModule = declarationFiles.map(async (file): Promise<[string, string]> => {
    const module = `${file.slice(0, -DECLARATIONS.length)}.ts`;
    return [module.replaceAll(sep, "/"), await readFile(join(folder, file), "utf8")];
  });
  return new Map(await Promise.all(declarationsByModule));
}
