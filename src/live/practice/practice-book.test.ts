import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { HOUR_US, SECOND_US } from "#base/util/time.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import {
  markPlaying,
  closeMatch,
  emptyPracticeBook,
  enterRequest,
  expireMatches,
  removeBot,
  findPracticeMatch,
  pendingMatches,
  isReservedForPractice,
  countPlaying,
} from "./practice-book.ts";
import type { PracticeBook, PracticeMatch } from "./practice-book.ts";

const WAIT = FIXED_LIMITS.practice_wait_s * SECOND_US;
const hasNotQueued = () => false;
const isReserved = (book: PracticeBook, botId: string): boolean =>
  isReservedForPractice(book, botId, "public");

let ids = 0;

function addRequest(book: PracticeBook, botId: string, now = 0): PracticeMatch {
  const result = enterRequest(book, { id: `p${(ids += 1)}`, botId }, now);
  assert.ok("game" in result);
  return result.game;
}

const requestAgain = (book: PracticeBook, botId: string, now: number) =>
  enterRequest(book, { id: "again", botId }, now);

suite("the practice match book", () => {
  test("has one open match per bot and reserves the bot until it starts", () => {
    const book = emptyPracticeBook();
    const practiceMatch = addRequest(book, "a");
    assert.deepEqual(requestAgain(book, "a", 1), { refused: "practice_pending" });
    assert.deepEqual(
      [isReserved(book, "a"), isReserved(book, "b"), countPlaying(book)],
      [true, false, 0],
    );
    markPlaying(practiceMatch, "m");
    assert.deepEqual(requestAgain(book, "a", 1), { refused: "practice_pending" });
    assert.deepEqual(
      [isReserved(book, "a"), countPlaying(book), pendingMatches(book)],
      [false, 1, []],
    );
    closeMatch(book, practiceMatch, { name: "expired" });
    assert.deepEqual(countPlaying(book), 0);
    assert.ok("game" in requestAgain(book, "a", 1));
  });

  test("keeps requests in order", () => {
    const book = emptyPracticeBook();
    const practiceMatches = ["c", "a", "b"].map((botId) => addRequest(book, botId));
    markPlaying(practiceMatches[1]!, "m");
    assert.deepEqual(pendingMatches(book), [practiceMatches[0], practiceMatches[2]]);
  });

  test("limits each bot's requests per hour and returns the wait", () => {
    const book = emptyPracticeBook();
    for (let count = 0; count < FIXED_LIMITS.practice_per_hour; count += 1)
      closeMatch(book, addRequest(book, "a", count * SECOND_US), { name: "expired" });
    const requestAt = (now: number) => requestAgain(book, "a", now);
    assert.deepEqual(requestAt(30 * SECOND_US), { refused: "rate_limited", waitS: 3570 });
    assert.deepEqual(requestAt(HOUR_US - 1), { refused: "rate_limited", waitS: 1 });
    assert.ok("game" in enterRequest(book, { id: "other", botId: "b" }, 30 * SECOND_US));
    assert.ok("game" in requestAt(HOUR_US));
    closeMatch(book, book.openMatches.get("a")!, { name: "expired" });
    assert.deepEqual(requestAt(HOUR_US), { refused: "rate_limited", waitS: 1 });
  });

  test("expires only matches whose bots didn't queue in time", () => {
    const book = emptyPracticeBook();
    const [lateMatch, waitingMatch, playingMatch] = ["late", "waits", "plays"].map((botId) =>
      addRequest(book, botId),
    );
    markPlaying(playingMatch!, "m");
    const expireAt = (now: number) => expireMatches(book, now, (botId) => botId === "waits");
    expireAt(WAIT - 1);
    assert.equal(lateMatch!.state.name, "pending");
    expireAt(WAIT);
    const stateNames = [lateMatch, waitingMatch, playingMatch].map(
      (practiceMatch) => practiceMatch!.state.name,
    );
    assert.deepEqual(stateNames, ["expired", "pending", "playing"]);
    expireMatches(book, WAIT, hasNotQueued);
    assert.equal(waitingMatch!.state.name, "expired");
  });

  test("returns a bot's own open and finished matches only", () => {
    const book = emptyPracticeBook();
    const practiceMatch = addRequest(book, "a");
    for (const isOpen of [true, false]) {
      if (!isOpen) closeMatch(book, practiceMatch, { name: "expired" });
      assert.equal(findPracticeMatch(book, "a", practiceMatch.id), practiceMatch);
      assert.equal(findPracticeMatch(book, "b", practiceMatch.id), null);
      assert.equal(findPracticeMatch(book, "a", "unknown"), null);
    }
  });

  test("evicts the oldest reports, old requests and removed bots", () => {
    const book = emptyPracticeBook();
    const practiceMatches = Array.from({ length: FIXED_LIMITS.practice_reports + 1 }, (_, at) => {
      const practiceMatch = addRequest(book, `bot${at}`);
      closeMatch(book, practiceMatch, { name: "expired" });
      return practiceMatch;
    });
    const isKnown = (practiceMatch: PracticeMatch) =>
      findPracticeMatch(book, practiceMatch.botId, practiceMatch.id) !== null;
    assert.deepEqual([isKnown(practiceMatches[0]!), isKnown(practiceMatches[1]!)], [false, true]);
    assert.equal(book.requestTimes.size, practiceMatches.length);
    expireMatches(book, HOUR_US, hasNotQueued);
    assert.equal(book.requestTimes.size, 0);
    const open = addRequest(book, "bot1");
    removeBot(book, "bot1");
    assert.deepEqual(
      [isKnown(practiceMatches[1]!), isKnown(open), book.requestTimes.size],
      [false, false, 0],
    );
  });
});
