import assert from "node:assert/strict";
import { it } from "node:test";

import { attackSpecialists, mapSpecialists, summarizeStyle, averageRates } from "./play-style.ts";
import type { BotPlayTotals, BotWeapon } from "./play-style.ts";

const PLAY: BotPlayTotals = {
  botId: "rex",
  games: 8,
  ticks: 900,
  moves: 430,
  dashes: 20,
  uses: 300,
  hits: 101,
  damageDealt: 811,
  damageTaken: 400,
  healed: 60,
  wallSlams: 4,
  zoneDamage: 20,
  idles: 2,
};
const AVERAGE_RATES = averageRates([PLAY]);

const weapon = (attack: string, damage: number, botId = "rex"): BotWeapon => {
  return { botId, attack, uses: 40, hits: 10, damage };
};

it("describes a bot's style per game and per tick", () => {
  assert.deepEqual(
    summarizeStyle(PLAY, [weapon("bolt", 600), weapon("strike", 200)], AVERAGE_RATES),
    {
      botId: "rex",
      style: "marksman",
      manner: "even",
      games: 8,
      favourite: "bolt",
      favouriteShare: 75,
      accuracy: 33.67,
      attacksPer100Ticks: 33.33,
      stepsPer100Ticks: 50,
      damageDealt: 101.38,
      damageTaken: 50,
      healed: 7.5,
      wallSlams: 0.5,
      zoneDamage: 2.5,
      idles: 0.25,
    },
  );
});

const styles: [style: string, damage: Record<string, number>][] = [
  ["duellist", { strike: 51, bolt: 49 }],
  ["grappler", { hook: 40, bolt: 30, strike: 30 }],
  ["bouncer", { repulse: 10 }],
  ["bomber", { blast: 90, scorch: 10 }],
  ["arsonist", { scorch: 60, bolt: 40 }],
  ["all-rounder", { strike: 39, bolt: 36, blast: 25 }],
  ["pacifist", { strike: 0 }],
  ["pacifist", {}],
];
for (const [style, damage] of styles)
  it(`calls a bot with ${JSON.stringify(damage)} of its damage from one attack a ${style}`, () => {
    const weapons = Object.entries(damage).map(([attack, points]) => weapon(attack, points));
    const actualStyle = summarizeStyle(PLAY, weapons, AVERAGE_RATES);
    assert.equal(actualStyle.style, style);
    assert.equal(actualStyle.favourite === null, style === "pacifist");
  });

const MANNERS: [manner: string, changes: Partial<BotPlayTotals>][] = [
  ["even", { uses: 320, moves: 400 }],
  ["aggressive", { uses: 400 }],
  ["patient", { uses: 200, moves: 400 }],
  ["nimble", { uses: 320, moves: 600 }],
  ["steady", { moves: 200 }],
  ["patient", { uses: 0 }],
];
for (const [manner, changes] of MANNERS)
  it(`calls a bot ${manner} that does ${JSON.stringify(changes)} compared to the average`, () => {
    assert.equal(summarizeStyle({ ...PLAY, ...changes }, [], AVERAGE_RATES).manner, manner);
  });

it("handles bots that have never played", () => {
  const idlePlay = { ...PLAY, ticks: 0, uses: 0, hits: 0, moves: 0, dashes: 0 };
  const { accuracy, attacksPer100Ticks, stepsPer100Ticks } = summarizeStyle(
    idlePlay,
    [],
    averageRates([idlePlay]),
  );
  assert.deepEqual([accuracy, attacksPer100Ticks, stepsPer100Ticks], [0, 0, 0]);
  assert.equal(summarizeStyle({ ...PLAY, uses: 10, hits: 12 }, [], AVERAGE_RATES).accuracy, 100);
});

const mapRecord = (botId: string, map: string, wins: number, losses: number) => {
  return { botId, map, wins, draws: 0, losses };
};

it("finds the bot that most exceeds its overall rate on each map", () => {
  const records = [
    // A bot that is equally good everywhere is no specialist.
    mapRecord("champion", "cage", 29, 1),
    mapRecord("champion", "keep", 29, 1),
    mapRecord("miner", "cage", 15, 15),
    mapRecord("miner", "keep", 3, 27),
    mapRecord("guest", "cage", 9, 0),
    mapRecord("guest", "keep", 0, 9),
  ];
  assert.deepEqual(mapSpecialists(records), [
    { map: "cage", botId: "miner", games: 30, winRate: 50, usualWinRate: 30 },
  ]);
  assert.deepEqual(mapSpecialists([]), []);
});

it("ignores a gain below five points as chance", () => {
  const records = (wins: number) => [
    mapRecord("rex", "cage", wins, 80 - wins),
    mapRecord("rex", "keep", 40, 40),
  ];
  assert.deepEqual(mapSpecialists(records(49)), []);
  assert.equal(mapSpecialists(records(51)).length, 1);
});

it("weighs many games more than a few lucky ones", () => {
  const records = [
    mapRecord("lucky", "cage", 7, 3),
    mapRecord("lucky", "keep", 40, 60),
    mapRecord("steady", "cage", 65, 35),
    mapRecord("steady", "keep", 40, 60),
  ];
  assert.equal(mapSpecialists(records)[0]!.botId, "steady");
});

it("finds the bot that deals the most damage per game with each attack", () => {
  const play = [
    { ...PLAY, botId: "rex", games: 20 },
    { ...PLAY, botId: "bea", games: 10 },
    { ...PLAY, botId: "new", games: 9 },
  ];
  const weapons = [
    weapon("bolt", 400, "rex"),
    weapon("bolt", 301, "bea"),
    weapon("bolt", 900, "new"),
    weapon("strike", 0, "rex"),
  ];
  assert.deepEqual(attackSpecialists(play, weapons), [
    { attack: "bolt", botId: "bea", games: 10, damagePerGame: 30.1, accuracy: 25 },
  ]);
});
