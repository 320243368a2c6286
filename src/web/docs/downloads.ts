import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";

import type { DownloadIndex } from "#core/api/download.ts";
import { starterShellCommand } from "#core/ids/starter-command.ts";

import type { Build } from "./build-manifest.ts";

export type DownloadFile = {
  text: string;
  about: string;
  /** Media type without a charset. */
  type: string;
};

const FILE_DESCRIPTIONS: Readonly<Record<string, string>> = {
  "bot.mjs": "A minimal bot in JavaScript; requires Node 22 or newer.",
  "bot.py": "A minimal bot in Python; requires the websockets package.",
  "try.mjs": "Runs a bot in the simulator; requires bout-sim.js beside it.",
  "report.mjs": "Waits for a version's games and summarises what to learn from them.",
  "ahead.mjs":
    "Plans ahead and knows how the house bots play; requires bot.mjs, lookahead.mjs and bout-sim.js beside it.",
  "mcp.mjs": "Calls a tool on the MCP endpoint with an agent key and prints the result.",
  "loop.sh": "Registers a bot, plays one version of it and prints the report.",
  "why.mjs": "Explains why a bot lost a match.",
  "walker.mjs": "A bot for the simulator that walks up and hits.",
  "lookahead.mjs": "A bot for the simulator that plans four ticks ahead.",
  "walker.py": "A bot for the Python simulator that walks up and hits.",
  "careful.py": "A bot for the Python simulator that remembers when it was hurt.",
  "planner.py": "A bot for the Python simulator that plans four ticks ahead.",
};

/**
 * Media types by extension. Scripts are served as text, so that browsers show them instead of
 * running them.
 */
const TYPES: Readonly<Record<string, string>> = {
  ".py": "text/x-python",
  ".mjs": "text/javascript",
  ".sh": "text/x-shellscript",
};
const TEXT = "text/plain";

/** Matches a code block that names the file to save it as. */
const FILE_BLOCK = /^```\w+ ([\w-]+\.\w+)\n(.*?)^```$/gms;

export async function readDownloads(
  { folder, starters }: Pick<Build, "folder" | "starters">,
  docs: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, DownloadFile>> {
  const starterFiles = starters.map(async ({ name, type, about }) => {
    const text = await readFile(join(folder, "starters", name), "utf8");
    return [name, { text, about, type }] as const;
  });
  return new Map([...(await Promise.all(starterFiles)), ...[...docs].flatMap(guideFiles)]);
}

function guideFiles([guide, page]: [string, string]): [string, DownloadFile][] {
  const origin = `From the guide /guide/${guide}.`;
  return [...page.matchAll(FILE_BLOCK)].map(([, path = "", text = ""]) => {
    const description = FILE_DESCRIPTIONS[path];
    const about = description === undefined ? origin : `${description} ${origin}`;
    return [path, { text, about, type: mediaType(path) }];
  });
}

const mediaType = (path: string): string => TYPES[extname(path)] ?? TEXT;

export function downloadList(
  files: ReadonlyMap<string, DownloadFile>,
  baseUrl: string,
): DownloadIndex {
  const url = (path: string) => `/download/bots/${path}`;
  return {
    about: "Starter bots, and the files shown in the guides.",
    guide: "/guide/starters",
    typescript: [
      `curl -fsSO ${baseUrl}${url("starter.ts")}`,
      `[ -f package.json ] || echo '{"type": "module"}' > package.json`,
      "npm install ws",
      starterShellCommand(`--url ${baseUrl} --name my-bot`),
    ].join("\n"),
    python: [
      `curl -fsSO ${baseUrl}${url("starter.py")}`,
      "python3 -m venv .venv && .venv/bin/pip install websockets",
      `.venv/bin/python starter.py --url ${baseUrl} --name my-bot`,
    ].join("\n"),
    files: [...files].map(([path, { about }]) => ({ path, url: url(path), about })),
  };
}
