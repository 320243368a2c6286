import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { firstTwo } from "#base/util/assert-defined.ts";
import {
  LADDER_RULES,
  snapshotOfLadder,
  publicBotsOf,
  createFakePublicLadder,
} from "#testing/harness/public-ladder.ts";
import type { FakePublicLadder, FakePlayer } from "#testing/harness/public-ladder.ts";

import { explainBoard } from "./explanation.ts";
import type { Explanation, BoardSnapshot } from "./explanation.ts";
import { createMatchCount } from "./match-count.ts";
import type { ListedMatch, LeaderboardEntry } from "./response-schemas.ts";

const LADDER = createFakePublicLadder();
const GAMES = LADDER.matches.filter(({ voided }) => !voided);

function explainWith(
  ladder: FakePublicLadder,
  changes: Partial<BoardSnapshot> = {},
  isFrozen = false,
) {
  const boardSnapshot = { ...snapshotOfLadder(ladder), ...changes };
  return explainBoard(boardSnapshot, createMatchCount(), publicBotsOf(ladder), {
    ...LADDER_RULES,
    isFrozen,
  });
}

/** Formatted as `Rex@v2 rating 1708 1707`, with a star if the difference is tolerated. */
function formatDifferences({ differences }: Explanation): string[] {
  return differences.map(({ bot, version, field, shown, computed, tolerated }) => {
    return `${bot}@${version} ${field}: ${shown}, ${computed}${tolerated ? " *" : ""}`;
  });
}

function withChangedRow(
  name: string,
  change: (row: LeaderboardEntry) => Partial<LeaderboardEntry>,
): FakePublicLadder {
  const rows = LADDER.rows.map((row) => (row.name === name ? { ...row, ...change(row) } : row));
  return { ...LADDER, rows };
}

const withoutMatch = (id: string): ListedMatch[] =>
  LADDER.matches.filter((match) => match.id !== id);

const findMeeting = (firstName: string, secondName: string): ListedMatch =>
  GAMES.find(({ bots }) =>
    [firstName, secondName].every((name) => bots.some((bot) => bot.name === name)),
  )!;

describe("a leaderboard", () => {
  it("accepts a genuine leaderboard with all matches", () => {
    const explanation = explainWith(LADDER);
    assert.deepEqual(formatDifferences(explanation), []);
    assert.equal(explanation.uncounted.size, 0);
    assert.deepEqual(explanation.board.anchors, ["house-brawler@v1", "house-kiter@v1"]);
    assert.equal(explanation.count.games, GAMES.length);
    assert.equal(explanation.count.voided, LADDER.matches.length - GAMES.length);
    assert.ok(explanation.count.voided > 0);
  });

  it("accepts matches read in any order and in several parts", () => {
    const { matches } = LADDER;
    assert.deepEqual(
      formatDifferences(explainWith({ ...LADDER, matches: matches.toReversed() })),
      [],
    );
  });

  const figures: [field: keyof LeaderboardEntry, by: number][] = [
    ["rating", 1],
    ["rating", -1],
    ["rating", 0.25],
    ["rating_deviation", 1],
    ["rating_deviation", -1],
    ["leaderboard_score", 1],
    ["wins", 1],
    ["losses", -1],
    ["draws", 1],
  ];
  for (const [field, by] of figures)
    it(`detects a ${field} that is off by ${by}`, () => {
      const correctRow = LADDER.rows.find(({ name }) => name === "Rex")![field] as number;
      const changedRow = withChangedRow("Rex", () => ({ [field]: correctRow + by }));
      assert.deepEqual(formatDifferences(explainWith(changedRow)), [
        `Rex@v2 ${field}: ${correctRow + by}, ${correctRow}`,
      ]);
    });

  it("detects two swapped ranks, with or without their rows", () => {
    const [first, second] = firstTwo(LADDER.rows);
    const otherRows = LADDER.rows.slice(2);
    const ranks = [{ ...first, rank: 2 }, { ...second, rank: 1 }, ...otherRows];
    const rows = [{ ...second, rank: 1 }, { ...first, rank: 2 }, ...otherRows];
    const lies = [`${first.name}@${first.version} rank: 2, 1`];
    lies.push(`${second.name}@${second.version} rank: 1, 2`);
    assert.deepEqual(formatDifferences(explainWith({ ...LADDER, rows: ranks })), lies);
    assert.deepEqual(formatDifferences(explainWith({ ...LADDER, rows })), lies.toReversed());
  });

  it("detects a duplicate rank", () => {
    const changedRow = withChangedRow("Rex", ({ rank }) => ({ rank: rank - 1 }));
    assert.deepEqual(formatDifferences(explainWith(changedRow)), ["Rex@v2 rank: 2, 3"]);
  });

  it("detects a missing row without reporting the other rows", () => {
    const rows = LADDER.rows
      .filter(({ name }) => name !== "Rex")
      .map((row, place) => ({ ...row, rank: place + 1 }));
    assert.deepEqual(formatDifferences(explainWith({ ...LADDER, rows })), [
      "Rex@v2 row: not listed, rank 3",
    ]);
  });

  it("detects a row for a bot with too few matches or no matches", () => {
    const first = LADDER.rows[0]!;
    for (const [name, games] of [
      ["late-comer", LATE_GAMES],
      ["nobody", 0],
    ] as const) {
      const row = { ...first, name, version: "v1" };
      const rows = [first, row, ...LADDER.rows.slice(1)];
      const shown = rows.map((firstName, place) => ({ ...firstName, rank: place + 1 }));
      const changedRow = `${name}@v1 row: rank 2, not listed (${games} rated games)`;
      assert.deepEqual(formatDifferences(explainWith({ ...LADDER, rows: shown })), [changedRow]);
    }
  });

  it("detects a row for a version other than the last one played", () => {
    const foundDifferences = formatDifferences(
      explainWith(withChangedRow("Rex", () => ({ version: "v1" }))),
    );
    assert.equal(foundDifferences[0], "Rex@v1 version: v1, v2");
  });

  it("detects a row for a retired version", () => {
    const foundDifferences = formatDifferences(
      explainWith(withChangedRow("Neo", () => ({ version: "new" }))),
    );
    assert.equal(foundDifferences[0], "Neo@new version: new, old");
  });
});

