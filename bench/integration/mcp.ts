// BOUT_AGENT_KEY=... node bench/integration/mcp.ts [--url URL]: runs the MCP conformance suite and
// Inspector against the MCP endpoint of a running ladder. npx downloads both; they aren't part of
// this project.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";

import { openKeyProxy } from "./key-proxy.ts";

const USAGE = "usage: BOUT_AGENT_KEY=... node bench/integration/mcp.ts [--url URL]";
const CONFORMANCE_SUITE = "@modelcontextprotocol/conformance@0.1.16";
const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";

/**
 * The remaining scenarios require tools, prompts and resources from the suite's own test server.
 */
const SCENARIOS = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];

async function runTool(title: string, args: readonly string[]): Promise<boolean> {
  const child = spawn("npx", ["--yes", ...args], { stdio: ["ignore", "inherit", "inherit"] });
  const [code] = (await once(child, "close")) as [number | null];
  console.log(`${code === 0 ? "passed" : "failed"}  ${title}`);
  return code === 0;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { url: { type: "string", default: "http://localhost:7777/mcp" } },
  });
  const key = process.env["BOUT_AGENT_KEY"];
  if (key === undefined) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  await using proxy = await openKeyProxy(new URL(values.url), key);
  const passed: boolean[] = [];
  for (const name of SCENARIOS)
    passed.push(
      await runTool(name, [CONFORMANCE_SUITE, "server", "--url", proxy.url, "--scenario", name]),
    );
  const toolCallArgs = ["--method", "tools/call", "--tool-name", "whoami"];
  for (const inspectorArgs of [["--method", "tools/list"], toolCallArgs])
    passed.push(
      await runTool(`inspector ${inspectorArgs.join(" ")}`, [
        INSPECTOR,
        "--cli",
        proxy.url,
        "--transport",
        "http",
        ...inspectorArgs,
      ]),
    );
  if (passed.includes(false)) process.exitCode = 1;
}

await main();
