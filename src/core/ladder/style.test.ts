import assert from "node:assert/strict";
import { it } from "node:test";

import { attackSpecialists, mapSpecialists, styleOf, usualRates } from "./style.ts";
import type { BotPlay, Weapon } from "./style.ts";

const PLAY: BotPlay = {
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
const USUAL = usualRates([PLAY]);

const weapon = (attack: string, damage: number, botId = "rex"): Weapon => {
  return { botId, attack, uses: 40, hits: 10, damage };
};

it("says how a bot fights, by the game and by the tick", () => {
  assert.deepEqual(styleOf(PLAY, [weapon("bolt", 600), weapon("strike", 200)], USUAL), {
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
  });
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
  it(`calls one that does ${JSON.stringify(damage)} of damage a ${style}`, () => {
    const weapons = Object.entries(damage).map(([attack, points]) => weapon(attack, points));
    const found = styleOf(PLAY, weapons, USUAL);
    assert.equal(found.style, style);
    assert.equal(found.favourite === null, style === "pacifist");
  });

const MANNERS: [manner: string, changes: Partial<BotPlay>][] = [
  ["even", { uses: 320, moves: 400 }],
  ["aggressive", { uses: 400 }],
  ["patient", { uses: 200, moves: 400 }],
  ["nimble", { uses: 320, moves: 600 }],
  ["steady", { moves: 200 }],
  ["patient", { uses: 0 }],
];
for (const [manner, changes] of MANNERS)
  it(`calls one ${manner} that does ${JSON.stringify(changes)} where others do the usual`, () => {
    assert.equal(styleOf({ ...PLAY, ...changes }, [], USUAL).manner, manner);
  });

it("divides by nothing when there is nothing", () => {
  const idle = { ...PLAY, ticks: 0, uses: 0, hits: 0, moves: 0, dashes: 0 };
  const { accuracy, attacksPer100Ticks, stepsPer100Ticks } = styleOf(idle, [], usualRates([idle]));
  assert.deepEqual([accuracy, attacksPer100Ticks, stepsPer100Ticks], [0, 0, 0]);
  assert.equal(styleOf({ ...PLAY, uses: 10, hits: 12 }, [], USUAL).accuracy, 100);
});

const on = (botId: string, map: string, wins: number, losses: number) => {
  return { botId, map, wins, draws: 0, losses };
};

it("finds for each map the bot that beats its usual rate by the most", () => {
  const records = [
    // Being best everywhere makes nobody a specialist.
    on("champion", "cage", 29, 1),
    on("champion", "keep", 29, 1),
    on("miner", "cage", 15, 15),
    on("miner", "keep", 3, 27),
    on("guest", "cage", 9, 0),
    on("guest", "keep", 0, 9),
  ];
  assert.deepEqual(mapSpecialists(records), [
    { map: "cage", botId: "miner", games: 30, winRate: 50, usualWinRate: 30 },
  ]);
  assert.deepEqual(mapSpecialists([]), []);
});

it("takes a gain of less than five points for chance", () => {
  const records = (wins: number) => [on("rex", "cage", wins, 80 - wins), on("rex", "keep", 40, 40)];
  assert.deepEqual(mapSpecialists(records(49)), []);
  assert.equal(mapSpecialists(records(51)).length, 1);
});

it("lets many games count for more than a few lucky ones", () => {
  const records = [
    on("lucky", "cage", 7, 3),
    on("lucky", "keep", 40, 60),
    on("steady", "cage", 65, 35),
    on("steady", "keep", 40, 60),
  ];
  assert.equal(mapSpecialists(records)[0]!.botId, "steady");
});

it("finds for each attack the bot that does the most damage per game with it", () => {
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
