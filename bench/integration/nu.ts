// node bench/integration/nu.ts --jar FILE [--url URL]: runs the Nu HTML checker on every page of a
// running ladder, including its 404 page. Requires Java and vnu.jar, which aren't part of this
// project.

import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";

import { assertDefined } from "#base/util/assert-defined.ts";

import { listAllPaths } from "../site/page-paths.ts";
import { nuErrors } from "./nu-report.ts";

const USAGE = "usage: node bench/integration/nu.ts --jar FILE [--url URL]";
const MISSING_PATH = "/nowhere";

/** Saves the pages as files numbered in order, because the checker rejects URLs that return 404. */
async function copyPages(folder: string, url: string, paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const [index, path] of paths.entries()) {
    const response = await fetch(url + path, { headers: { accept: "text/html" } });
    if (response.ok === (path === MISSING_PATH))
      throw new Error(`${path} answered ${response.status}`);
    files.push(join(folder, `${index}.html`));
    await writeFile(assertDefined(files[index], "file"), await response.text());
  }
  return files;
}

async function runNuChecker(jar: string, files: readonly string[]): Promise<string> {
  const flags = ["--format", "json", "--stdout", "--exit-zero-always"];
  const child = spawn("java", ["-jar", jar, ...flags, ...files], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exitCode = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  const [json, code] = await Promise.all([text(child.stdout), exitCode]);
  if (code !== 0) throw new Error(`java exited with ${code}`);
  return json;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { jar: { type: "string" }, url: { type: "string", default: "http://localhost:7777" } },
  });
  if (values.jar === undefined) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), "bout-nu-"));
  try {
    const paths = [...(await listAllPaths(values.url)), MISSING_PATH];
    const json = await runNuChecker(values.jar, await copyPages(folder, values.url, paths));
    const errors = nuErrors(json, (file) => paths[Number.parseInt(basename(file), 10)] ?? file);
    for (const error of errors) console.log(error);
    console.log(`${paths.length} pages, ${errors.length} errors`);
    if (errors.length > 0) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
