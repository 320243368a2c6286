import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { gridOf } from "#core/engine/maps.ts";
import { RULES } from "#core/engine/rules.ts";
import { ATTACKS, COOLDOWNS } from "#core/engine/types.ts";
import type { Cooldowns } from "#core/engine/types.ts";

import { directionTo, hindrance, turnOf } from "./choice.ts";
import { joined, keyOf } from "./keys.ts";
import { LESSONS, lessonAfter } from "./lessons.ts";
import type { FightEnd, Hello, Seen } from "./messages.ts";
import { beforeFight, done } from "./playing.ts";
import type { Deed, PlayedHand } from "./playing.ts";
import { sceneAtRest, sceneBetween } from "./scene.ts";
import { standing } from "./standing.ts";
import { openSender } from "./turn-sender.ts";
import { newsOf, reasonOf, verdictOf } from "./words.ts";

const GRID = gridOf("cage")!;
const READY = Object.fromEntries(COOLDOWNS.map((name) => [name, 0])) as Cooldowns;
const SIDES = { me: "A", foe: "Kiter" } as const;

const HELLO = {
  type: "hello",
  match_id: "m",
  fighter: "A",
  opponent: { name: "house-kiter", fighter: "B" },
  deadlines: { tick_ms: 500, messages_per_tick: 5 },
  map: { name: "cage", rows: GRID.rows },
} as Hello;

/** Both on the top row of the middle of the cage, four tiles apart. */
function seenAt(tick: number, changes: Partial<Seen> = {}): Seen {
  return {
    type: "observation",
    tick,
    self: { id: "A", x: 4, y: 5, hp: 120, stun: 0, power: 0, cooldowns: READY },
    fighters: [
      { id: "B", hp: 120, power: 0, visible: true, x: 8, y: 5, stun: 0, cooldowns: READY },
    ],
    moves: ["n", "e", "s", "w"],
    dashes: { e: 3 },
    danger: [],
    areas: [],
    pickups: [],
    zone: { radius: 6, shrinks_in: 80, damage: 4 },
    events: [],
    ...changes,
  };
}

const cooling = (changes: Partial<Cooldowns>, seen = seenAt(0)): Seen => ({
  ...seen,
  self: { ...seen.self, cooldowns: { ...READY, ...changes } },
});

const after = (...deeds: Deed[]): PlayedHand => deeds.reduce(done, beforeFight("Kiter"));
const hear = (message: Hello | Seen | FightEnd): Deed => ({ type: "heard", message });
const begun = (seen = seenAt(0)): Deed[] => [hear(HELLO), hear(seen)];
const turnIn = ({ fight, choice }: PlayedHand) => turnOf(choice, fight.seen!, fight.grid!);