const LATE_GAMES = GAMES.filter(({ bots }) =>
  bots.some(({ name }) => name === "late-comer"),
).length;

describe("a list of matches", () => {
  const missingMatch = findMeeting("Rex", "zed");

  it("detects a missing match", () => {
    const foundDifferences = formatDifferences(
      explainWith({ ...LADDER, matches: withoutMatch(missingMatch.id) }),
    );
    assert.ok(foundDifferences.some((line) => /^Rex@v2 (wins|losses|draws)/.test(line)));
    assert.ok(foundDifferences.some((line) => /^zed@v1 (wins|losses|draws)/.test(line)));
  });

  it("detects a reversed result", () => {
    const loser = missingMatch.bots.find(({ id }) => id !== missingMatch.winner)!;
    const swappedMatch = { ...missingMatch, winner: loser.id };
    const matches = LADDER.matches.map((match) => (match === missingMatch ? swappedMatch : match));
    const foundDifferences = formatDifferences(explainWith({ ...LADDER, matches }));
    for (const name of ["Rex@v2", "zed@v1"])
      for (const field of ["wins", "losses", "rating"])
        assert.ok(
          foundDifferences.some((line) => line.startsWith(`${name} ${field}`)),
          `${name} ${field}`,
        );
  });

  it("detects a void match that is counted, and a match that is wrongly marked as void", () => {
    const matches = LADDER.matches.map((match) =>
      match === missingMatch ? { ...match, voided: true } : match,
    );
    assert.notDeepEqual(formatDifferences(explainWith({ ...LADDER, matches })), []);
  });
});

