import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";

import { archivedLadder, writeArchive } from "#testing/fixtures/archived-ladder.ts";
import type { ArchivedLadder } from "#testing/fixtures/archived-ladder.ts";
import { temporaryFolder } from "#testing/harness/bout-process.ts";

import type { ShownRow } from "./answers.ts";
import { verifyArchive } from "./archive.ts";
import type { ArchiveReport } from "./archive.ts";

const LADDER = archivedLadder();
const ROOT = temporaryFolder();

/** What is found in the archive of a ladder that was changed. */
async function found(changes: Partial<ArchivedLadder> = {}): Promise<ArchiveReport> {
  const folder = await mkdtemp(join(ROOT, "ladder-"));
  return verifyArchive(await writeArchive(folder, { ...LADDER, ...changes }), () => {});
}

const withRow = (name: string, lie: (row: ShownRow) => Partial<ShownRow>) =>
  LADDER.rows.map((row) => (row.name === name ? { ...row, ...lie(row) } : row));

const told = ({ differences }: ArchiveReport) =>
  differences.map(({ bot, version, field, shown, computed }) =>
    [`${bot}@${version}`, field, shown, computed].join(" "),
  );

const REPLAYED = [...LADDER.replays.keys()];
const replayed = LADDER.matches.find(({ id }) => id === REPLAYED[0])!;

const withReplay = (change: (text: string) => string) =>
  new Map(LADDER.replays).set(replayed.id, change(LADDER.replays.get(replayed.id)!));

const withMatch = (changes: object) =>
  LADDER.matches.map((match) => (match === replayed ? { ...match, ...changes } : match));

describe("a true archive", () => {
  it("agrees, and its replays are played again", async () => {
    assert.ok(LADDER.replays.size > 5);
    const report = await found();
    assert.deepEqual([report.differences, report.faults], [[], []]);
    const { agrees, ladder, release, rows, games, voided, replays, unchecked } = report;
    assert.deepEqual(
      { agrees, ladder, release, rows, games, voided, unchecked },
      {
        agrees: true,
        ladder: "spring-cup",
        release: "0.52.0",
        rows: 8,
        games: 394,
        voided: 6,
        // Its last version is retired.
        unchecked: ["why these stand by an older version: Neo@old"],
      },
    );
    const [checked, absent] = [LADDER.replays.size, 400 - LADDER.replays.size];
    assert.deepEqual(replays, { checked, foreign: 0, absent });
  });

  it("may lack bots that left, and says which", async () => {
    const rows = LADDER.rows
      .filter(({ name }) => name !== "zed")
      .map((row, place) => ({ ...row, rank: place + 1 }));
    const report = await found({ rows });
    assert.deepEqual([report.agrees, told(report)], [true, []]);
    assert.equal(report.unchecked[0], "why these have no row, though they played enough: zed");
  });

  it("may have replays of an older engine, which are not played again", async () => {
    const older = (text: string) => text.replace(/"engine":"[^"]+"/, '"engine":"0.1.0"');
    const report = await found({ replays: withReplay(older) });
    assert.deepEqual([report.agrees, report.replays.foreign], [true, 1]);
  });
});

