import assert from "node:assert/strict";
import { test } from "node:test";

import { eloOf, playElo } from "./elo.ts";
import { SCALE, afterPeriod, glickoOf, playGlicko } from "./glicko.ts";

const player = (rating: number, deviation: number) => ({
  mu: (rating - 1500) / SCALE,
  phi: deviation / SCALE,
  sigma: 0.06,
});

test("Glicko-2 gives the figures of the example in its paper", () => {
  const { mu, phi, sigma } = afterPeriod(player(1500, 200), [
    { opponent: player(1400, 30), score: 1 },
    { opponent: player(1550, 100), score: 0 },
    { opponent: player(1700, 300), score: 0 },
  ]);
  assert.equal((1500 + SCALE * mu).toFixed(2), "1464.05");
  assert.equal((SCALE * phi).toFixed(2), "151.52");
  assert.equal(sigma.toFixed(5), "0.06000");
});

test("a game moves two newcomers alike, and both become more certain", () => {
  const glicko = new Map();
  playGlicko(glicko, "a", "b", 1);
  const [a, b] = [glickoOf(glicko, "a"), glickoOf(glicko, "b")];
  assert.ok(a.rating > 1500);
  assert.equal((a.rating + b.rating).toFixed(6), "3000.000000");
  assert.ok(a.deviation < 350 && a.deviation === b.deviation);
});

test("Elo moves equals by half of K, and a favourite by less", () => {
  const elo = new Map();
  playElo(elo, "a", "b", 1);
  assert.equal(eloOf(elo, "a"), 1508);
  assert.equal(eloOf(elo, "b"), 1492);
  playElo(elo, "a", "b", 1);
  assert.ok(eloOf(elo, "a") < 1516);
  playElo(elo, "c", "d", 0.5);
  assert.equal(eloOf(elo, "c"), 1500);
});
