// Files to download.

import { Type } from "typebox";
import type { Static } from "typebox";

import { ENGINE_VERSION } from "#core/engine/rules.ts";

import { Path } from "./common.ts";

const FileSchema = Type.Object({
  path: Type.String({ description: "below /download/bots/" }),
  url: Path("the file"),
  about: Type.String(),
});

export const DownloadsSchema = Type.Object({
  about: Type.String(),
  guide: Path("how to use them"),
  typescript: Type.String({
    description: "shell commands that fetch and start the TypeScript bot",
  }),
  python: Type.String({ description: "shell commands that fetch and start the Python bot" }),
  files: Type.Array(FileSchema),
});
export type Downloads = Static<typeof DownloadsSchema>;

/** The author commands as an npm package. */
export const COMMANDS = {
  type: "application/gzip",
  about: "The commands onboard, sim, play, replay and verify as an npm package.",
};

/** The address that stays the same. npx caches what it fetched from an address. */
export const COMMANDS_ADDRESS = "/download/bout.tgz";

/** The file of a release. Its name is the last part of its address. */
export const commandsFile = (version: string): string => `bout-${version}.tgz`;

/** Where a ladder serves a file of that name. */
export const commandsAddress = (file: string): string => `/download/${file}`;

/** The simulator as files: what `npm run build` puts in dist/simulator and a ladder serves. */
export type SimulatorFile = {
  name: string;
  /** Media type without a character set. */
  type: string;
  about: string;
};

const file = (name: string, type: string, about: string): SimulatorFile => ({ name, type, about });

export const MODULE = file("bout-sim.js", "text/javascript", "The simulator as an ES module.");
export const TYPES = file("bout-sim.d.ts", "text/plain", "The types of the ES module.");
export const SCRIPT = file(
  "bout-sim.script.js",
  "text/javascript",
  "The simulator as a classic script: it sets the global BoutSim.",
);
export const PYTHON = file(
  `bout_sim-${ENGINE_VERSION}-py3-none-any.whl`,
  "application/zip",
  "The simulator for Python: a wheel for pip.",
);
export const PYTHON_SOURCE = file(
  `bout_sim-${ENGINE_VERSION}.tar.gz`,
  "application/gzip",
  "The simulator for Python as a source package.",
);

export const SIMULATOR_FILES: readonly SimulatorFile[] = [
  MODULE,
  TYPES,
  SCRIPT,
  PYTHON,
  PYTHON_SOURCE,
];

/** Where a ladder serves each of them. */
export const SIMULATOR_PREFIX = "/download/simulator/";

/** The `simulator` of `GET /api`. */
export const SIMULATOR_ADDRESSES = {
  javascript: SIMULATOR_PREFIX + MODULE.name,
  script: SIMULATOR_PREFIX + SCRIPT.name,
  python: SIMULATOR_PREFIX + PYTHON.name,
  docs: "/docs/simulator",
};