describe("an archive is not believed with", () => {
  it("a rating, a deviation or a score that is a point off", async () => {
    for (const field of ["rating", "rating_deviation", "leaderboard_score"] as const) {
      const report = await found({ rows: withRow("Rex", (row) => ({ [field]: row[field] + 1 })) });
      const right = LADDER.rows.find(({ name }) => name === "Rex")![field];
      assert.deepEqual(told(report), [`Rex@v2 ${field} ${right + 1} ${right}`]);
      assert.equal(report.agrees, false);
    }
  });

  it("a match that was left out, or turned round", async () => {
    const lost = LADDER.matches.find(({ winner, voided }) => winner !== null && !voided)!;
    const loser = lost.bots.find(({ id }) => id !== lost.winner)!.id;
    const without = LADDER.matches.filter((match) => match !== lost);
    const turned = LADDER.matches.map((match) =>
      match === lost ? { ...match, winner: loser } : match,
    );
    for (const matches of [without, turned])
      assert.ok(told(await found({ matches })).some((line) => / (wins|losses) /.test(line)));
  });

  it("a match of another ladder, twice, or out of order", async () => {
    const [newest, ...others] = LADDER.matches;
    const rows: [ArchivedLadder["matches"], RegExp][] = [
      [withMatch({ ladder_id: "public" }), /is of the ladder public/],
      [[newest!, ...LADDER.matches], /is there twice/],
      [[...others, newest!], /stands after a match that ended later/],
    ];
    for (const [matches, problem] of rows) {
      const { faults } = await found({ matches });
      assert.ok(
        faults.some((fault) => problem.test(fault.problem)),
        String(problem),
      );
    }
  });

  const REPLAYS: [what: string, changes: () => Partial<ArchivedLadder>, problem: RegExp][] = [
    [
      "a replay that was changed",
      () => ({ replays: withReplay((text) => text.replace(/"hash":"(.)/, '"hash":"f$1')) }),
      /not genuine|cannot be read/,
    ],
    [
      "a replay that is none",
      () => ({ replays: withReplay(() => "nothing\n") }),
      /cannot be read: this is no replay/,
    ],
    ["another map", () => ({ matches: withMatch({ map: "elsewhere" }) }), /of another map/],
    [
      "another seed",
      () => ({ matches: withMatch({ seed: replayed.seed + 1 }) }),
      /of another seed/,
    ],
    ["another length", () => ({ matches: withMatch({ final_tick: 299 }) }), /of another length/],
    [
      "the replay of another match",
      () => ({ replays: withReplay(() => LADDER.replays.get(REPLAYED[1]!)!) }),
      /of another match/,
    ],
  ];
  for (const [what, changes, problem] of REPLAYS)
    it(what, async () => {
      const { agrees, faults } = await found(changes());
      assert.equal(agrees, false);
      assert.deepEqual(
        faults.map(({ match }) => match),
        [replayed.id],
      );
      assert.match(faults[0]!.problem, problem);
    });
});

describe("an archive cannot be read", () => {
  /** The words of what is wrong with a file of these bytes. */
  async function problemOf(bytes: Uint8Array): Promise<string> {
    const path = join(await mkdtemp(join(ROOT, "file-")), "file.tar.gz");
    writeFileSync(path, bytes);
    const error = await verifyArchive(path, () => {}).then(
      () => assert.fail("it was read"),
      (reason: Error) => reason,
    );
    assert.equal(error.constructor.name, "Unreadable", error.stack ?? error.message);
    return error.message;
  }

  it("that is cut anywhere", async () => {
    const bytes = readFileSync(await writeArchive(await mkdtemp(join(ROOT, "cut-")), LADDER));
    for (const part of [0, 0.1, 0.5, 0.9, 0.999])
      assert.match(await problemOf(bytes.subarray(0, part * bytes.length)), /is cut|it has no/);
  });

  it("that is something else", async () => {
    assert.match(await problemOf(Buffer.from("no gzip")), /no archive of a ladder/);
    assert.match(await problemOf(gzipSync("no tar".repeat(200))), /no archive of a ladder/);
    assert.match(await problemOf(gzipSync(Buffer.alloc(1024))), /it has no archive\.json/);
  });

  it("of a later format, or whose parts are not understood", async () => {
    const later = { ...LADDER.about, format: 2 };
    await assert.rejects(found({ about: later }), /it has format 2, and only 1 is known here/);
    await assert.rejects(found({ about: {} }), /archive\.json in it is not understood/);
    const strange = [{ id: 1 }] as unknown as ArchivedLadder["matches"];
    await assert.rejects(
      found({ matches: strange }),
      /line 1 of matches\.jsonl in it is not under/,
    );
  });

  it("where there is none", async () => {
    await assert.rejects(
      verifyArchive(join(ROOT, "no.tar.gz"), () => {}),
      /there is no file/,
    );
    await assert.rejects(
      verifyArchive(ROOT, () => {}),
      /is a folder/,
    );
  });
});
