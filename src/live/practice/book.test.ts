import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { HOUR, SECOND } from "#base/units/time.ts";
import { FIXED } from "#core/words/limits.ts";

import {
  begin,
  close,
  emptyBook,
  enterRequest,
  expire,
  forgetBot,
  gameOf,
  inLine,
  isKept,
  playedNow,
} from "./book.ts";
import type { PracticeBook, PracticeGame } from "./book.ts";

const WAIT = FIXED.practice_wait_s * SECOND;
const nobody = () => false;
const keeps = (book: PracticeBook, botId: string): boolean => isKept(book, botId, "public");

let ids = 0;

function asked(book: PracticeBook, botId: string, now = 0): PracticeGame {
  const entered = enterRequest(book, { id: `p${(ids += 1)}`, botId }, now);
  assert.ok("game" in entered);
  return entered.game;
}

const askAgain = (book: PracticeBook, botId: string, now: number) =>
  enterRequest(book, { id: "again", botId }, now);

suite("the book of practice games", () => {
  test("has one open game of a bot, and keeps the bot for it until it begins", () => {
    const book = emptyBook();
    const game = asked(book, "a");
    assert.deepEqual(askAgain(book, "a", 1), { refused: "practice_pending" });
    assert.deepEqual([keeps(book, "a"), keeps(book, "b"), playedNow(book)], [true, false, 0]);
    begin(game, "m");
    assert.deepEqual(askAgain(book, "a", 1), { refused: "practice_pending" });
    assert.deepEqual([keeps(book, "a"), playedNow(book), inLine(book)], [false, 1, []]);
    close(book, game, { name: "expired" });
    assert.deepEqual(playedNow(book), 0);
    assert.ok("game" in askAgain(book, "a", 1));
  });

  test("keeps the order in which games were asked for", () => {
    const book = emptyBook();
    const games = ["c", "a", "b"].map((botId) => asked(book, botId));
    begin(games[1]!, "m");
    assert.deepEqual(inLine(book), [games[0], games[2]]);
  });

  test("takes as many requests of a bot in an hour as may be, and says how long to wait", () => {
    const book = emptyBook();
    for (let count = 0; count < FIXED.practice_per_hour; count += 1)
      close(book, asked(book, "a", count * SECOND), { name: "expired" });
    const refused = (now: number) => askAgain(book, "a", now);
    assert.deepEqual(refused(30 * SECOND), { refused: "rate_limited", waitS: 3570 });
    assert.deepEqual(refused(HOUR - 1), { refused: "rate_limited", waitS: 1 });
    assert.ok("game" in enterRequest(book, { id: "other", botId: "b" }, 30 * SECOND));
    assert.ok("game" in refused(HOUR));
    close(book, book.open.get("a")!, { name: "expired" });
    assert.deepEqual(refused(HOUR), { refused: "rate_limited", waitS: 1 });
  });

  test("ends the games of bots that did not queue in time, and no others", () => {
    const book = emptyBook();
    const [late, waits, plays] = ["late", "waits", "plays"].map((botId) => asked(book, botId));
    begin(plays!, "m");
    const expireAt = (now: number) => expire(book, now, (botId) => botId === "waits");
    expireAt(WAIT - 1);
    assert.equal(late!.state.name, "pending");
    expireAt(WAIT);
    const names = [late, waits, plays].map((game) => game!.state.name);
    assert.deepEqual(names, ["expired", "pending", "playing"]);
    expire(book, WAIT, nobody);
    assert.equal(waits!.state.name, "expired");
  });

  test("shows a bot its own games, open and closed", () => {
    const book = emptyBook();
    const game = asked(book, "a");
    for (const isOpen of [true, false]) {
      if (!isOpen) close(book, game, { name: "expired" });
      assert.equal(gameOf(book, "a", game.id), game);
      assert.equal(gameOf(book, "b", game.id), null);
      assert.equal(gameOf(book, "a", "unknown"), null);
    }
  });

  test("forgets the oldest reports, requests of hours ago, and bots that are gone", () => {
    const book = emptyBook();
    const games = Array.from({ length: FIXED.practice_reports + 1 }, (_, at) => {
      const game = asked(book, `bot${at}`);
      close(book, game, { name: "expired" });
      return game;
    });
    const isKnown = (game: PracticeGame) => gameOf(book, game.botId, game.id) !== null;
    assert.deepEqual([isKnown(games[0]!), isKnown(games[1]!)], [false, true]);
    assert.equal(book.asked.size, games.length);
    expire(book, HOUR, nobody);
    assert.equal(book.asked.size, 0);
    const open = asked(book, "bot1");
    forgetBot(book, "bot1");
    assert.deepEqual([isKnown(games[1]!), isKnown(open), book.asked.size], [false, false, 0]);
  });
});
