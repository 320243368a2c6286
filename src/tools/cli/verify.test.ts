import assert from "node:assert/strict";
import { after, describe, it } from "node:test";

import { archivedLadder, writeArchive } from "#testing/fixtures/archived-ladder.ts";
import { runBout, temporaryFolder } from "#testing/harness/bout-process.ts";
import { publicLadder, servePublic } from "#testing/harness/public-ladder.ts";
import type {
  PublicLadder,
  ServedLadder,
  PublicLadderServer,
} from "#testing/harness/public-ladder.ts";
import type { ListedMatch, ShownRow } from "#tools/verify/answers.ts";
import type { ArchiveReport } from "#tools/verify/archive.ts";
import type { Report } from "#tools/verify/verification.ts";

const LADDER = publicLadder();
const PAGE_SIZE = 60;

const served: ServedLadder[] = [];
after(() => Promise.all(served.map((ladder) => ladder.close())));

async function serveFor(serving: PublicLadderServer = {}, ladder: PublicLadder = LADDER) {
  const one = await servePublic(ladder, { pageSize: PAGE_SIZE, ...serving });
  served.push(one);
  return one;
}

/** Changes the rows of the leaderboard. */
const lyingRows = (lie: (rows: ShownRow[]) => ShownRow[]): PublicLadderServer => ({
  change: (path, answer) =>
    path.startsWith("/api/leaderboard") ? lie(answer as ShownRow[]) : answer,
});

/** Changes one match wherever it is listed; `null` leaves it out. */
const lyingMatch = (
  id: string,
  lie: (match: ListedMatch) => ListedMatch | null,
): PublicLadderServer => ({
  change: (path, answer) => {
    if (!path.startsWith("/api/matches")) return answer;
    return (answer as ListedMatch[]).flatMap((match) =>
      match.id === id ? (lie(match) ?? []) : match,
    );
  },
});

const TRUE_LINES = [
  "games        394 rated games of 11 versions, 6 void, the newest ended 2026-01-05T14:13:00.000Z",
  "scale        1500 is the mean of house-brawler@v1, house-kiter@v1",
  "leaderboard  ok: 8 rows as computed",
  "matches      ok",
  "",
];

