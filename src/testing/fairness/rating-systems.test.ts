import assert from "node:assert/strict";
import { test } from "node:test";

import { eloRatingOf, updateElo } from "./elo.ts";
import { GLICKO_SCALE, afterPeriod, glickoRatingOf, updateGlicko } from "./glicko.ts";

const player = (rating: number, deviation: number) => ({
  mu: (rating - 1500) / GLICKO_SCALE,
  phi: deviation / GLICKO_SCALE,
  sigma: 0.06,
});

test("Glicko-2 reproduces the example from its paper", () => {
  const { mu, phi, sigma } = afterPeriod(player(1500, 200), [
    { opponent: player(1400, 30), score: 1 },
    { opponent: player(1550, 100), score: 0 },
    { opponent: player(1700, 300), score: 0 },
  ]);
  assert.equal((1500 + GLICKO_SCALE * mu).toFixed(2), "1464.05");
  assert.equal((GLICKO_SCALE * phi).toFixed(2), "151.52");
  assert.equal(sigma.toFixed(5), "0.06000");
});

test("a Glicko-2 game changes two new players' ratings equally and lowers both deviations", () => {
  const glicko = new Map();
  updateGlicko(glicko, "a", "b", 1);
  const [a, b] = [glickoRatingOf(glicko, "a"), glickoRatingOf(glicko, "b")];
  assert.ok(a.rating > 1500);
  assert.equal((a.rating + b.rating).toFixed(6), "3000.000000");
  assert.ok(a.deviation < 350 && a.deviation === b.deviation);
});

test("Elo changes equal players' ratings by K/2, and changes a favourite's by less when the favourite wins", () => {
  const elo = new Map();
  updateElo(elo, "a", "b", 1);
  assert.equal(eloRatingOf(elo, "a"), 1508);
  assert.equal(eloRatingOf(elo, "b"), 1492);
  updateElo(elo, "a", "b", 1);
  assert.ok(eloRatingOf(elo, "a") < 1516);
  updateElo(elo, "c", "d", 0.5);
  assert.equal(eloRatingOf(elo, "c"), 1500);
});
