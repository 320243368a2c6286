import { Type } from "typebox";
import type { Static } from "typebox";

import { ENGINE_VERSION } from "#core/engine/rules.ts";

import { PathSchema } from "./common-schemas.ts";

const FileSchema = Type.Object({
  path: Type.String({ description: "below /download/bots/" }),
  url: PathSchema("URL of the file."),
  about: Type.String(),
});

export const DownloadsSchema = Type.Object({
  about: Type.String(),
  guide: PathSchema("Usage instructions."),
  typescript: Type.String({
    description: "Shell commands that download and start the TypeScript bot.",
  }),
  python: Type.String({ description: "Shell commands that download and start the Python bot." }),
  files: Type.Array(FileSchema),
});
export type DownloadIndex = Static<typeof DownloadsSchema>;

/** The author commands, packed as an npm package. */
export const COMMANDS_PACKAGE = {
  type: "application/gzip",
  about: "The commands onboard, sim, play, replay and verify as an npm package.",
};

/** Permanent URL, independent of the release. npx caches downloads by URL. */
export const COMMANDS_PATH = "/download/bout.tgz";

export const commandsFileName = (version: string): string => `bout-${version}.tgz`;

export const commandsPath = (file: string): string => `/download/${file}`;

/** Simulator files. `npm run build` writes them to dist/simulator, and a ladder serves them. */
export type SimulatorFile = {
  name: string;
  /** Media type without a charset. */
  type: string;
  about: string;
};

const simulatorFile = (name: string, type: string, about: string): SimulatorFile => ({
  name,
  type,
  about,
});

export const SIMULATOR_MODULE = simulatorFile(
  "bout-sim.js",
  "text/javascript",
  "The simulator as an ES module.",
);
export const SIMULATOR_TYPES = simulatorFile(
  "bout-sim.d.ts",
  "text/plain",
  "Type declarations of the ES module.",
);
export const SIMULATOR_SCRIPT = simulatorFile(
  "bout-sim.script.js",
  "text/javascript",
  "The simulator as a classic script that sets the global BoutSim.",
);
export const PYTHON_WHEEL = simulatorFile(
  `bout_sim-${ENGINE_VERSION}-py3-none-any.whl`,
  "application/zip",
  "The simulator for Python as a wheel.",
);
export const PYTHON_SOURCE = simulatorFile(
  `bout_sim-${ENGINE_VERSION}.tar.gz`,
  "application/gzip",
  "The simulator for Python as a source package.",
);

export const SIMULATOR_FILES: readonly SimulatorFile[] = [
  SIMULATOR_MODULE,
  SIMULATOR_TYPES,
  SIMULATOR_SCRIPT,
  PYTHON_WHEEL,
  PYTHON_SOURCE,
];

export const SIMULATOR_PATH_PREFIX = "/download/simulator/";

/** The `simulator` field in the response of `GET /api`. */
export const SIMULATOR_PATHS = {
  javascript: SIMULATOR_PATH_PREFIX + SIMULATOR_MODULE.name,
  script: SIMULATOR_PATH_PREFIX + SIMULATOR_SCRIPT.name,
  python: SIMULATOR_PATH_PREFIX + PYTHON_WHEEL.name,
  docs: "/docs/simulator",
};
