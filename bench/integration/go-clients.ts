// node bench/integration/go-clients.ts --jar FILE [--url URL]: generates two Go clients from the
// OpenAPI document of a running ladder with at least 200 matches, calls its public operations and
// decodes every response. Requires Go, Java and openapi-generator-cli.jar. Go downloads
// oapi-codegen.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { publicCalls } from "./public-calls.ts";

const USAGE = "usage: node bench/integration/go-clients.ts --jar FILE [--url URL]";
const OAPI_CODEGEN = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";
const MIN_MATCHES = 200;
const GO_MODULE = "module check\n\ngo 1.24\n";
const PROGRAM = fileURLToPath(new URL("go-clients/main.go", import.meta.url));
/** Generated tests and docs would be separate Go packages and modules. */
const CODE_ONLY_PROPERTIES = "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false";

async function runProgram(folder: string, [program, ...args]: [string, ...string[]], input = "") {
  const child = spawn(program, args, { cwd: folder, stdio: ["pipe", "inherit", "inherit"] });
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${program} exited with ${code}`);
}

async function buildClients(folder: string, jar: string, url: string): Promise<void> {
  const document = await fetch(`${url}/openapi.json`);
  await writeFile(join(folder, "openapi.json"), await document.text());
  await writeFile(join(folder, "go.mod"), GO_MODULE);
  await cp(PROGRAM, join(folder, "main.go"));
  await mkdir(join(folder, "oapicodegen"));
  const generateArgs = ["generate", "-g", "go", "-i", "openapi.json", "-o", "openapigenerator"];
  const options = ["--additional-properties=packageName=openapigenerator,withGoMod=false"];
  const globalProperty = `--global-property=${CODE_ONLY_PROPERTIES}`;
  await runProgram(folder, [
    "java",
    "-Dlog.level=error",
    "-jar",
    jar,
    ...generateArgs,
    ...options,
    globalProperty,
  ]);
  const generatorTarget = [
    "-package",
    "oapicodegen",
    "-o",
    "oapicodegen/client.go",
    "openapi.json",
  ];
  await runProgram(folder, [
    "go",
    "run",
    OAPI_CODEGEN,
    "-generate",
    "types,client",
    ...generatorTarget,
  ]);
  await runProgram(folder, ["go", "mod", "tidy"]);
  await runProgram(folder, ["go", "build", "-o", "check", "."]);
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
  if (matches < MIN_MATCHES) throw new Error(`the ladder has ${matches} of ${MIN_MATCHES} matches`);
  const folder = await mkdtemp(join(tmpdir(), "bout-go-"));
  try {
    await buildClients(folder, resolve(values.jar), values.url);
    console.log(`${calls.length} calls, ${matches} matches`);
    await runProgram(folder, [join(folder, "check"), values.url], JSON.stringify(calls));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