describe("a hand", () => {
  it("steps while a key is held, and once if it was tapped", () => {
    const held = after(...begun(), { type: "press", direction: "e" });
    assert.deepEqual(turnIn(held), { move: "e" });
    assert.deepEqual(turnIn(done(held, hear(seenAt(1)))), { move: "e" });
    const tapped = done(held, { type: "release", direction: "e" });
    assert.deepEqual(turnIn(tapped), { move: "e" });
    assert.deepEqual(turnIn(done(tapped, hear(seenAt(1)))), {});
    assert.deepEqual(turnIn(done(held, { type: "stay" })), {});
  });

  it("goes between two directions that are held together", () => {
    assert.equal(joined(["n", "e"]), "ne");
    assert.equal(joined(["n", "s"]), null);
    assert.equal(joined(["nw", "e"]), "n");
  });

  it("dashes once by the button, as long as the key is held, and walks until it can", () => {
    const armed = after(
      ...begun(),
      { type: "dash", dash: "once" },
      { type: "press", direction: "e" },
    );
    assert.deepEqual(turnIn(armed), { dash: "e" });
    const next = done(armed, hear(cooling({ dash: 7 }, seenAt(1))));
    assert.deepEqual([next.dash, turnIn(next)], [null, { move: "e" }]);
    const shifted = after(
      ...begun(cooling({ dash: 3 })),
      { type: "dash", dash: "held" },
      { type: "press", direction: "e" },
    );
    assert.deepEqual(turnIn(shifted), { move: "e" });
    assert.deepEqual(turnIn(done(shifted, hear(seenAt(1)))), { dash: "e" });
  });

  it("leaves out what cannot be done", () => {
    const blocked = after(...begun(), { type: "press", direction: "ne" });
    assert.deepEqual(turnIn(blocked), {});
    const stunned = seenAt(0);
    stunned.self.stun = 2;
    const still = after(
      ...begun(stunned),
      { type: "press", direction: "e" },
      { type: "attack", name: "bolt" },
    );
    assert.deepEqual(turnIn(still), {});
  });

  it("is told that its way is blocked, once for as long as it tries", () => {
    const tells = ({ fight }: PlayedHand) => fight.news.map(({ tick, text }) => [tick, text]);
    const stays = after(...begun(), { type: "press", direction: "nw" });
    const once = [[0, "The way is blocked: no step."]];
    assert.deepEqual(tells(done(stays, hear(seenAt(1)))), once);
    assert.deepEqual(tells([1, 2].map((tick) => hear(seenAt(tick))).reduce(done, stays)), once);
    const walks = after(...begun(), { type: "press", direction: "e" });
    assert.deepEqual(tells(done(walks, hear(seenAt(1)))), []);
  });

  it("aims at the opponent, or at a tile until told otherwise", () => {
    const bolt = after(...begun(), { type: "attack", name: "bolt" });
    assert.deepEqual(turnIn(bolt), { attack: { name: "bolt", target: "e" } });
    const south = done(bolt, { type: "aim", tile: [4, 9] });
    assert.deepEqual(turnIn(south), { attack: { name: "bolt", target: "s" } });
    const blast = done(south, { type: "attack", name: "blast" });
    assert.deepEqual(turnIn(blast), { attack: { name: "blast", target: [4, 9] } });
    const shifted = done(done(blast, { type: "aim", tile: null }), {
      type: "shift aim",
      direction: "w",
    });
    assert.deepEqual(turnIn(shifted), { attack: { name: "blast", target: [7, 5] } });
    assert.deepEqual(turnIn(done(blast, { type: "attack", name: "blast" })), {});
  });

  it("keeps an attack that was a moment early, and no other, for the next tick", () => {
    const early = after(...begun(cooling({ bolt: 1 })), { type: "attack", name: "bolt" });
    assert.deepEqual(turnIn(early), {});
    const kept = done(early, hear(seenAt(1)));
    assert.deepEqual(turnIn(kept), { attack: { name: "bolt", target: "e" } });
    assert.equal(done(kept, hear(seenAt(2))).choice.attack, null);
    const far = after(...begun(cooling({ bolt: 4 })), { type: "attack", name: "bolt" });
    assert.equal(done(far, hear(cooling({ bolt: 3 }, seenAt(1)))).choice.attack, null);
  });

  it("is told why an attack cannot be used", () => {
    const why = (name: (typeof ATTACKS)[number], seen: Seen, aim: [number, number] | null = null) =>
      hindrance(name, { step: null, attack: null, aim }, seen, GRID);
    const unseen = { id: "B", hp: 120, power: 0, visible: false, last_seen: null } as const;
    assert.equal(why("bolt", seenAt(0, { fighters: [unseen] })), "nobody seen");
    assert.equal(why("repulse", seenAt(0, { fighters: [unseen] })), null);
    assert.equal(why("strike", cooling({ strike: 3 })), "in 3");
    assert.equal(why("scorch", seenAt(0), [11, 5]), "too far");
    assert.equal(why("blast", seenAt(0), [0, 0]), "no floor there");
    assert.equal(why("blast", seenAt(0), [1, 1]), "out of sight");
  });

  it("turns lines between tiles into the nearest direction", () => {
    const tiles = [
      [8, 5],
      [8, 4],
      [8, 1],
      [4, 1],
      [1, 5],
      [3, 9],
      [2, 7],
    ] as const;
    assert.deepEqual(
      tiles.map((tile) => directionTo([4, 5], tile)),
      ["e", "e", "ne", "n", "w", "s", "sw"],
    );
    assert.equal(directionTo([4, 5], [4, 5]), null);
  });

  it("has a key for everything", () => {
    assert.deepEqual(
      ATTACKS.map((_, index) => keyOf(`Digit${index + 1}`)),
      ATTACKS.map((name) => ({ does: "attack", name })),
    );
    assert.deepEqual(keyOf("KeyC"), { does: "step", direction: "se" });
    assert.deepEqual(keyOf("Period"), { does: "aim", direction: "se" });
    for (const code of ["Digit7", "Escape", "Tab"]) assert.equal(keyOf(code), null);
  });
});

