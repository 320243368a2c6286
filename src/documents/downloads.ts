// Bots to begin with, and the files that guides show: what a stranger fetches first.

import { readFile } from "node:fs/promises";

import type { Downloads } from "#protocol/resource-download.ts";

export type DownloadFile = {
  text: string;
  about: string;
  /** Media type without a character set. */
  type: string;
};

const FOLDER = new URL("../bots/", import.meta.url);

/** Each needs nothing else of this project. */
const FILES = [
  {
    path: "starter.ts",
    type: "text/plain",
    about: "A whole bot in TypeScript; needs Node 22.18 or newer and the package ws.",
  },
  {
    path: "starter.py",
    type: "text/x-python",
    about: "The same bot in Python; needs Python 3.11 or newer and the package websockets.",
  },
] as const;

/** A block of a guide that says as which file it is to be saved. */
const SHOWN_FILE = /^```\w+ ([\w-]+\.\w+)\n(.*?)^```$/gms;

/** The starters, and every file that a guide shows. */
export async function readDownloads(
  docs: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, DownloadFile>> {
  const starters = FILES.map(async ({ path, ...facts }) => {
    const text = await readFile(new URL(path, FOLDER), "utf8");
    return [path, { ...facts, text }] as const;
  });
  return new Map([...(await Promise.all(starters)), ...[...docs].flatMap(shownFiles)]);
}

function shownFiles([guide, page]: [string, string]): [string, DownloadFile][] {
  const about = `From the guide /guide/${guide}, which says what it does.`;
  return [...page.matchAll(SHOWN_FILE)].map(([, path, text]) => [
    path,
    { text, about, type: "text/plain" },
  ]);
}

/** The list of the files, with commands that work as they stand. */
export function downloadList(files: ReadonlyMap<string, DownloadFile>, baseUrl: string): Downloads {
  const url = (path: string) => `/download/bots/${path}`;
  return {
    about: "Bots to begin with: each is one file that registers, plays and comes back.",
    guide: "/guide/starters",
    typescript: [
      `curl -fsSO ${baseUrl}${url("starter.ts")}`,
      "npm install ws",
      `node starter.ts --url ${baseUrl} --name my-bot`,
    ].join("\n"),
    python: [
      `curl -fsSO ${baseUrl}${url("starter.py")}`,
      "python3 -m venv .venv && .venv/bin/pip install websockets",
      `.venv/bin/python starter.py --url ${baseUrl} --name my-bot`,
    ].join("\n"),
    files: [...files].map(([path, { about }]) => ({ path, url: url(path), about })),
  };
}
