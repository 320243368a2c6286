// Runs the tests: `node scripts/test.ts [FILE…]`, without files all of them. To start a process and to
// load the app takes longer than most tests, so files that want nothing of their process share one.

import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";

const ROOT = join(import.meta.dirname, "..");
const ENTRIES = join(ROOT, "dist", "tests");

const ALL = ["src/**/*.test.ts", "bench/**/*.test.ts", "scripts/*.test.ts"];
const SHARING = [
  "src/{base,core,live,outside,web}/*/*.test.ts",
  "src/server/configuration/*.test.ts",
  "src/data/{cached,files,identity,store}/*.test.ts",
  "src/tools/{local,onboard,simulator,terminal,verify}/*.test.ts",
  "src/testing/invariants/*.test.ts",
  "src/site/{bot,create,public,sign-in,standings,viewer}/*.test.ts",
  "src/site/{look,play,events}/*.test.ts",
];
/** They look at the memory of their process, drive a browser, or run for long. */
const ALONE = [
  "src/core/engine/allocation.test.ts",
  "src/data/files/replays.test.ts",
  "src/site/{account,bot,create,events,play,sign-in}/page.test.ts",
  "src/site/{public,standings}/pages.test.ts",
  "src/site/public/{match,view}.test.ts",
  "src/site/avatars/avatars.test.ts",
  "src/site/look/live-parts.test.ts",
  "src/tools/simulator/built.test.ts",
];
/** They take half a minute each when last measured, most of it for a browser or a timer. */
const WAITING = [
  "src/site/{account,admin,bot,create,events,play,sign-in}/page.test.ts",
  "src/site/{admin-announcements,admin-settings,admin-profiling,guide,public,standings}/*.test.ts",
  "src/testing/torture/{drill,npm,play,process,quick-start,restarts,starters}.test.ts",
  "src/testing/harness/agents-loop.test.ts",
  "src/tools/{doctor,rehearse}/*.test.ts",
  "src/tools/cli/{onboard,verify}.test.ts",
  "src/tools/keep/operating.test.ts",
];
/** They keep a processor busy for a quarter of a minute and more. */
const BUSY = [
  "src/testing/store-cases/{kill,plans,store,upgrade}.test.ts",
  "src/testing/mail-months/months.test.ts",
  "src/testing/fixtures/python-sim.test.ts",
  "src/data/migrations/migrations.test.ts",
  "src/tools/cli/{replay,sim}.test.ts",
];
/** Files of one process, at most: each has the time limit of one test file. */
const AT_MOST = 20;
/** Processes at once: some of them wait for timers rather than for a processor. */
const AT_ONCE = 4;
const TIMEOUT_MS = 480_000;

const filesOf = (patterns: readonly string[]): Set<string> =>
  new Set(patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).toSorted());

/**
 * Files to start, in order: those that run for long come first, so that none is waited for alone,
 * and by turns one that waits and one that does not, so that the processors have work and no rush.
 */
function plan(): string[] {
  const sharing = filesOf(SHARING).difference(filesOf(ALONE));
  const waiting = filesOf(WAITING).difference(sharing);
  const busy = filesOf(BUSY);
  const short = filesOf(ALL).difference(sharing).difference(waiting).difference(busy);
  rmSync(ENTRIES, { recursive: true, force: true });
  mkdirSync(ENTRIES, { recursive: true });
  const long = byTurns([...waiting], [...busy, ...entriesOf([...sharing])]);
  return [...long, ...short].map((file) => join(ROOT, file));
}

function byTurns(ones: readonly string[], others: readonly string[]): string[] {
  const length = Math.max(ones.length, others.length);
  const turns = Array.from({ length }, (_, turn) => [ones[turn], others[turn]]);
  return turns.flat().filter((file) => file !== undefined);
}

/** A file for each shared process, which loads its tests. */
function entriesOf(files: readonly string[]): string[] {
  const groups = Math.ceil(files.length / AT_MOST);
  return Array.from({ length: groups }, (_, group) => {
    const members = files.filter((_file, place) => place % groups === group);
    const text = members.map((file) => `import ${JSON.stringify(urlOf(file))};\n`).join("");
    const entry = join("dist", "tests", `shared-${group + 1}.test.ts`);
    writeFileSync(join(ROOT, entry), text);
    return entry;
  });
}

const urlOf = (file: string): string => pathToFileURL(join(ROOT, file)).href;

const asked = process.argv.slice(2);
const results = run({
  files: asked.length > 0 ? asked : plan(),
  concurrency: AT_ONCE,
  timeout: TIMEOUT_MS,
  execArgv: ["--import", join(ROOT, "src/testing/harness/preload.ts")],
});
results.on("test:fail", () => (process.exitCode = 1));
results.compose(spec).pipe(process.stdout);
