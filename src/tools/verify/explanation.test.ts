import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { bothOf } from "#base/units/sure.ts";
import {
  LADDER_RULES,
  lookAtPublic,
  publicBots,
  publicLadder,
} from "#testing/harness/public-ladder.ts";
import type { PublicLadder, PublicPlayer } from "#testing/harness/public-ladder.ts";

import type { ListedMatch, ShownRow } from "./answers.ts";
import { createCount } from "./count.ts";
import { explain } from "./explanation.ts";
import type { Explanation, Look } from "./explanation.ts";

const LADDER = publicLadder();
const GAMES = LADDER.matches.filter(({ voided }) => !voided);

function explained(ladder: PublicLadder, changes: Partial<Look> = {}, isFrozen = false) {
  const look = { ...lookAtPublic(ladder), ...changes };
  return explain(look, createCount(), publicBots(ladder), { ...LADDER_RULES, isFrozen });
}

/** As `Rex@v2 rating 1708 1707`, with a star if tolerated. */
function told({ differences }: Explanation): string[] {
  return differences.map(({ bot, version, field, shown, computed, tolerated }) => {
    return `${bot}@${version} ${field}: ${shown}, ${computed}${tolerated ? " *" : ""}`;
  });
}

/** The ladder with one row changed. */
function withRow(name: string, change: (row: ShownRow) => Partial<ShownRow>): PublicLadder {
  const rows = LADDER.rows.map((row) => (row.name === name ? { ...row, ...change(row) } : row));
  return { ...LADDER, rows };
}

const without = (id: string): ListedMatch[] => LADDER.matches.filter((match) => match.id !== id);

/** The newest rated game between two bots that each have a row. */
const meeting = (one: string, other: string): ListedMatch =>
  GAMES.find(({ bots }) => [one, other].every((name) => bots.some((bot) => bot.name === name)))!;

