// Runs the test files given as arguments, or all of them. Starting a process and loading the app
// takes longer than most tests, so files that don't need their own process share one. Usage: node
// scripts/test.ts [FILE…]

import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";

const ROOT = join(import.meta.dirname, "..");
const ENTRIES = join(ROOT, "dist", "tests");

const ALL_TESTS = ["src/**/*.test.ts", "bench/**/*.test.ts", "scripts/*.test.ts"];
const SHARED_PROCESS_TESTS = [
  "src/{base,core,live,adapters,web}/*/*.test.ts",
  "src/server/configuration/*.test.ts",
  "src/data/{invalidation,files,identity,store}/*.test.ts",
  "src/tools/{local-match,onboard,simulator,terminal,verify}/*.test.ts",
  "src/testing/invariants/*.test.ts",
  "src/site/{bot,create,match,shell,sign-in,standings,viewer}/*.test.ts",
  "src/site/{ui,play,events}/*.test.ts",
];
/** Tests that measure process memory, drive a browser or run for a long time. */
const OWN_PROCESS_TESTS = [
  "src/core/engine/allocation.test.ts",
  "src/data/files/replays.test.ts",
  "src/site/{account,bot,create,events,play,sign-in}/page.test.ts",
  "src/site/{shell,standings}/pages.test.ts",
  "src/site/match/{match,embed}.test.ts",
  "src/site/avatars/avatars.test.ts",
  "src/site/ui/client-components.test.ts",
  "src/tools/simulator/built.test.ts",
];
/** Each takes about 30 seconds, mostly waiting for a browser or a timer. */
const WAITING_TESTS = [
  "src/site/{account,admin,bot,create,events,play,sign-in}/page.test.ts",
  "src/site/{admin-announcements,admin-settings,admin-profiling,guide,match,shell,standings}/*.test.ts",
  "src/testing/torture/{drill,npm,play,process,quick-start,restarts,starters}.test.ts",
  "src/testing/harness/agents-loop.test.ts",
  "src/tools/{doctor,load-test}/*.test.ts",
  "src/tools/cli/{onboard,verify}.test.ts",
  "src/tools/backup/operating-guide.test.ts",
];
/** Each uses the CPU for 15 seconds or more. */
const CPU_BOUND_TESTS = [
  "src/testing/store-contract/{kill,plans,store,upgrade}.test.ts",
  "src/testing/mail-simulation/mail-simulation.test.ts",
  "src/testing/fixtures/python-sim.test.ts",
  "src/data/migrations/migrations.test.ts",
  "src/tools/cli/{replay,sim}.test.ts",
];
/** Maximum files per shared process. Together, they have the time limit of one test file. */
const FILES_PER_PROCESS = 20;
/** May exceed the number of CPU cores, because many tests wait for timers. */
const MAX_PROCESSES = 4;
const TIMEOUT_MS = 480_000;

const filesOf = (patterns: readonly string[]): Set<string> =>
  new Set(patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).toSorted());

/**
 * Returns the files in the order to run. Long files come first, so that no long file runs alone at
 * the end. Waiting files alternate with CPU-bound ones to keep all cores busy.
 */
function planFiles(): string[] {
  const sharedFiles = filesOf(SHARED_PROCESS_TESTS).difference(filesOf(OWN_PROCESS_TESTS));
  const waitingFiles = filesOf(WAITING_TESTS).difference(sharedFiles);
  const cpuBoundFiles = filesOf(CPU_BOUND_TESTS);
  const shortFiles = filesOf(ALL_TESTS)
    .difference(sharedFiles)
    .difference(waitingFiles)
    .difference(cpuBoundFiles);
  rmSync(ENTRIES, { recursive: true, force: true });
  mkdirSync(ENTRIES, { recursive: true });
  const longFiles = interleave(
    [...waitingFiles],
    [...cpuBoundFiles, ...writeSharedEntries([...sharedFiles])],
  );
  return [...longFiles, ...shortFiles].map((file) => join(ROOT, file));
}

function interleave(firstFiles: readonly string[], secondFiles: readonly string[]): string[] {
  const length = Math.max(firstFiles.length, secondFiles.length);
  const interleaved = Array.from({ length }, (_, index) => [firstFiles[index], secondFiles[index]]);
  return interleaved.flat().filter((file) => file !== undefined);
}

function writeSharedEntries(files: readonly string[]): string[] {
  const groups = Math.ceil(files.length / FILES_PER_PROCESS);
  return Array.from({ length: groups }, (_, group) => {
    const members = files.filter((_file, place) => place % groups === group);
    const text = members.map((file) => `import ${JSON.stringify(urlOf(file))};\n`).join("");
    const entry = join("dist", "tests", `shared-${group + 1}.test.ts`);
    writeFileSync(join(ROOT, entry), text);
    return entry;
  });
}

const urlOf = (file: string): string => pathToFileURL(join(ROOT, file)).href;

const requestedFiles = process.argv.slice(2);
const results = run({
  files: requestedFiles.length > 0 ? requestedFiles : planFiles(),
  concurrency: MAX_PROCESSES,
  timeout: TIMEOUT_MS,
  execArgv: ["--import", join(ROOT, "src/testing/harness/preload.ts")],
});
results.on("test:fail", () => (process.exitCode = 1));
results.compose(spec).pipe(process.stdout);