describe("a sender of turns", () => {
  function sender(most: number, isSeen = true) {
    const sent: object[] = [];
    let ring = () => {};
    const opened = openSender({
      send: (text) => sent.push(JSON.parse(text) as object),
      after: (ms, call) => {
        assert.equal(ms, 400);
        ring = call;
        return () => (ring = () => {});
      },
      tickMs: 500,
      most,
      isSeen: () => isSeen,
    });
    return { sent, opened, ring: () => ring() };
  }

  it("sends a choice at once, what is taken back too, and nothing twice", () => {
    const { sent, opened } = sender(5);
    opened.open(3);
    opened.choose({});
    opened.choose({ move: "n" });
    opened.choose({ move: "n" });
    opened.choose({});
    assert.deepEqual(sent, [
      { type: "turn", tick: 3, move: "n" },
      { type: "turn", tick: 3 },
    ]);
  });

  it("says an empty turn for somebody who only looks, and nothing on a page that nobody sees", () => {
    for (const [isSeen, said] of [
      [true, [{ type: "turn", tick: 7 }]],
      [false, []],
    ] as const) {
      const { sent, opened, ring } = sender(5, isSeen);
      opened.open(7);
      ring();
      assert.deepEqual(sent, said);
    }
  });

  it("stays within the messages of a tick, and ends with what stands", () => {
    const { sent, opened, ring } = sender(5);
    opened.open(0);
    const moves = ["n", "ne", "e", "se", "s", "sw"] as const;
    for (const move of moves) opened.choose({ move });
    ring();
    assert.deepEqual(
      sent.map((turn) => (turn as { move: string }).move),
      ["n", "ne", "e", "sw"],
    );
    opened.open(1);
    opened.choose({ move: "w" });
    assert.equal(sent.length, 5);
  });
});