describe("a leaderboard that lags", () => {
  const newest = Date.parse(LADDER.matches[0]!.ended);

  /** The leaderboard without the newest `games` matches, read `ms` after the newest match ended. */
  const boardLag = (games: number, ms: number): Explanation => {
    const { rows } = createFakePublicLadder(LADDER.matches.length, LADDER.players, games);
    // Matches are normally 20 s apart. The last ones end within a second.
    const matches = LADDER.matches.map((match, place) => {
      if (place >= 5) return match;
      return { ...match, ended: new Date(newest - 200 * place).toISOString() };
    });
    return explainWith({ ...LADDER, rows, matches }, { atMs: newest + ms });
  };

  for (const games of [0, 1, 2, 3])
    it(`by ${games} matches is accepted without these matches`, () => {
      const explanation = boardLag(games, 500);
      assert.deepEqual(formatDifferences(explanation), []);
      const missingGames = LADDER.matches.slice(0, games).filter(({ voided }) => !voided);
      assert.deepEqual(
        [...explanation.uncounted].toSorted(),
        missingGames.map(({ id }) => id).toSorted(),
      );
    });

  it("for too long is rejected", () => {
    assert.notDeepEqual(formatDifferences(boardLag(2, 10_000)), []);
  });
});

describe("frozen standings", () => {
  /** Rex retires its second version before or after the end of the season. */
  const players = LADDER.players.map((firstName) =>
    firstName.label === "v2" ? { ...firstName, retired: true } : firstName,
  );

  it("may show a version that could have been retired later", () => {
    const since = { ...LADDER, players };
    const before = createFakePublicLadder(LADDER.matches.length, players);
    assert.deepEqual(formatDifferences(explainWith(since, {}, true)), []);
    assert.deepEqual(formatDifferences(explainWith(before, {}, true)), []);
    assert.notDeepEqual(formatDifferences(explainWith(since)), []);
    assert.deepEqual(formatDifferences(explainWith(before)), []);
  });

  it("may show a bot that could have been retired later", () => {
    const inactiveBots = LADDER.players.map((firstName): FakePlayer => {
      return firstName.name === "zed" ? { ...firstName, status: "retired" } : firstName;
    });
    const since = { ...LADDER, players: inactiveBots };
    const before = createFakePublicLadder(LADDER.matches.length, inactiveBots);
    assert.deepEqual(formatDifferences(explainWith(since, {}, true)), []);
    assert.deepEqual(formatDifferences(explainWith(before, {}, true)), []);
    assert.deepEqual(formatDifferences(explainWith(since)), [
      "zed@v1 row: rank 5, not listed (103 rated games)",
    ]);
    assert.deepEqual(formatDifferences(explainWith(before)), []);
  });

  it("may show a bot's former name", () => {
    const renamedBots = withChangedRow("zed", () => ({ name: "the-former-zed" }));
    assert.deepEqual(formatDifferences(explainWith(renamedBots, {}, true)), []);
    assert.deepEqual(formatDifferences(explainWith(renamedBots)), [
      "the-former-zed@v1 row: rank 5, not listed (0 rated games)",
      "zed@v1 row: not listed, rank 5",
    ]);
  });

  it("are exact and final, so no match may be missing", () => {
    const atMs = Date.parse(LADDER.matches[0]!.ended);
    const { rows } = createFakePublicLadder(LADDER.matches.length, LADDER.players, 1);
    assert.notDeepEqual(formatDifferences(explainWith({ ...LADDER, rows }, { atMs }, true)), []);
  });
});

describe("bots with equal scores", () => {
  it("may appear in either order", () => {
    const twinRows = createMirroredLadder();
    const rows = twinRows.rows.toReversed().map((row, place) => ({ ...row, rank: place + 1 }));
    assert.equal(rows.length, 2);
    assert.equal(rows[0]!.leaderboard_score, rows[1]!.leaderboard_score);
    assert.deepEqual(formatDifferences(explainWith(twinRows)), []);
    assert.deepEqual(formatDifferences(explainWith({ ...twinRows, rows })), []);
  });

  /** Two bots that take turns beating each other. */
  function createMirroredLadder(): FakePublicLadder {
    const { players, matches } = LADDER;
    const pair = players.filter(({ name }) => name === "zed" || name === "mira");
    const example = GAMES[1]!;
    const games = Array.from({ length: 40 }, (_, number): ListedMatch => {
      const bots = pair.map(({ bot, name }) => ({
        ...example.bots[0]!,
        id: bot,
        name,
        version: "v1",
      }));
      const ended = new Date(Date.parse(matches[0]!.ended) - 1000 * number).toISOString();
      return { ...example, id: `tie-${number}`, ended, winner: pair[number % 2]!.bot, bots };
    });
    const { board } = explainBoard(
      { shown: [], atMs: Infinity, matches: games },
      createMatchCount(),
      new Map(),
      { ...LADDER_RULES, isFrozen: false },
    );
    const shown = board.rows.map(
      ({ name, label: version, rating, deviation, ...results }, place) => ({
        ...results,
        rank: place + 1,
        name,
        version,
        rating: Math.round(rating),
        rating_deviation: Math.round(deviation),
        leaderboard_score: Math.floor(rating - 2 * deviation + 0.5),
      }),
    );
    return { players: pair, matches: games, rows: shown };
  }
});

