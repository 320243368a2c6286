import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";

import { archivedLadder, writeArchive } from "#testing/fixtures/archived-ladder.ts";
import type { ArchivedLadder } from "#testing/fixtures/archived-ladder.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";

import { verifyArchive } from "./archive.ts";
import type { ArchiveReport } from "./archive.ts";
import type { LeaderboardEntry } from "./response-schemas.ts";

const LADDER = archivedLadder();
const ROOT = temporaryTestFolder();

async function verifyChanged(changes: Partial<ArchivedLadder> = {}): Promise<ArchiveReport> {
  const folder = await mkdtemp(join(ROOT, "ladder-"));
  return verifyArchive(await writeArchive(folder, { ...LADDER, ...changes }), () => {});
}

const withChangedRow = (
  name: string,
  changeRow: (row: LeaderboardEntry) => Partial<LeaderboardEntry>,
) => LADDER.rows.map((row) => (row.name === name ? { ...row, ...changeRow(row) } : row));

const formatDifferences = ({ differences }: ArchiveReport) =>
  differences.map(({ bot, version, field, shown, computed }) =>
    [`${bot}@${version}`, field, shown, computed].join(" "),
  );

const REPLAY_IDS = [...LADDER.replays.keys()];
const matchWithReplay = LADDER.matches.find(({ id }) => id === REPLAY_IDS[0])!;

const withReplay = (change: (text: string) => string) =>
  new Map(LADDER.replays).set(matchWithReplay.id, change(LADDER.replays.get(matchWithReplay.id)!));

const withMatch = (changes: object) =>
  LADDER.matches.map((match) => (match === matchWithReplay ? { ...match, ...changes } : match));

describe("a genuine archive", () => {
  it("is accepted, and its replays are simulated", async () => {
    assert.ok(LADDER.replays.size > 5);
    const report = await verifyChanged();
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
        unchecked: ["why these bots are ranked by an older version: Neo@old"],
      },
    );
    const [checked, absent] = [LADDER.replays.size, 400 - LADDER.replays.size];
    assert.deepEqual(replays, { checked, foreign: 0, absent });
  });

  it("may omit deleted bots, which the output lists", async () => {
    const rows = LADDER.rows
      .filter(({ name }) => name !== "zed")
      .map((row, place) => ({ ...row, rank: place + 1 }));
    const report = await verifyChanged({ rows });
    assert.deepEqual([report.agrees, formatDifferences(report)], [true, []]);
    assert.equal(report.unchecked[0], "why these bots with enough matches have no row: zed");
  });

  it("may contain replays from an older engine, which aren't simulated", async () => {
    const olderRow = (text: string) => text.replace(/"engine":"[^"]+"/, '"engine":"0.1.0"');
    const report = await verifyChanged({ replays: withReplay(olderRow) });
    assert.deepEqual([report.agrees, report.replays.foreign], [true, 1]);
  });
});

