// node bench/outside/go-clients.ts --jar FILE [--url URL]: two Go clients, generated from the
// OpenAPI document of a running ladder with at least 200 matches, call its public operations and
// decode every answer. It needs Go, Java and openapi-generator-cli.jar; Go fetches oapi-codegen.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { publicCalls } from "./public-calls.ts";

const USAGE = "usage: node bench/outside/go-clients.ts --jar FILE [--url URL]";
const OAPI_CODEGEN = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";
const MATCHES_MIN = 200;
const MODULE = "module check\n\ngo 1.24\n";
const PROGRAM = fileURLToPath(new URL("go-clients/main.go", import.meta.url));
/** Other files would be packages and modules of their own. */
const ONLY_CODE = "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false";

/** Runs a program in a folder. Throws if it fails. */
async function run(folder: string, [program, ...args]: [string, ...string[]], input = "") {
  const child = spawn(program, args, { cwd: folder, stdio: ["pipe", "inherit", "inherit"] });
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

/** Generates both clients and builds the program that uses them. */
async function build(folder: string, jar: string, url: string): Promise<void> {
  const document = await fetch(`${url}/openapi.json`);
  await writeFile(join(folder, "openapi.json"), await document.text());
  await writeFile(join(folder, "go.mod"), MODULE);
  await cp(PROGRAM, join(folder, "main.go"));
  await mkdir(join(folder, "oapicodegen"));
  const generate = ["generate", "-g", "go", "-i", "openapi.json", "-o", "openapigenerator"];
  const options = ["--additional-properties=packageName=openapigenerator,withGoMod=false"];
  const only = `--global-property=${ONLY_CODE}`;
  await run(folder, ["java", "-Dlog.level=error", "-jar", jar, ...generate, ...options, only]);
  const target = ["-package", "oapicodegen", "-o", "oapicodegen/client.go", "openapi.json"];
  await run(folder, ["go", "run", OAPI_CODEGEN, "-generate", "types,client", ...target]);
  await run(folder, ["go", "mod", "tidy"]);
  await run(folder, ["go", "build", "-o", "check", "."]);
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
  const { calls, matches } = await publicCalls(values.url);
  if (matches < MATCHES_MIN) throw new Error(`the ladder has ${matches} of ${MATCHES_MIN} matches`);
  const folder = await mkdtemp(join(tmpdir(), "bout-go-"));
  try {
    await build(folder, resolve(values.jar), values.url);
    console.log(`${calls.length} calls, ${matches} matches`);
    await run(folder, [join(folder, "check"), values.url], JSON.stringify(calls));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
