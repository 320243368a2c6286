import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turnOfLoop } from "node:timers/promises";

import type { BoardLine } from "#live/matchmaker/matchmaker.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";

import { openBoard } from "./board.ts";

const LIVE = { ladderId: "public", season: "2026-01" };

/** A board over a matchmaker that serves pages with one version and a number of wins. */
function boardOver() {
  const clock = fakeClock();
  const log: string[] = [];
  const page = { upTo: 0, wins: 0, fails: false, isExact: true };
  let asked = 0;
  let answered: Promise<void> = Promise.resolve();
  const matchmaker = {
    board: async () => {
      asked += 1;
      await answered;
      if (page.fails) throw new Error("the matchmaker is dead");
      const { upTo, isExact, wins } = page;
      return { upTo, isExact, lines: [{ versionId: "v-a", wins } as BoardLine] };
    },
  };
  const say = (_: object, text: string) => void log.push(text);
  const deps = {
    matchmaker: matchmaker as never,
    clock,
    log: { debug: say, info: say, warn: say, error: say },
  };
  const board = openBoard(deps, LIVE);
  return {
    board,
    page,
    log,
    clock,
    asked: () => asked,
    wins: () => board.entries().get("v-a")?.wins,
    /** The matchmaker answers nothing until it is released. */
    holdMatchmaker: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      answered = promise;
      return resolve;
    },
    /** Another game is rated; from now on the matchmaker's pages include it. */
    rate: () => {
      page.upTo += 1;
      page.wins += 1;
      board.begin(page.upTo);
      return page.upTo;
    },
    pass: async (ms: number) => {
      clock.pass(ms);
      await turnOfLoop();
    },
  };
}

test("is empty until it has been read once", async () => {
  const { board } = boardOver();
  assert.equal(board.entries().size, 0);
  await board.refresh();
  assert.equal(board.entries().size, 1);
});

test("follows a commit, not the rating before it", async () => {
  const { board, rate, pass, wins } = boardOver();
  await board.refresh();
  const game = rate();
  await pass(10_000);
  assert.equal(wins(), 0);
  board.commit(game);
  await pass(1000);
  assert.equal(wins(), 1);
});

test("holds a page back while a game that it counts is not stored yet", async () => {
  const { board, rate, pass, wins } = boardOver();
  const first = rate();
  const second = rate();
  board.commit(second);
  await pass(1000);
  assert.equal(wins(), undefined);
  board.commit(first);
  assert.equal(wins(), 2);
});

test("shows a page that a later game does not touch", async () => {
  const { board, rate, pass, wins } = boardOver();
  board.commit(rate());
  await pass(1000);
  const later = rate();
  await pass(1000);
  assert.equal(wins(), 1);
  board.commit(later);
  await pass(1000);
  assert.equal(wins(), 2);
});

test("discards a page that includes a game that was taken back", async () => {
  const { board, page, rate, pass, wins } = boardOver();
  const lost = rate();
  const kept = rate();
  board.commit(kept);
  await pass(1000);
  page.wins -= 1;
  board.abandon(lost);
  for (let step = 0; step < 5; step += 1) {
    await pass(400);
    assert.notEqual(wins(), 2);
  }
  assert.equal(wins(), 1);
});

test("asks once for many commits", async () => {
  const { board, rate, pass, wins, asked } = boardOver();
  for (let game = 0; game < 20; game += 1) board.commit(rate());
  await pass(1000);
  assert.equal(asked(), 1);
  assert.equal(wins(), 20);
});

test("shows a result at once after a quiet time, and the next ones together after a while", async () => {
  const { board, rate, pass, wins, asked } = boardOver();
  await board.refresh();
  await pass(60_000);
  board.commit(rate());
  await pass(0);
  assert.deepEqual([wins(), asked()], [1, 2]);
  board.commit(rate());
  await pass(100);
  board.commit(rate());
  assert.deepEqual([wins(), asked()], [1, 2]);
  await pass(400);
  assert.deepEqual([wins(), asked()], [3, 3]);
});

test("survives a matchmaker that does not answer", async () => {
  const { board, page, rate, pass, log, wins } = boardOver();
  page.fails = true;
  board.commit(rate());
  await pass(1000);
  assert.deepEqual(log, ["the board could not be read"]);
  page.fails = false;
  board.commit(rate());
  await pass(1000);
  assert.equal(wins(), 2);
});

test("asks no more once it is closed", async () => {
  const { board, rate, clock, pass, asked } = boardOver();
  board.commit(rate());
  board.close();
  await pass(1000);
  assert.equal(asked(), 0);
  assert.equal(clock.armed(), 0);
});

test("asks no more when it is closed while it is being read", async () => {
  const { board, page, holdMatchmaker, pass, asked, clock } = boardOver();
  page.isExact = false;
  const goOn = holdMatchmaker();
  const reading = board.refresh();
  board.close();
  goOn();
  await reading;
  await pass(60_000);
  assert.deepEqual([asked(), clock.armed()], [1, 0]);
});

test("has nothing to say of a matchmaker that closes after it, while it is being read", async () => {
  const { board, page, rate, holdMatchmaker, pass, asked, log } = boardOver();
  page.fails = true;
  const goOn = holdMatchmaker();
  board.commit(rate());
  await pass(1000);
  board.close();
  goOn();
  await pass(1000);
  assert.deepEqual([asked(), log], [1, []]);
});

test("asks a slow matchmaker one question at a time", async () => {
  const { board, rate, holdMatchmaker, pass, asked, wins } = boardOver();
  const goOn = holdMatchmaker();
  for (let game = 0; game < 20; game += 1) {
    board.commit(rate());
    await pass(1000);
  }
  assert.equal(asked(), 1);
  goOn();
  await pass(1000);
  assert.equal(wins(), 20);
});

test("discards a page that was under way when a game was taken back", async () => {
  const { board, page, rate, holdMatchmaker, pass, wins } = boardOver();
  const lost = rate();
  const goOn = holdMatchmaker();
  board.commit(rate());
  await pass(1000);
  board.abandon(lost);
  goOn();
  await pass(0);
  assert.equal(wins(), undefined);
  page.wins -= 1;
  await pass(1000);
  assert.equal(wins(), 1);
});

test("is read again and again until its deviations are exact, then no more", async () => {
  const { board, page, pass, asked } = boardOver();
  page.isExact = false;
  await board.refresh();
  for (let reading = 2; reading <= 6; reading += 1) {
    await pass(450);
    assert.equal(asked(), reading);
  }
  page.isExact = true;
  await pass(450);
  await pass(60_000);
  assert.equal(asked(), 7);
});