describe("a fight on the page", () => {
  const strike = { type: "attack", by: "B", name: "strike", x: 8, y: 5, target: "w" } as const;
  const hit = { type: "hit", by: "B", target: "A", name: "strike", damage: 8, x: 4, y: 5 } as const;

  it("is told in words, the latest last", () => {
    const { fight } = after(...begun(), hear(seenAt(1, { events: [strike, hit] })));
    assert.deepEqual(fight.news, [{ tick: 0, text: "Kiter hits you with a strike: −8." }]);
    assert.match(standing(fight), /^You 120, Kiter 120 hp 4 east\. Kiter hits you/);
  });

  it("says in words of the server why it does not begin", () => {
    const refused = { type: "error", code: "play_full", message: "As many people fight." } as const;
    const { fight } = after({ type: "heard", message: refused }, { type: "closed" });
    assert.equal(fight.trouble, "As many people fight.");
    assert.match(after({ type: "closed" }).fight.trouble ?? "", /does not answer/);
    assert.match(after(...begun(), { type: "closed" }).fight.trouble ?? "", /broke/);
    const draining = { type: "heard", message: { type: "server_draining" } } as const;
    assert.match(after(draining, { type: "closed" }).fight.trouble ?? "", /restarts/);
  });

  it("shows what was left of both at the end", () => {
    const stats = { ticks: 1, fighters: [statsOf("A", 30), statsOf("B", 0)] };
    const end = { type: "end", winner: "A", reason: "last_standing", stats } as unknown as FightEnd;
    const { fight } = after(...begun(), hear(end), { type: "closed" });
    assert.deepEqual([fight.seen?.self.hp, fight.seen?.fighters[0]?.hp], [30, 0]);
    assert.equal(fight.trouble, null);
    const fallen = sceneAtRest(GRID, null, fight.seen!).after.fighters[1];
    assert.deepEqual([fallen?.id, fallen?.alive], ["B", false]);
    assert.equal(verdictOf(end, SIDES), "You won");
    assert.equal(
      reasonOf(end, SIDES),
      "By knockout, after 1 tick. What cost you most: bolts, 14 hp. You dealt 20 damage and took 18.",
    );
  });

  const statsOf = (id: string, hp: number) => ({
    id,
    hp,
    damage_dealt: 20,
    damage_taken: 18,
    taken_by_source: { strike: 4, bolt: 14, zone: 0 },
  });

  it("shows nobody where nobody is seen", () => {
    const hidden = { id: "B", hp: 112, power: 0, visible: false, last_seen: null } as const;
    const gone = seenAt(1, { fighters: [hidden] });
    const moving = sceneBetween(GRID, seenAt(0), gone);
    assert.deepEqual(
      moving.after.fighters.map(({ id, x }) => [id, x]),
      [
        ["A", 4],
        ["B", 8],
      ],
    );
    const rest = sceneAtRest(GRID, moving, gone);
    assert.deepEqual(
      rest.after.fighters.map(({ id }) => id),
      ["A"],
    );
    const heard = { type: "attack", by: "B", name: "strike" } as const;
    assert.deepEqual(sceneBetween(GRID, gone, seenAt(2, { events: [heard] })).tick.events, []);
  });

  it("knows words for whatever happens to either side", () => {
    const words = [
      newsOf({ ...hit, by: "A", target: "B", name: "bolt", ricochet: true }, SIDES),
      newsOf({ ...hit, name: "wall_slam", damage: 6 }, SIDES),
      newsOf({ ...hit, target: "A", by: "A", name: "blast", damage: 12 }, SIDES),
      newsOf({ type: "zone_damage", target: "B", damage: 4, x: 1, y: 1 }, SIDES),
      newsOf({ type: "pickup", by: "A", kind: "health", healed: 15 }, SIDES),
      newsOf({ type: "attack", by: "B", name: "hook" }, SIDES),
      newsOf(strike, SIDES),
    ];
    assert.deepEqual(words, [
      "Your bounced bolt hits: −8.",
      "You slam into a wall: −6, and stunned.",
      "Your own blast hits you: −12.",
      null,
      "You take health, +15.",
      "Kiter uses hook out of sight.",
      null,
    ]);
  });

  it("teaches each move until it was made, and the zone in time", () => {
    const at = (lesson: number, seen: Seen) => lessonAfter(lesson, seen, seenAt(0));
    assert.equal(at(0, seenAt(1)), 0);
    const moved = seenAt(1);
    assert.equal(at(0, { ...moved, self: { ...moved.self, x: 5 } }), 1);
    const own = { type: "attack", by: "A", name: "bolt", x: 4, y: 5, target: "e" } as const;
    assert.equal(at(1, seenAt(1, { events: [strike] })), 1);
    assert.equal(at(1, seenAt(1, { events: [own] })), 2);
    assert.equal(at(2, cooling({ dash: 8 })), 3);
    assert.equal(at(3, seenAt(12)), 3);
    const last = LESSONS.length - 1;
    assert.ok(LESSONS[last]!.from < RULES.zone.start);
    assert.equal(at(last, seenAt(RULES.zone.start)), last);
    assert.equal(at(last, seenAt(RULES.max_ticks - 1)), LESSONS.length);
    assert.equal(at(LESSONS.length, seenAt(1)), LESSONS.length);
  });
});