describe("bout verify of a ladder that stands still", () => {
  it("computes the leaderboard, and says that it is right", async () => {
    const { url } = await serveFor();
    const { code, out, err } = await runBout(["verify", `${url}/leaderboard`]);
    const first = `ladder       public at ${url}, season 2026-01 (live)`;
    assert.deepEqual(
      { code, out, err },
      { code: 0, out: [first, ...TRUE_LINES].join("\n"), err: "" },
    );
  });

  it("asks for nothing twice but the newest matches, one thing at a time", async () => {
    const { url, asked } = await serveFor();
    await runBout(["verify", url]);
    const paths = asked.map((path) => path.split("?")[0]);
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
    const lists = asked.filter((path) => path.startsWith(page));
    assert.equal(lists[0], `${page}?ladder=public&limit=${PAGE_SIZE}&season=2026-01`);
    const last = LADDER.matches[PAGE_SIZE - 1]!.id;
    assert.equal(lists[1], `${lists[0]}&before=${last}`);
  });

  it("reads the versions that a bot's page leaves out", async () => {
    const { url, asked } = await serveFor({ versionsShown: 0 });
    const { code, out } = await runBout(["verify", url]);
    assert.deepEqual([code, out.split("\n").slice(1)], [0, TRUE_LINES]);
    const lists = asked.filter((path) => path.startsWith("/api/bots/Neo/versions"));
    assert.deepEqual(lists, [
      "/api/bots/Neo/versions?ladder=public&limit=500",
      "/api/bots/Neo/versions?ladder=public&limit=500&before=old",
    ]);
  });

  for (const status of ["retired", "suspended", "banned"] as const)
    it(`expects no row of a ranked bot that is ${status}`, async () => {
      const players = LADDER.players.map((one) => (one.name === "zed" ? { ...one, status } : one));
      const { url } = await serveFor({}, publicLadder(LADDER.matches.length, players));
      const { code, out } = await runBout(["verify", url]);
      assert.match(out, /leaderboard  ok: 7 rows as computed/);
      assert.equal(code, 0);
    });

  it("reads a season that is over by its id", async () => {
    const season = { state: "archived", archived_at: "2026-02-01T00:05:00.000Z" };
    const { url } = await serveFor({ season });
    const { code, out } = await runBout(["verify", url, "--season", "2026-01"]);
    assert.equal(code, 0);
    assert.match(out, /season 2026-01 \(archived\)\n/);
  });

  it("gives the whole result as JSON", async () => {
    const { url } = await serveFor(
      lyingRows(([first, ...rows]) => [{ ...first!, wins: 40 }, ...rows]),
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

describe("bout verify of a hostile server (T95)", () => {
  const HOSTILE = "\u001b]0;OWNED\u0007\u001b[2J\u009b31m\u007f\u202e";

  it("escapes its texts", async () => {
    const { url } = await serveFor(
      lyingRows((rows) => rows.map((row) => ({ ...row, name: HOSTILE, version: HOSTILE }))),
    );
    for (const flags of [[], ["--json"]]) {
      const { code, out, err } = await runBout(["verify", url, ...flags]);
      assert.equal(code, 1);
      assert.doesNotMatch(out + err, /(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
      assert.match(out, /\\u001b\]0;OWNED\\u0007\\u001b\[2J\\u009b31m\\u007f\\u202e/);
    }
  });
});

describe("bout verify of a lie", { concurrency: 3 }, () => {
  const rated = LADDER.matches.filter(
    ({ winner, bots }) =>
      winner !== null && ["Rex", "zed"].every((name) => bots.some((bot) => bot.name === name)),
  )[0]!;
  const loser = rated.bots.find(({ id }) => id !== rated.winner)!;

  const lies: [what: string, serving: PublicLadderServer, told: RegExp][] = [
    [
      "a wrong rating",
      lyingRows((rows) => rows.map((row) => (row.name === "Rex" ? { ...row, rating: 1710 } : row))),
      /DIFFERS in 1 point of 8 rows\nmatches      ok\n\nrow .*\nRex@v2 +rating +1710 +1707\n$/,
    ],
    [
      "two ranks exchanged",
      lyingRows(([first, second, ...rows]) => [
        { ...second!, rank: 1 },
        { ...first!, rank: 2 },
        ...rows,
      ]),
      /\nhouse-champion@v1 +rank +1 +2\nNeo@old +rank +2 +1\n$/,
    ],
    [
      "a bot left out",
      lyingRows((rows) => rows.filter(({ name }) => name !== "ada-bot")),
      /DIFFERS in 1 point of 7 rows\n.*\n\n.*\nada-bot@v1 +row +not listed +rank 8\n/,
    ],
    [
      "one wrong result",
      lyingMatch(rated.id, (match) => ({ ...match, winner: loser.id })),
      /\nRex@v2 +wins +32 +3[13]\n/,
    ],
    [
      "one game left out",
      lyingMatch(rated.id, () => null),
      /\nRex@v2 +(?:wins|losses) +\d+ +\d+\n/,
    ],
    [
      "a void match with ratings",
      lyingMatch(rated.id, (match) => ({ ...match, winner: null, voided: true })),
      new RegExp(`matches      1 match AT FAULT[^]*match ${rated.id} is void, but has ratings\n`),
    ],
  ];
  for (const [what, serving, told] of lies)
    it(`finds ${what}`, async () => {
      const { url } = await serveFor(serving);
      const { code, out, err } = await runBout(["verify", url]);
      assert.deepEqual([code, err], [1, ""]);
      assert.match(out, told);
    });
});

describe("bout verify of a ladder that plays", { concurrency: 3 }, () => {
  /**
   * The newest games ended just now, and the leaderboard shows the first of them at the third look.
   */
  async function playing(shownAfter: (look: number) => number): Promise<ServedLadder> {
    const now = Date.now();
    const matches = LADDER.matches.map((match, place) => {
      return place < 3 ? { ...match, ended: new Date(now - place).toISOString() } : match;
    });
    const boards = [0, 1, 2, 3].map((behind) => publicLadder(400, LADDER.players, behind).rows);
    let looks = 0;
    return serveFor(
      {
        season: { closes_at: "2999-01-01T00:00:00.000Z" },
        change: (path, answer) => {
          if (!path.startsWith("/api/leaderboard")) return answer;
          looks += 1;
          return boards[shownAfter(looks)];
        },
      },
      { ...LADDER, matches },
    );
  }

  it("sees which games the leaderboard does not count yet", async () => {
    const { url } = await playing(() => 2);
    const { code, out } = await runBout(["verify", url]);
    assert.match(out, /2 newer not on the leaderboard yet\n.*\nleaderboard  ok/);
    assert.equal(code, 0);
  });

  it("looks again when the leaderboard is not explained", async () => {
    const wrong = lyingRows((rows) => rows.toReversed());
    let looks = 0;
    const { url, asked } = await serveFor({
      change: (path, answer) => {
        if (!path.startsWith("/api/leaderboard")) return answer;
        looks += 1;
        return looks === 1 ? wrong.change?.(path, answer) : answer;
      },
    });
    const { code } = await runBout(["verify", url]);
    assert.equal(code, 0);
    assert.equal(asked.filter((path) => path.startsWith("/api/leaderboard")).length, 2);
  });

  it("gives up on a leaderboard that never stands still", async () => {
    let looks = 0;
    const { url } = await serveFor(
      lyingRows(([first, ...rows]) => [{ ...first!, rating: first!.rating + ++looks }, ...rows]),
    );
    const { code, out } = await runBout(["verify", url, "--json"]);
    const { agrees, moved } = JSON.parse(out) as Report;
    assert.deepEqual([code, agrees, moved], [1, false, true]);
    assert.equal(looks, 6);
  });
});

describe("bout verify of an archive", () => {
  const ladder = archivedLadder();
  const folder = temporaryFolder();

  it("takes no flag that chooses a ladder", async () => {
    const file = await writeArchive(folder, ladder);
    const { code, out, err } = await runBout(["verify", file, "--ladder", "cup"]);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /^bout verify: an archive is of one ladder, without seasons\.\n$/);
  });

  it("ends with 1 when something in it is not true, in JSON too", async () => {
    const rows = ladder.rows.map((row) => ({ ...row, rating: row.rating + 1 }));
    const file = await writeArchive(folder, { ...ladder, rows });
    const { code, out } = await runBout(["verify", file, "--json"]);
    const report = JSON.parse(out) as ArchiveReport & { file: string };
    assert.deepEqual([code, report.agrees, report.file], [1, false, file]);
    assert.equal(report.differences.length, ladder.rows.length);
  });
});

describe("bout verify", () => {
  const wrong: [args: string[], problem: RegExp][] = [
    [[], /missing required argument 'URL\|FILE'/],
    [["URL", "--frobnicate"], /unknown option '--frobnicate'/],
    [
      ["ladder.example"],
      /ladder\.example is neither a file nor an address of a ladder; those begin with http\.$/,
    ],
    [["http://127.0.0.1:9"], /http:\/\/127\.0\.0\.1:9 cannot be reached: /],
    [["URL", "--season", "2025-01"], /there is no season 2025-01; there are 2026-01\.$/],
    [["URL", "--ladder", "cup"], /there is no ladder cup\.$/],
    [["URL", "--ladder", "cup", "--season", "2026-01"], /only the ladder public has seasons\.$/],
  ];
  for (const [args, problem] of wrong)
    it(`refuses ${args.join(" ") || "no address"} in one line`, async () => {
      const { url } = await serveFor();
      const call = args.map((word) => (word === "URL" ? url : word));
      const { code, out, err } = await runBout(["verify", ...call]);
      assert.deepEqual([code, out], [2, ""]);
      assert.match(err.trimEnd(), problem);
      assert.match(err, /^bout verify: .*\n$/);
    });

  it("refuses pages that do not get older, and endless pages", async () => {
    const { url } = await serveFor({
      change: (path, answer) =>
        path.includes("before=") ? LADDER.matches.slice(0, PAGE_SIZE) : answer,
    });
    const { code, err } = await runBout(["verify", url]);
    assert.equal(code, 2);
    assert.match(err, /the list of matches is not in order: match-00399 after match-00340\.\n$/);
  });

  it("has help", async () => {
    const { code, out } = await runBout(["verify", "--help"]);
    assert.equal(code, 0);
    assert.match(out, /^Usage: bout verify URL\|FILE \[flags\]/);
  });
});