describe("a leaderboard", () => {
  it("that is true is explained by all games", () => {
    const explanation = explained(LADDER);
    assert.deepEqual(told(explanation), []);
    assert.equal(explanation.uncounted.size, 0);
    assert.deepEqual(explanation.board.anchors, ["house-brawler@v1", "house-kiter@v1"]);
    assert.equal(explanation.count.games, GAMES.length);
    assert.equal(explanation.count.voided, LADDER.matches.length - GAMES.length);
    assert.ok(explanation.count.voided > 0);
  });

  it("need not be read in the order of its games, nor in one go", () => {
    const { matches } = LADDER;
    assert.deepEqual(told(explained({ ...LADDER, matches: matches.toReversed() })), []);
  });

  const figures: [field: keyof ShownRow, by: number][] = [
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
    it(`is not believed with a ${field} that is ${by} off`, () => {
      const right = LADDER.rows.find(({ name }) => name === "Rex")![field] as number;
      const lie = withRow("Rex", () => ({ [field]: right + by }));
      assert.deepEqual(told(explained(lie)), [`Rex@v2 ${field}: ${right + by}, ${right}`]);
    });

  it("is not believed with two ranks exchanged, with or without their rows", () => {
    const [first, second] = bothOf(LADDER.rows);
    const others = LADDER.rows.slice(2);
    const ranks = [{ ...first, rank: 2 }, { ...second, rank: 1 }, ...others];
    const rows = [{ ...second, rank: 1 }, { ...first, rank: 2 }, ...others];
    const lies = [`${first.name}@${first.version} rank: 2, 1`];
    lies.push(`${second.name}@${second.version} rank: 1, 2`);
    assert.deepEqual(told(explained({ ...LADDER, rows: ranks })), lies);
    assert.deepEqual(told(explained({ ...LADDER, rows })), lies.toReversed());
  });

  it("is not believed with a rank twice", () => {
    const lie = withRow("Rex", ({ rank }) => ({ rank: rank - 1 }));
    assert.deepEqual(told(explained(lie)), ["Rex@v2 rank: 2, 3"]);
  });

  it("is not believed without one of its rows, and the others are not blamed", () => {
    const rows = LADDER.rows
      .filter(({ name }) => name !== "Rex")
      .map((row, place) => ({ ...row, rank: place + 1 }));
    assert.deepEqual(told(explained({ ...LADDER, rows })), ["Rex@v2 row: not listed, rank 3"]);
  });

  it("is not believed with a bot that has too few games, or none", () => {
    const first = LADDER.rows[0]!;
    for (const [name, games] of [
      ["late-comer", LATE_GAMES],
      ["nobody", 0],
    ] as const) {
      const row = { ...first, name, version: "v1" };
      const rows = [first, row, ...LADDER.rows.slice(1)];
      const shown = rows.map((one, place) => ({ ...one, rank: place + 1 }));
      const lie = `${name}@v1 row: rank 2, not listed (${games} rated games)`;
      assert.deepEqual(told(explained({ ...LADDER, rows: shown })), [lie]);
    }
  });

  it("is not believed with another version of a bot than the one that played last", () => {
    const found = told(explained(withRow("Rex", () => ({ version: "v1" }))));
    assert.equal(found[0], "Rex@v1 version: v1, v2");
  });

  it("is not believed with a retired version", () => {
    const found = told(explained(withRow("Neo", () => ({ version: "new" }))));
    assert.equal(found[0], "Neo@new version: new, old");
  });
});

const LATE_GAMES = GAMES.filter(({ bots }) =>
  bots.some(({ name }) => name === "late-comer"),
).length;

describe("a list of matches", () => {
  const lost = meeting("Rex", "zed");

  it("is not believed without one of the games", () => {
    const found = told(explained({ ...LADDER, matches: without(lost.id) }));
    assert.ok(found.some((line) => /^Rex@v2 (wins|losses|draws)/.test(line)));
    assert.ok(found.some((line) => /^zed@v1 (wins|losses|draws)/.test(line)));
  });

  it("is not believed with one result reversed", () => {
    const loser = lost.bots.find(({ id }) => id !== lost.winner)!;
    const turned = { ...lost, winner: loser.id };
    const matches = LADDER.matches.map((match) => (match === lost ? turned : match));
    const found = told(explained({ ...LADDER, matches }));
    for (const name of ["Rex@v2", "zed@v1"])
      for (const field of ["wins", "losses", "rating"])
        assert.ok(
          found.some((line) => line.startsWith(`${name} ${field}`)),
          `${name} ${field}`,
        );
  });

  it("is not believed with a void game counted, or a counted one void", () => {
    const matches = LADDER.matches.map((match) =>
      match === lost ? { ...match, voided: true } : match,
    );
    assert.notDeepEqual(told(explained({ ...LADDER, matches })), []);
  });
});

describe("a leaderboard that lags behind", () => {
  const newest = Date.parse(LADDER.matches[0]!.ended);

  /** The leaderboard without the newest `games` games, read `ms` after the newest of all. */
  const behind = (games: number, ms: number): Explanation => {
    const { rows } = publicLadder(LADDER.matches.length, LADDER.players, games);
    // Games of the history are 20 s apart; here the last ones end within a second.
    const matches = LADDER.matches.map((match, place) => {
      if (place >= 5) return match;
      return { ...match, ended: new Date(newest - 200 * place).toISOString() };
    });
    return explained({ ...LADDER, rows, matches }, { atMs: newest + ms });
  };

  for (const games of [0, 1, 2, 3])
    it(`by ${games} games is explained without them`, () => {
      const explanation = behind(games, 500);
      assert.deepEqual(told(explanation), []);
      const lacking = LADDER.matches.slice(0, games).filter(({ voided }) => !voided);
      assert.deepEqual(
        [...explanation.uncounted].toSorted(),
        lacking.map(({ id }) => id).toSorted(),
      );
    });

  it("for too long is not believed", () => {
    assert.notDeepEqual(told(behind(2, 10_000)), []);
  });
});

describe("standings that were frozen", () => {
  /** Rex has retired its second version, which may have been before or after the end. */
  const players = LADDER.players.map((one) =>
    one.label === "v2" ? { ...one, retired: true } : one,
  );

  it("may show a version that was retired since, or not", () => {
    const since = { ...LADDER, players };
    const before = publicLadder(LADDER.matches.length, players);
    assert.deepEqual(told(explained(since, {}, true)), []);
    assert.deepEqual(told(explained(before, {}, true)), []);
    assert.notDeepEqual(told(explained(since)), []);
    assert.deepEqual(told(explained(before)), []);
  });

  it("may show a bot that retired since, or not", () => {
    const leaving = LADDER.players.map((one): PublicPlayer => {
      return one.name === "zed" ? { ...one, status: "retired" } : one;
    });
    const since = { ...LADDER, players: leaving };
    const before = publicLadder(LADDER.matches.length, leaving);
    assert.deepEqual(told(explained(since, {}, true)), []);
    assert.deepEqual(told(explained(before, {}, true)), []);
    assert.deepEqual(told(explained(since)), ["zed@v1 row: rank 5, not listed (103 rated games)"]);
    assert.deepEqual(told(explained(before)), []);
  });

  it("may name a bot by its former name", () => {
    const renamed = withRow("zed", () => ({ name: "the-former-zed" }));
    assert.deepEqual(told(explained(renamed, {}, true)), []);
    assert.deepEqual(told(explained(renamed)), [
      "the-former-zed@v1 row: rank 5, not listed (0 rated games)",
      "zed@v1 row: not listed, rank 5",
    ]);
  });

  it("are exact, and final: no game may be missing", () => {
    const atMs = Date.parse(LADDER.matches[0]!.ended);
    const { rows } = publicLadder(LADDER.matches.length, LADDER.players, 1);
    assert.notDeepEqual(told(explained({ ...LADDER, rows }, { atMs }, true)), []);
  });
});

describe("equal scores", () => {
  it("may stand in either order", () => {
    const twins = mirrored();
    const rows = twins.rows.toReversed().map((row, place) => ({ ...row, rank: place + 1 }));
    assert.equal(rows.length, 2);
    assert.equal(rows[0]!.leaderboard_score, rows[1]!.leaderboard_score);
    assert.deepEqual(told(explained(twins)), []);
    assert.deepEqual(told(explained({ ...twins, rows })), []);
  });

  /** Two bots that alternately beat each other. */
  function mirrored(): PublicLadder {
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
    const { board } = explain(
      { shown: [], atMs: Infinity, matches: games },
      createCount(),
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
  /** Most of the bots play only at the beginning. */
  const crowd = Array.from({ length: 210 }, (_, number): PublicPlayer => {
    const name = `bot-${number}`;
    const plays = (part: number) => number % 15 === 0 || part < 0.5;
    const steady = { label: "v1", house: false, retired: false, plays };
    return { bot: `id-${name}`, name, strength: 1500 + number, ...steady };
  });
  const large = publicLadder(900, crowd);
  const row = large.rows[5]!;
  const atMs = Date.parse(large.matches[0]!.ended) + 60_000;

  /** Differences of one row: the server's own deviations may be slightly off as well. */
  const toldWith = (changes: Partial<ShownRow>): string[] => {
    const rows = large.rows.map((one) => (one === row ? { ...one, ...changes } : one));
    return told(explained({ ...large, rows }, { atMs })).filter((line) =>
      line.startsWith(`${row.name}@`),
    );
  };

  it("a large ladder is true to the point, deviations to a point more", () => {
    assert.equal(large.rows.length, 14);
    assert.deepEqual(
      told(explained(large, { atMs })).filter(
        (line) => !/ (rating_deviation|leaderboard_score|rank): .* \*$/.test(line),
      ),
      [],
    );
  });

  it("a deviation may be 1 off and a score 2, a rating nothing", () => {
    const { rating, rating_deviation: deviation, leaderboard_score: score } = exactly(row);
    const near = toldWith({ rating_deviation: deviation + 1, leaderboard_score: score - 2 });
    assert.deepEqual(near, [
      `${row.name}@v1 rating_deviation: ${deviation + 1}, ${deviation} *`,
      `${row.name}@v1 leaderboard_score: ${score - 2}, ${score} *`,
    ]);
    for (const lie of [
      { rating: rating + 1 },
      { rating_deviation: deviation + 2 },
      { leaderboard_score: score + 3 },
      { wins: row.wins + 1 },
    ])
      assert.ok(
        toldWith(lie).some((line) => !line.endsWith("*")),
        JSON.stringify(lie),
      );
  });

  it("nothing is tolerated once no game has ended for a while", () => {
    const { rating_deviation: deviation } = exactly(row);
    const rows = large.rows.map((one) =>
      one === row ? { ...one, ...exactly(row), rating_deviation: deviation + 1 } : one,
    );
    const found = told(explained({ ...large, rows }));
    const lie = `${row.name}@v1 rating_deviation: ${deviation + 1}, ${deviation}`;
    assert.ok(found.includes(lie), found.join("\n"));
  });

  it("rows whose scores differ by more than the tolerance may not change places", () => {
    const first = large.rows[0]!;
    const rows = [...large.rows.slice(1, 10), first, ...large.rows.slice(10)];
    const shown = rows.map((one, place) => ({ ...one, rank: place + 1 }));
    assert.ok(
      told(explained({ ...large, rows: shown }, { atMs })).some((line) =>
        / rank: \d+, 1$/.test(line),
      ),
    );
  });

  function exactly({ name }: ShownRow): ShownRow {
    const { differences } = explained(large, { atMs });
    const own = differences.filter(({ bot }) => bot === name);
    const right = Object.fromEntries(own.map(({ field, computed }) => [field, computed]));
    return { ...row, ...right };
  }
});