describe("between two full passes", () => {
  /** Most bots play only at the beginning. */
  const crowd = Array.from({ length: 210 }, (_, number): FakePlayer => {
    const name = `bot-${number}`;
    const plays = (part: number) => number % 15 === 0 || part < 0.5;
    const steady = { label: "v1", house: false, retired: false, plays };
    return { bot: `id-${name}`, name, strength: 1500 + number, ...steady };
  });
  const large = createFakePublicLadder(900, crowd);
  const row = large.rows[5]!;
  const atMs = Date.parse(large.matches[0]!.ended) + 60_000;

  /**
   * Returns the differences after one row has been changed. The server's own deviations may also be
   * slightly off.
   */
  const toldWith = (changes: Partial<LeaderboardEntry>): string[] => {
    const rows = large.rows.map((firstName) =>
      firstName === row ? { ...firstName, ...changes } : firstName,
    );
    return formatDifferences(explainWith({ ...large, rows }, { atMs })).filter((line) =>
      line.startsWith(`${row.name}@`),
    );
  };

  it("a large ladder is exact, except for deviations that are off by one point", () => {
    assert.equal(large.rows.length, 14);
    assert.deepEqual(
      formatDifferences(explainWith(large, { atMs })).filter(
        (line) => !/ (rating_deviation|leaderboard_score|rank): .* \*$/.test(line),
      ),
      [],
    );
  });

  it("a deviation may be off by 1 and a score by 2, but a rating must be exact", () => {
    const { rating, rating_deviation: deviation, leaderboard_score: score } = exactly(row);
    const near = toldWith({ rating_deviation: deviation + 1, leaderboard_score: score - 2 });
    assert.deepEqual(near, [
      `${row.name}@v1 rating_deviation: ${deviation + 1}, ${deviation} *`,
      `${row.name}@v1 leaderboard_score: ${score - 2}, ${score} *`,
    ]);
    for (const changedRow of [
      { rating: rating + 1 },
      { rating_deviation: deviation + 2 },
      { leaderboard_score: score + 3 },
      { wins: row.wins + 1 },
    ])
      assert.ok(
        toldWith(changedRow).some((line) => !line.endsWith("*")),
        JSON.stringify(changedRow),
      );
  });

  it("no difference is tolerated once no match has ended for a while", () => {
    const { rating_deviation: deviation } = exactly(row);
    const rows = large.rows.map((firstName) =>
      firstName === row
        ? { ...firstName, ...exactly(row), rating_deviation: deviation + 1 }
        : firstName,
    );
    const foundDifferences = formatDifferences(explainWith({ ...large, rows }));
    const changedRow = `${row.name}@v1 rating_deviation: ${deviation + 1}, ${deviation}`;
    assert.ok(foundDifferences.includes(changedRow), foundDifferences.join("\n"));
  });

  it("rows whose scores differ by more than the tolerance may not swap", () => {
    const first = large.rows[0]!;
    const rows = [...large.rows.slice(1, 10), first, ...large.rows.slice(10)];
    const shown = rows.map((firstName, place) => ({ ...firstName, rank: place + 1 }));
    assert.ok(
      formatDifferences(explainWith({ ...large, rows: shown }, { atMs })).some((line) =>
        / rank: \d+, 1$/.test(line),
      ),
    );
  });

  function exactly({ name }: LeaderboardEntry): LeaderboardEntry {
    const { differences } = explainWith(large, { atMs });
    const own = differences.filter(({ bot }) => bot === name);
    const correctRow = Object.fromEntries(own.map(({ field, computed }) => [field, computed]));
    return { ...row, ...correctRow };
  }
});
