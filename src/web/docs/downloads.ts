// Starter bots, and the files that guides show: what a newcomer fetches first.

import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";

import type { Downloads } from "#core/resources/download.ts";
import { startTypeScript } from "#core/words/starter-command.ts";

import type { Build } from "./build.ts";

export type DownloadFile = {
  text: string;
  about: string;
  /** Media type without a character set. */
  type: string;
};

/** What the files shown in guides are. */
const SHOWN: Readonly<Record<string, string>> = {
  "bot.mjs": "The least that plays, in JavaScript; needs Node 22 or newer.",
  "bot.py": "The least that plays, in Python; needs the package websockets.",
  "try.mjs": "Lets a bot fight in the simulator; needs bout-sim.js beside it.",
  "report.mjs": "Waits for a version's games and says what there is to learn from them.",
  "ahead.mjs":
    "Plans ahead and knows the house bots' play; needs bot.mjs, lookahead.mjs and bout-sim.js beside it.",
  "mcp.mjs": "Calls a tool of the MCP endpoint with an agent key and prints its answer.",
  "loop.sh": "Registers a bot, plays one version of it and prints the report.",
  "why.mjs": "Says in words why a game of a bot was lost.",
  "walker.mjs": "A bot for the simulator: walks up and hits.",
  "lookahead.mjs": "A bot for the simulator that plays four ticks ahead before it decides.",
  "walker.py": "A bot for the Python simulator: walks up and hits.",
  "careful.py": "A bot for the Python simulator that remembers when it was hurt.",
  "planner.py": "A bot for the Python simulator that plays four ticks ahead before it decides.",
};

/** Media types by extension. Scripts are shown as text rather than run. */
const TYPES: Readonly<Record<string, string>> = {
  ".py": "text/x-python",
  ".mjs": "text/javascript",
  ".sh": "text/x-shellscript",
};
const TEXT = "text/plain";

/** A block of a guide that names the file to save it as. */
const SHOWN_FILE = /^```\w+ ([\w-]+\.\w+)\n(.*?)^```$/gms;

/** The starters, and every file that a guide shows. */
export async function readDownloads(
  { folder, starters }: Pick<Build, "folder" | "starters">,
  docs: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, DownloadFile>> {
  const built = starters.map(async ({ name, type, about }) => {
    const text = await readFile(join(folder, "starters", name), "utf8");
    return [name, { text, about, type }] as const;
  });
  return new Map([...(await Promise.all(built)), ...[...docs].flatMap(shownFiles)]);
}

function shownFiles([guide, page]: [string, string]): [string, DownloadFile][] {
  const from = `From the guide /guide/${guide}.`;
  return [...page.matchAll(SHOWN_FILE)].map(([, path = "", text = ""]) => {
    const shown = SHOWN[path];
    const about = shown === undefined ? from : `${shown} ${from}`;
    return [path, { text, about, type: typeOf(path) }];
  });
}

const typeOf = (path: string): string => TYPES[extname(path)] ?? TEXT;

/** The list of the files, with commands that can be copied as they are. */
export function downloadList(files: ReadonlyMap<string, DownloadFile>, baseUrl: string): Downloads {
  const url = (path: string) => `/download/bots/${path}`;
  return {
    about: "Bots to begin with, and the files that the guides show.",
    guide: "/guide/starters",
    typescript: [
      `curl -fsSO ${baseUrl}${url("starter.ts")}`,
      `[ -f package.json ] || echo '{"type": "module"}' > package.json`,
      "npm install ws",
      startTypeScript(`--url ${baseUrl} --name my-bot`),
    ].join("\n"),
    python: [
      `curl -fsSO ${baseUrl}${url("starter.py")}`,
      "python3 -m venv .venv && .venv/bin/pip install websockets",
      `.venv/bin/python starter.py --url ${baseUrl} --name my-bot`,
    ].join("\n"),
    files: [...files].map(([path, { about }]) => ({ path, url: url(path), about })),
  };
}
