import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turnOfLoop } from "node:timers/promises";

import type { BoardLine } from "#live/matchmaker/matchmaker.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";

import { openBoard } from "./board.ts";

const COMPETITION = { ladderId: "public", season: "2026-01" };

function boardFixture() {
  const clock = fakeClock();
  const log: string[] = [];
  const page = { lastSequence: 0, wins: 0, isFailing: false, isExact: true };
  let readCount = 0;
  let matchmakerGate: Promise<void> = Promise.resolve();
  const matchmaker = {
    board: async () => {
      readCount += 1;
      await matchmakerGate;
      if (page.isFailing) throw new Error("matchmaker exited");
      const { lastSequence, isExact, wins } = page;
      return { lastSequence, isExact, lines: [{ versionId: "v-a", wins } as BoardLine] };
    },
  };
  const recordLog = (_: object, text: string) => void log.push(text);
  const deps = {
    matchmaker: matchmaker as never,
    clock,
    log: { debug: recordLog, info: recordLog, warn: recordLog, error: recordLog },
  };
  const board = openBoard(deps, COMPETITION);
  return {
    board,
    page,
    log,
    clock,
    asked: () => readCount,
    wins: () => board.entries().get("v-a")?.wins,
    holdMatchmaker: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      matchmakerGate = promise;
      return resolve;
    },
    rate: () => {
      page.lastSequence += 1;
      page.wins += 1;
      board.begin(page.lastSequence);
      return page.lastSequence;
    },
    pass: async (ms: number) => {
      clock.advance(ms);
      await turnOfLoop();
    },
  };
}

test("is empty before the first read", async () => {
  const { board } = boardFixture();
  assert.equal(board.entries().size, 0);
  await board.refresh();
  assert.equal(board.entries().size, 1);
});

test("updates when a match is committed, not when it is rated", async () => {
  const { board, rate, pass, wins } = boardFixture();
  await board.refresh();
  const sequence = rate();
  await pass(10_000);
  assert.equal(wins(), 0);
  board.commit(sequence);
  await pass(1000);
  assert.equal(wins(), 1);
});

test("holds back a page with a match that isn't stored yet", async () => {
  const { board, rate, pass, wins } = boardFixture();
  const firstSequence = rate();
  const secondSequence = rate();
  board.commit(secondSequence);
  await pass(1000);
  assert.equal(wins(), undefined);
  board.commit(firstSequence);
  assert.equal(wins(), 2);
});

test("publishes a page that a later match doesn't affect", async () => {
  const { board, rate, pass, wins } = boardFixture();
  board.commit(rate());
  await pass(1000);
  const laterSequence = rate();
  await pass(1000);
  assert.equal(wins(), 1);
  board.commit(laterSequence);
  await pass(1000);
  assert.equal(wins(), 2);
});

test("discards a page with a reverted match", async () => {
  const { board, page, rate, pass, wins } = boardFixture();
  const revertedSequence = rate();
  const storedSequence = rate();
  board.commit(storedSequence);
  await pass(1000);
  page.wins -= 1;
  board.abandon(revertedSequence);
  for (let step = 0; step < 5; step += 1) {
    await pass(400);
    assert.notEqual(wins(), 2);
  }
  assert.equal(wins(), 1);
});

test("shares one read between many commits", async () => {
  const { board, rate, pass, wins, asked: readCount } = boardFixture();
  for (let sequence = 0; sequence < 20; sequence += 1) board.commit(rate());
  await pass(1000);
  assert.equal(readCount(), 1);
  assert.equal(wins(), 20);
});

test("updates immediately on a quiet ladder and batches further results", async () => {
  const { board, rate, pass, wins, asked: readCount } = boardFixture();
  await board.refresh();
  await pass(60_000);
  board.commit(rate());
  await pass(0);
  assert.deepEqual([wins(), readCount()], [1, 2]);
  board.commit(rate());
  await pass(100);
  board.commit(rate());
  assert.deepEqual([wins(), readCount()], [1, 2]);
  await pass(400);
  assert.deepEqual([wins(), readCount()], [3, 3]);
});

test("recovers when the matchmaker doesn't respond", async () => {
  const { board, page, rate, pass, log, wins } = boardFixture();
  page.isFailing = true;
  board.commit(rate());
  await pass(1000);
  assert.deepEqual(log, ["could not read board"]);
  page.isFailing = false;
  board.commit(rate());
  await pass(1000);
  assert.equal(wins(), 2);
});

test("stops reading when closed", async () => {
  const { board, rate, clock, pass, asked: readCount } = boardFixture();
  board.commit(rate());
  board.close();
  await pass(1000);
  assert.equal(readCount(), 0);
  assert.equal(clock.armedTimers(), 0);
});

test("stops reading when closed during a read", async () => {
  const { board, page, holdMatchmaker, pass, asked: readCount, clock } = boardFixture();
  page.isExact = false;
  const releaseMatchmaker = holdMatchmaker();
  const reading = board.refresh();
  board.close();
  releaseMatchmaker();
  await reading;
  await pass(60_000);
  assert.deepEqual([readCount(), clock.armedTimers()], [1, 0]);
});

test("logs nothing when closed during a failing read", async () => {
  const { board, page, rate, holdMatchmaker, pass, asked: readCount, log } = boardFixture();
  page.isFailing = true;
  const releaseMatchmaker = holdMatchmaker();
  board.commit(rate());
  await pass(1000);
  board.close();
  releaseMatchmaker();
  await pass(1000);
  assert.deepEqual([readCount(), log], [1, []]);
});

test("sends a slow matchmaker one request at a time", async () => {
  const { board, rate, holdMatchmaker, pass, asked: readCount, wins } = boardFixture();
  const releaseMatchmaker = holdMatchmaker();
  for (let sequence = 0; sequence < 20; sequence += 1) {
    board.commit(rate());
    await pass(1000);
  }
  assert.equal(readCount(), 1);
  releaseMatchmaker();
  await pass(1000);
  assert.equal(wins(), 20);
});

test("discards a page that was being read while a match was reverted", async () => {
  const { board, page, rate, holdMatchmaker, pass, wins } = boardFixture();
  const revertedSequence = rate();
  const releaseMatchmaker = holdMatchmaker();
  board.commit(rate());
  await pass(1000);
  board.abandon(revertedSequence);
  releaseMatchmaker();
  await pass(0);
  assert.equal(wins(), undefined);
  page.wins -= 1;
  await pass(1000);
  assert.equal(wins(), 1);
});

test("is read until all deviations are exact", async () => {
  const { board, page, pass, asked: readCount } = boardFixture();
  page.isExact = false;
  await board.refresh();
  for (let reading = 2; reading <= 6; reading += 1) {
    await pass(450);
    assert.equal(readCount(), reading);
  }
  page.isExact = true;
  await pass(450);
  await pass(60_000);
  assert.equal(readCount(), 7);
});
