import assert from "node:assert/strict";
import { after, describe, it } from "node:test";

import { archivedLadder, writeArchive } from "#testing/fixtures/archived-ladder.ts";
import { runBout, temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { createFakePublicLadder, serveFakeLadder } from "#testing/harness/public-ladder.ts";
import type {
  FakePublicLadder,
  FakeLadderServer,
  FakeLadderOptions,
} from "#testing/harness/public-ladder.ts";
import type { ArchiveReport } from "#tools/verify/archive.ts";
import type { ListedMatch, LeaderboardEntry } from "#tools/verify/response-schemas.ts";
import type { VerificationReport } from "#tools/verify/verification.ts";

const LADDER = createFakePublicLadder();
const PAGE_SIZE = 60;

const fakeLadders: FakeLadderServer[] = [];
after(() => Promise.all(fakeLadders.map((ladder) => ladder.close())));

async function startFakeLadder(
  serverOptions: FakeLadderOptions = {},
  ladder: FakePublicLadder = LADDER,
) {
  const fakeLadder = await serveFakeLadder(ladder, { pageSize: PAGE_SIZE, ...serverOptions });
  fakeLadders.push(fakeLadder);
  return fakeLadder;
}

const withChangedRows = (
  changeRows: (rows: LeaderboardEntry[]) => LeaderboardEntry[],
): FakeLadderOptions => ({
  change: (path, answer) =>
    path.startsWith("/api/leaderboard") ? changeRows(answer as LeaderboardEntry[]) : answer,
});

/** Changes one match wherever it is listed. Returning `null` removes the match. */
const withChangedMatch = (
  id: string,
  changeRows: (match: ListedMatch) => ListedMatch | null,
): FakeLadderOptions => ({
  change: (path, answer) => {
    if (!path.startsWith("/api/matches")) return answer;
    return (answer as ListedMatch[]).flatMap((match) =>
      match.id === id ? (changeRows(match) ?? []) : match,
    );
  },
});

const TRUE_LINES = [
  "games        394 rated games of 11 versions, 6 void, newest ended 2026-01-05T14:13:00.000Z",
  "scale        1500 is the mean of house-brawler@v1, house-kiter@v1",
  "leaderboard  ok: 8 rows as computed",
  "matches      ok",
  "",
];

describe("bout verify on a ladder without running matches", () => {
  it("computes the leaderboard and accepts it", async () => {
    const { url } = await startFakeLadder();
    const { code, out, err } = await runBout(["verify", `${url}/leaderboard`]);
    const first = `ladder       public at ${url}, season 2026-01 (live)`;
    assert.deepEqual(
      { code, out, err },
      { code: 0, out: [first, ...TRUE_LINES].join("\n"), err: "" },
    );
  });

  it("requests only the newest matches twice, and sends one request at a time", async () => {
    const { url, requestedPaths } = await startFakeLadder();
    await runBout(["verify", url]);
    const paths = requestedPaths.map((path) => path.split("?")[0]);
    const page = "/api/matches";
    const pages = Math.ceil(LADDER.matches.length / PAGE_SIZE) + 1;
    const names = ["house-kiter", "house-brawler", "house-champion", "Rex", "Neo"];
    assert.deepEqual(paths.slice(0, 2 + pages), [
      "/api",
      "/api/seasons",
      ...Array(pages).fill(page),
    ]);
    assert.deepEqual(paths.slice(2 + pages, 4 + pages), ["/api/leaderboard", page]);
    assert.deepEqual(
      paths.slice(4 + pages).toSorted(),
      [...names, "ada-bot", "mira", "zed"].map((name) => `/api/bots/${name}`).toSorted(),
    );
    const lists = requestedPaths.filter((path) => path.startsWith(page));
    assert.equal(lists[0], `${page}?ladder=public&limit=${PAGE_SIZE}&season=2026-01`);
    const last = LADDER.matches[PAGE_SIZE - 1]!.id;
    assert.equal(lists[1], `${lists[0]}&before=${last}`);
  });

  it("reads versions that are missing from a bot's page", async () => {
    const { url, requestedPaths } = await startFakeLadder({ versionsShown: 0 });
    const { code, out } = await runBout(["verify", url]);
    assert.deepEqual([code, out.split("\n").slice(1)], [0, TRUE_LINES]);
    const lists = requestedPaths.filter((path) => path.startsWith("/api/bots/Neo/versions"));
    assert.deepEqual(lists, [
      "/api/bots/Neo/versions?ladder=public&limit=500",
      "/api/bots/Neo/versions?ladder=public&limit=500&before=old",
    ]);
  });

  for (const status of ["retired", "suspended", "banned"] as const)
    it(`expects no row for a ranked bot that is ${status}`, async () => {
      const players = LADDER.players.map((fakeLadder) =>
        fakeLadder.name === "zed" ? { ...fakeLadder, status } : fakeLadder,
      );
      const { url } = await startFakeLadder(
        {},
        createFakePublicLadder(LADDER.matches.length, players),
      );
      const { code, out } = await runBout(["verify", url]);
      assert.match(out, /leaderboard  ok: 7 rows as computed/);
      assert.equal(code, 0);
    });

  it("reads a past season by its id", async () => {
    const season = { state: "archived", archived_at: "2026-02-01T00:05:00.000Z" };
    const { url } = await startFakeLadder({ season });
    const { code, out } = await runBout(["verify", url, "--season", "2026-01"]);
    assert.equal(code, 0);
    assert.match(out, /season 2026-01 \(archived\)\n/);
  });

  it("prints the whole result as JSON", async () => {
    const { url } = await startFakeLadder(
      withChangedRows(([first, ...rows]) => [{ ...first!, wins: 40 }, ...rows]),
    );
    const { code, out } = await runBout(["verify", url, "--json"]);
    assert.equal(code, 1);
    assert.deepEqual(JSON.parse(out), {
      url,
      agrees: false,
      moved: false,
      ladder: "public",
      season: "2026-01",
      state: "live",
      rows: 8,
      versions: 11,
      games: 394,
      voided: 6,
      unrated: 0,
      newest: { ended: "2026-01-05T14:13:00.000Z", id: "match-00399" },
      uncounted: 0,
      anchors: ["house-brawler@v1", "house-kiter@v1"],
      differences: [
        { bot: "Neo", version: "old", field: "wins", shown: 40, computed: 39, tolerated: false },
      ],
      faults: [],
    });
  });
});

describe("bout verify on a hostile server (T95)", () => {
  const HOSTILE = "\u001b]0;OWNED\u0007\u001b[2J\u009b31m\u007f\u202e";

  it("escapes all text from the server", async () => {
    const { url } = await startFakeLadder(
      withChangedRows((rows) => rows.map((row) => ({ ...row, name: HOSTILE, version: HOSTILE }))),
    );
    for (const flags of [[], ["--json"]]) {
      const { code, out, err } = await runBout(["verify", url, ...flags]);
      assert.equal(code, 1);
      assert.doesNotMatch(out + err, /(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
      assert.match(out, /\\u001b\]0;OWNED\\u0007\\u001b\[2J\\u009b31m\\u007f\\u202e/);
    }
  });
});

describe("bout verify on a manipulated ladder", { concurrency: 3 }, () => {
  const rated = LADDER.matches.filter(
    ({ winner, bots }) =>
      winner !== null && ["Rex", "zed"].every((name) => bots.some((bot) => bot.name === name)),
  )[0]!;
  const loser = rated.bots.find(({ id }) => id !== rated.winner)!;

  const changedAnswers: [what: string, serving: FakeLadderOptions, told: RegExp][] = [
    [
      "a wrong rating",
      withChangedRows((rows) =>
        rows.map((row) => (row.name === "Rex" ? { ...row, rating: 1710 } : row)),
      ),
      /DIFFERS in 1 point of 8 rows\nmatches      ok\n\nrow .*\nRex@v2 +rating +1710 +1707\n$/,
    ],
    [
      "two swapped ranks",
      withChangedRows(([first, second, ...rows]) => [
        { ...second!, rank: 1 },
        { ...first!, rank: 2 },
        ...rows,
      ]),
      /\nhouse-champion@v1 +rank +1 +2\nNeo@old +rank +2 +1\n$/,
    ],
    [
      "a missing bot",
      withChangedRows((rows) => rows.filter(({ name }) => name !== "ada-bot")),
      /DIFFERS in 1 point of 7 rows\n.*\n\n.*\nada-bot@v1 +row +not listed +rank 8\n/,
    ],
    [
      "one wrong result",
      withChangedMatch(rated.id, (match) => ({ ...match, winner: loser.id })),
      /\nRex@v2 +wins +32 +3[13]\n/,
    ],
    [
      "one missing match",
      withChangedMatch(rated.id, () => null),
      /\nRex@v2 +(?:wins|losses) +\d+ +\d+\n/,
    ],
    [
      "a void match with ratings",
      withChangedMatch(rated.id, (match) => ({ ...match, winner: null, voided: true })),
      new RegExp(`matches      1 match INVALID[^]*match ${rated.id} is void, but has ratings\n`),
    ],
  ];
  for (const [what, serverOptions, output] of changedAnswers)
    it(`detects ${what}`, async () => {
      const { url } = await startFakeLadder(serverOptions);
      const { code, out, err } = await runBout(["verify", url]);
      assert.deepEqual([code, err], [1, ""]);
      assert.match(out, output);
    });
});

describe("bout verify on a ladder with running matches", { concurrency: 3 }, () => {
  /**
   * The newest matches have just ended. Starting with the third read, the leaderboard includes the
   * first of them.
   */
  async function playing(boardAfter: (read: number) => number): Promise<FakeLadderServer> {
    const now = Date.now();
    const matches = LADDER.matches.map((match, standing) => {
      return standing < 3 ? { ...match, ended: new Date(now - standing).toISOString() } : match;
    });
    const boards = [0, 1, 2, 3].map(
      (boardLag) => createFakePublicLadder(400, LADDER.players, boardLag).rows,
    );
    let reads = 0;
    return startFakeLadder(
      {
        season: { closes_at: "2999-01-01T00:00:00.000Z" },
        change: (path, answer) => {
          if (!path.startsWith("/api/leaderboard")) return answer;
          reads += 1;
          return boards[boardAfter(reads)];
        },
      },
      { ...LADDER, matches },
    );
  }

  it("reports matches that the leaderboard doesn't count yet", async () => {
    const { url } = await playing(() => 2);
    const { code, out } = await runBout(["verify", url]);
    assert.match(out, /2 newer not on the leaderboard yet\n.*\nleaderboard  ok/);
    assert.equal(code, 0);
  });

  it("rereads the leaderboard if the matches don't explain it", async () => {
    const invalidRun = withChangedRows((rows) => rows.toReversed());
    let reads = 0;
    const { url, requestedPaths } = await startFakeLadder({
      change: (path, answer) => {
        if (!path.startsWith("/api/leaderboard")) return answer;
        reads += 1;
        return reads === 1 ? invalidRun.change?.(path, answer) : answer;
      },
    });
    const { code } = await runBout(["verify", url]);
    assert.equal(code, 0);
    assert.equal(requestedPaths.filter((path) => path.startsWith("/api/leaderboard")).length, 2);
  });

  it("gives up on a leaderboard that keeps changing", async () => {
    let reads = 0;
    const { url } = await startFakeLadder(
      withChangedRows(([first, ...rows]) => [
        { ...first!, rating: first!.rating + ++reads },
        ...rows,
      ]),
    );
    const { code, out } = await runBout(["verify", url, "--json"]);
    const { agrees, moved } = JSON.parse(out) as VerificationReport;
    assert.deepEqual([code, agrees, moved], [1, false, true]);
    assert.equal(reads, 6);
  });
});

describe("bout verify on an archive", () => {
  const ladder = archivedLadder();
  const folder = temporaryTestFolder();

  it("rejects flags that select a ladder", async () => {
    const file = await writeArchive(folder, ladder);
    const { code, out, err } = await runBout(["verify", file, "--ladder", "cup"]);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /^bout verify: --ladder and --season can't be used with an archive\.\n$/);
  });

  it("exits with 1 if the archive is invalid, including with --json", async () => {
    const rows = ladder.rows.map((row) => ({ ...row, rating: row.rating + 1 }));
    const file = await writeArchive(folder, { ...ladder, rows });
    const { code, out } = await runBout(["verify", file, "--json"]);
    const report = JSON.parse(out) as ArchiveReport & { file: string };
    assert.deepEqual([code, report.agrees, report.file], [1, false, file]);
    assert.equal(report.differences.length, ladder.rows.length);
  });
});

describe("bout verify", () => {
  const invalidRun: [args: string[], problem: RegExp][] = [
    [[], /missing required argument 'URL\|FILE'/],
    [["URL", "--frobnicate"], /unknown option '--frobnicate'/],
    [
      ["ladder.example"],
      /ladder\.example is neither a file nor a server URL\. Use http:\/\/ or https:\/\/\.$/,
    ],
    [["http://127.0.0.1:9"], /http:\/\/127\.0\.0\.1:9 can't be reached: /],
    [["URL", "--season", "2025-01"], /there is no season 2025-01\. Seasons: 2026-01\.$/],
    [["URL", "--ladder", "cup"], /there is no ladder cup\.$/],
    [["URL", "--ladder", "cup", "--season", "2026-01"], /only the ladder public has seasons\.$/],
  ];
  for (const [args, problem] of invalidRun)
    it(`rejects ${args.join(" ") || "an invalid URL"} on one line`, async () => {
      const { url } = await startFakeLadder();
      const call = args.map((word) => (word === "URL" ? url : word));
      const { code, out, err } = await runBout(["verify", ...call]);
      assert.deepEqual([code, out], [2, ""]);
      assert.match(err.trimEnd(), problem);
      assert.match(err, /^bout verify: .*\n$/);
    });

  it("rejects misordered and endless lists", async () => {
    const { url } = await startFakeLadder({
      change: (path, answer) =>
        path.includes("before=") ? LADDER.matches.slice(0, PAGE_SIZE) : answer,
    });
    const { code, err } = await runBout(["verify", url]);
    assert.equal(code, 2);
    assert.match(err, /the list of matches is out of order: match-00399 after match-00340\.\n$/);
  });

  it("prints help", async () => {
    const { code, out } = await runBout(["verify", "--help"]);
    assert.equal(code, 0);
    assert.match(out, /^Usage: bout verify URL\|FILE \[flags\]/);
  });
});
