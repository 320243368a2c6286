// node bench/outside/nu.ts --jar FILE [--url URL]: the Nu HTML checker over every page of a running
// ladder, its 404 included. It needs Java and vnu.jar, which are not part of this project.

import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";

import { sure } from "#base/units/sure.ts";

import { everyPage } from "../site/addresses.ts";
import { nuErrors } from "./nu-report.ts";

const USAGE = "usage: node bench/outside/nu.ts --jar FILE [--url URL]";
const NOWHERE = "/nowhere";

/** Copies the pages into a folder, since the checker takes no page that is a 404; names by order. */
async function copyPages(folder: string, url: string, paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const [at, path] of paths.entries()) {
    const response = await fetch(url + path, { headers: { accept: "text/html" } });
    if (response.ok === (path === NOWHERE)) throw new Error(`${path} answered ${response.status}`);
    files.push(join(folder, `${at}.html`));
    await writeFile(sure(files[at], "file"), await response.text());
  }
  return files;
}

async function check(jar: string, files: readonly string[]): Promise<string> {
  const flags = ["--format", "json", "--stdout", "--exit-zero-always"];
  const java = spawn("java", ["-jar", jar, ...flags, ...files], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    java.once("error", reject).once("close", resolve);
  });
  const [json, code] = await Promise.all([text(java.stdout), ended]);
  if (code !== 0) throw new Error(`java ended with ${code}`);
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
    const paths = [...(await everyPage(values.url)), NOWHERE];
    const json = await check(values.jar, await copyPages(folder, values.url, paths));
    const errors = nuErrors(json, (file) => paths[Number.parseInt(basename(file), 10)] ?? file);
    for (const error of errors) console.log(error);
    console.log(`${paths.length} pages, ${errors.length} errors`);
    if (errors.length > 0) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