describe("detects an archive with", () => {
  it("a rating, a deviation or a score off by one point", async () => {
    for (const field of ["rating", "rating_deviation", "leaderboard_score"] as const) {
      const report = await verifyChanged({
        rows: withChangedRow("Rex", (row) => ({ [field]: row[field] + 1 })),
      });
      const validReport = LADDER.rows.find(({ name }) => name === "Rex")![field];
      assert.deepEqual(formatDifferences(report), [
        `Rex@v2 ${field} ${validReport + 1} ${validReport}`,
      ]);
      assert.equal(report.agrees, false);
    }
  });

  it("a missing match, or a match with a reversed result", async () => {
    const missingReplay = LADDER.matches.find(({ winner, voided }) => winner !== null && !voided)!;
    const loser = missingReplay.bots.find(({ id }) => id !== missingReplay.winner)!.id;
    const without = LADDER.matches.filter((match) => match !== missingReplay);
    const reversedMatches = LADDER.matches.map((match) =>
      match === missingReplay ? { ...match, winner: loser } : match,
    );
    for (const matches of [without, reversedMatches])
      assert.ok(
        formatDifferences(await verifyChanged({ matches })).some((line) =>
          / (wins|losses) /.test(line),
        ),
      );
  });

  it("a match from another ladder, a duplicate match, or matches in the wrong order", async () => {
    const [newest, ...otherFaults] = LADDER.matches;
    const rows: [ArchivedLadder["matches"], RegExp][] = [
      [withMatch({ ladder_id: "public" }), /belongs to the ladder public/],
      [[newest!, ...LADDER.matches], /is listed twice/],
      [[...otherFaults, newest!], /is listed after a match that ended later/],
    ];
    for (const [matches, problem] of rows) {
      const { faults } = await verifyChanged({ matches });
      assert.ok(
        faults.some((fault) => problem.test(fault.problem)),
        String(problem),
      );
    }
  });

  const REPLAYS: [what: string, changes: () => Partial<ArchivedLadder>, problem: RegExp][] = [
    [
      "a changed replay",
      () => ({ replays: withReplay((text) => text.replace(/"hash":"(.)/, '"hash":"f$1')) }),
      /not genuine|can't be read/,
    ],
    [
      "a file that is not a replay",
      () => ({ replays: withReplay(() => "nothing\n") }),
      /can't be read: this is no replay/,
    ],
    [
      "a replay on another map",
      () => ({ matches: withMatch({ map: "elsewhere" }) }),
      /of another map/,
    ],
    [
      "a replay of another seed",
      () => ({ matches: withMatch({ seed: matchWithReplay.seed + 1 }) }),
      /of another seed/,
    ],
    [
      "a replay of another length",
      () => ({ matches: withMatch({ final_tick: 299 }) }),
      /of another length/,
    ],
    [
      "the replay of another match",
      () => ({ replays: withReplay(() => LADDER.replays.get(REPLAY_IDS[1]!)!) }),
      /of another match/,
    ],
  ];
  for (const [label, changes, problem] of REPLAYS)
    it(label, async () => {
      const { agrees, faults } = await verifyChanged(changes());
      assert.equal(agrees, false);
      assert.deepEqual(
        faults.map(({ match }) => match),
        [matchWithReplay.id],
      );
      assert.match(faults[0]!.problem, problem);
    });
});

describe("rejects an archive", () => {
  async function problemOf(bytes: Uint8Array): Promise<string> {
    const path = join(await mkdtemp(join(ROOT, "file-")), "file.tar.gz");
    writeFileSync(path, bytes);
    const error = await verifyArchive(path, () => {}).then(
      () => assert.fail("no error"),
      (reason: Error) => reason,
    );
    assert.equal(error.constructor.name, "UnreadableSourceError", error.stack ?? error.message);
    return error.message;
  }

  it("that is truncated at any point", async () => {
    const bytes = readFileSync(await writeArchive(await mkdtemp(join(ROOT, "cut-")), LADDER));
    for (const part of [0, 0.1, 0.5, 0.9, 0.999])
      assert.match(
        await problemOf(bytes.subarray(0, part * bytes.length)),
        /is truncated|it has no/,
      );
  });

  it("that isn't an archive", async () => {
    assert.match(await problemOf(Buffer.from("not gzip")), /not a ladder archive/);
    assert.match(await problemOf(gzipSync("not tar".repeat(200))), /not a ladder archive/);
    assert.match(await problemOf(gzipSync(Buffer.alloc(1024))), /it has no archive\.json/);
  });

  it("that has a newer format or invalid parts", async () => {
    const laterFile = { ...LADDER.manifest, format: 2 };
    await assert.rejects(
      verifyChanged({ manifest: laterFile }),
      /has format 2, but this release supports only format 1/,
    );
    await assert.rejects(verifyChanged({ manifest: {} }), /archive\.json is invalid/);
    const unknownFile = [{ id: 1 }] as unknown as ArchivedLadder["matches"];
    await assert.rejects(
      verifyChanged({ matches: unknownFile }),
      /line 1 of matches\.jsonl is invalid/,
    );
  });

  it("that doesn't exist", async () => {
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
