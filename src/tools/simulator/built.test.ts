// The simulator as built by `npm run build`: the module, its types, and the script in a browser.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

import Fastify from "fastify";
import type { FastifyInstance } from "fastify";
import type { Browser } from "playwright-core";

import {
  SIMULATOR_MODULE,
  SIMULATOR_SCRIPT,
  SIMULATOR_FILES,
  SIMULATOR_TYPES,
} from "#core/api/download.ts";
import { launchBrowser } from "#testing/fixtures/launch-browser.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";

import type * as face from "./index.ts";
import { playMatch } from "./match.ts";
import { playSeries } from "./series.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const BUILT = join(ROOT, "dist", "simulator");
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");
const GOLDEN = join(ROOT, "src", "testing", "fixtures", "golden");

type SimulatorApi = typeof face;
const importBuilt = async (): Promise<SimulatorApi> =>
  (await import(pathToFileURL(join(BUILT, SIMULATOR_MODULE.name)).href)) as SimulatorApi;

it("the build has every file that a ladder serves", async () => {
  const files = await readdir(BUILT);
  for (const { name } of SIMULATOR_FILES) assert.ok(files.includes(name), name);
});

describe("the built module", () => {
  it("has the same interface as the sources", async () => {
    const [built, source] = [await importBuilt(), await import("./index.ts")];
    assert.deepEqual(Object.keys(built).toSorted(), Object.keys(source).toSorted());
  });

  it("replays every golden replay byte for byte", async () => {
    const { replayFrames, setTurn, startFight, stateHash, step, verifyReplay } =
      await importBuilt();
    const files = (await readdir(GOLDEN)).filter((file) => file.endsWith(".jsonl"));
    assert.ok(files.length >= 14);
    for (const file of files) {
      const text = await readFile(join(GOLDEN, file), "utf8");
      const verification = verifyReplay(text);
      assert.ok(verification.ok, file);
      const { map, seed } = verification.header;
      const fight = startFight(map.name, seed);
      const hashes: string[] = [];
      for (const { turns } of [...replayFrames(text)].filter(({ turns }) => turns.length > 0)) {
        for (const [seat, turn] of turns.entries()) setTurn(fight, seat, turn);
        step(fight);
        hashes.push(stateHash(fight));
      }
      const recordedHash = [...text.matchAll(/"hash":"(\w+)"\}\n\{"t/g)].map(([, hash]) => hash);
      assert.deepEqual(hashes, recordedHash, file);
    }
  });

  it("plays the same matches as the sources", async () => {
    const options = { map: "pinwheel", seed: 5, bots: ["kiter", "champion"] } as const;
    assert.deepEqual((await importBuilt()).playMatch(options), playMatch(options));
  });
});

/**
 * Marks an error that the compiler must find in the next line. Split, so that this file doesn't
 * contain the marker.
 */
const MISTAKE = ["expect", "error"].join("-");

/** Uses the interface, with types for everything that authors encounter first. */
const SAMPLE = `
import { cloneFight, listMaps, playMatch, playSeries, step, trackFight, verifyReplay } from "./bout-sim.js";
import type { Bot, CreateBot, Decide, Fight, Hello, Observation, Turn } from "./bout-sim.js";

const walker: Decide = ({ self, moves, fighters, events }: Observation, hello: Hello): Turn => {
  const [foe] = fighters;
  const isNear = "visible" in foe && foe.visible && Math.abs(foe.x - self.x) <= hello.rules.dash.tiles;
  const wasRefused = events.some((event) => event.type === "rejected" && event.part === "attack");
  return isNear && !wasRefused ? { attack: { name: "repulse" } } : { move: moves[0], shout: null };
};
const createBot: CreateBot = (hello) => {
  const tracker = trackFight(hello);
  return {
    turn(seen) {
      tracker.update(seen);
      const fight: Fight = cloneFight(tracker.fight);
      step(fight);
      return { move: seen.moves.at(-1) ?? null };
    },
  };
};
const bots: Bot[] = [walker, { createBot }];
const { winner, stats, replay } = playMatch({ map: listMaps()[0].name, seed: 1, bots }, ({ turns }) => turns.length);
const rate: number = playSeries({ bots: [walker, "kiter"], games: 2 }).standard_error;
const verified = verifyReplay(replay);
const problem: string | null = verified.ok ? null : verified.problem;
export const told: [string | null, number, number, string | null] = [winner, stats.ticks, rate, problem];
// @ts-${MISTAKE}: there is no such partner
playMatch({ map: "cage", seed: 1, bots: ["kiiter", walker] });
// @ts-${MISTAKE}: there is no such direction
export const wrong: Decide = () => ({ move: "up" });
`;

/** Fails unless the types in the built module and in the sources are assignable to each other. */
const SAME = (source: string) => `
import * as built from "./bout-sim.js";
import * as source from "${source}";
export const forth: typeof source = built;
export const back: typeof built = source;
export const types: [built.Hello, built.Observation, built.Fight, built.SeriesReport] =
  null as unknown as [source.Hello, source.Observation, source.Fight, source.SeriesReport];
`;

describe("the built types", () => {
  const folder = temporaryTestFolder();
  const compile = async (file: string, ...flags: string[]) => {
    const options = ["--strict", "--noEmit", "--target", "esnext", "--module", "nodenext"];
    const call = [TSC, "--ignoreConfig", ...options, ...flags, file];
    return run(process.execPath, call, { cwd: folder }).catch(({ stdout }: { stdout: string }) =>
      assert.fail(stdout),
    );
  };
  before(async () => {
    for (const { name } of [SIMULATOR_MODULE, SIMULATOR_TYPES])
      await copyFile(join(BUILT, name), join(folder, name));
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
  });

  it("compile with a bot and reveal its type errors, without skipLibCheck", async () => {
    await writeFile(join(folder, "sample.ts"), SAMPLE);
    await compile("sample.ts", "--types", "");
  });

  it("describe a module that runs as compiled", async () => {
    await writeFile(join(folder, "sample.ts"), SAMPLE.split("// @ts-")[0]!);
    const { told } = (await import(pathToFileURL(join(folder, "sample.ts")).href)) as {
      told: unknown[];
    };
    assert.equal(told.length, 4);
    assert.equal(told[3], null);
  });

  it("equal the types in the sources", async () => {
    await writeFile(
      join(folder, "same.ts"),
      SAME(join(ROOT, "src", "tools", "simulator", "index.ts")),
    );
    const flags = ["--allowImportingTsExtensions", "--resolveJsonModule", "--skipLibCheck"];
    await compile("same.ts", ...flags, "--types", "");
  });
});

/** Stricter than a ladder's policy: allows only files from this server, and no eval. */
const POLICY = "default-src 'none'; script-src 'self'";
const PAGE = `<!doctype html><script src="/${SIMULATOR_SCRIPT.name}"></script>`;

// The browser in the npm package is built for Linux.
describe("the script in a browser", { skip: process.platform !== "linux" }, () => {
  let app: FastifyInstance;
  let browser: Browser;
  let base = "";

  before(async () => {
    app = Fastify();
    app.addHook("onSend", async (_request, reply) => {
      reply.header("content-security-policy", POLICY);
    });
    app.get("/blank", async (_request, reply) => reply.type("text/html").send("<!doctype html>"));
    app.get("/", async (_request, reply) => reply.type("text/html").send(PAGE));
    app.get(`/${SIMULATOR_SCRIPT.name}`, async (_request, reply) =>
      reply.type(SIMULATOR_SCRIPT.type).send(await readFile(join(BUILT, SIMULATOR_SCRIPT.name))),
    );
    base = await app.listen({ port: 0, host: "127.0.0.1" });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await app?.close();
  });

  it("plays the same as in Node under a strict policy, and defines a single global", async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("pageerror", ({ message }) => complaints.push(message));
    page.on("console", (message) => complaints.push(message.text()));
    const globals = () => page.evaluate(() => Object.getOwnPropertyNames(globalThis));
    await page.goto(`${base}/blank`);
    const before = await globals();
    await page.goto(base);
    assert.deepEqual(
      (await globals()).filter((name) => !before.includes(name)),
      ["BoutSim"],
    );
    const told = await page.evaluate(() => {
      const page = globalThis as unknown as { BoutSim: SimulatorApi };
      const { playMatch, playSeries, verifyReplay } = page.BoutSim;
      const { replay } = playMatch({ map: "halls", seed: 3, bots: ["ts-starter", "brawler"] });
      const localMoves: Parameters<SimulatorApi["playSeries"]>[0]["bots"][0] = ({ moves }) => ({
        move: moves[0]!,
      });
      const series = playSeries({ bots: [localMoves, "greedy"], games: 2 });
      return { replay, isTrue: verifyReplay(replay).ok, series };
    });
    assert.deepEqual(complaints, []);
    const expected = playMatch({ map: "halls", seed: 3, bots: ["ts-starter", "brawler"] });
    assert.equal(told.replay, expected.replay);
    assert.equal(told.isTrue, true);
    const series = playSeries({ bots: [({ moves }) => ({ move: moves[0]! }), "greedy"], games: 2 });
    assert.deepEqual(told.series, series);
  });
});
