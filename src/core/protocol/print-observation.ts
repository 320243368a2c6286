// Observations as text. The printer mirrors the message because it runs twice a tick in every
// match.

import type {
  AreaView,
  Cooldowns,
  FightEvent,
  FighterView,
  IdleReason,
  Observation,
  PickupView,
  Refusal,
  RefusalCause,
  SelfView,
  Target,
  TurnPart,
} from "#core/engine/types.ts";
import type { MatchId } from "#core/words/ids.ts";

/** A failed tick as its fighter is told of it: first among its next events. */
export type FailedTick = { reason: IdleReason; message: string };

const REFUSAL_TEXTS: Record<Refusal, string> = {
  unknown_attack: "No attack has this name: strike, bolt, hook, repulse, blast or scorch.",
  bad_text: "A shout has 1-40 characters after cleaning.",
  not_ready: "You are stunned: move, dash and attack are dropped.",
  not_visible: "The tile is out of sight or out of range.",
  blocked: "A wall or a fighter is in the way.",
  conflicting_moves: "A turn has a move or a dash, not both.",
};

/** Texts of refusals for one part of a turn, where they differ from the general ones. */
const PART_TEXTS: Partial<Record<TurnPart, Partial<Record<Refusal, string>>>> = {
  dash: { not_ready: "The dash is still cooling down." },
  attack: {
    not_ready: "This attack is still cooling down, or you recover from another one.",
    blocked: "The target is no floor tile of the map.",
  },
};

const DIRECTION_WANTED = "needs a direction such as ne as its target.";
const TILE_WANTED = "needs a tile [x, y] of whole numbers as its target.";

/** Texts of refusals whose cause is known. A repulse takes any target. */
const CAUSE_TEXTS: Record<RefusalCause, string> = {
  wall: "A wall, a low wall or a corner is in the way.",
  fighter: "A fighter is in the way, or came for the same tile.",
  thrown: "You were pushed or pulled before you could step.",
  strike: `The strike ${DIRECTION_WANTED}`,
  bolt: `The bolt ${DIRECTION_WANTED}`,
  hook: `The hook ${DIRECTION_WANTED}`,
  repulse: "The repulse needs no target.",
  blast: `The blast ${TILE_WANTED}`,
  scorch: `The scorch ${TILE_WANTED}`,
};

type Rejected = Extract<FightEvent, { type: "rejected" }>;

function refusalText({ part, reason, field, cause }: Rejected): string {
  if (cause !== undefined) return CAUSE_TEXTS[cause];
  if (field === "shout" && reason === "not_ready") return "The shout is still cooling down.";
  return PART_TEXTS[part]?.[reason] ?? REFUSAL_TEXTS[reason];
}

/**
 * The observation message, in ASCII. `matchId` is one of ours: letters, digits and hyphens. The
 * caller rounds `budgetMs` down and `lastReplyMs` to the nearest integer; `failed` is the previous
 * tick, if it failed.
 */
export function printObservation(
  matchId: MatchId,
  seen: Observation,
  budgetMs: number,
  lastReplyMs: number | null,
  failed: FailedTick | null,
): string {
  // Here and below texts are added up: a template asks each of its parts whether it is one.
  return (
    '{"type":"observation","match_id":"' +
    matchId +
    `","tick":${seen.tick},"self":` +
    printSelf(seen.self) +
    ',"fighters":[' +
    printFighters(seen.fighters) +
    '],"moves":' +
    printMoves(seen.moves) +
    ',"dashes":' +
    printDashes(seen.dashes) +
    ',"danger":' +
    printDanger(seen.danger) +
    "," +
    printScene(seen) +
    ',"events":[' +
    printEvents(seen.events, failed) +
    `],"budget_ms":${budgetMs},"last_reply_ms":${lastReplyMs}}`
  );
}

/** Integers below this have their texts made beforehand. */
const SMALL = 256;

/**
 * Prints a field that is an integer, nearly always a small one. The texts of all fields are arrays
 * of one kind, because they are filled at once: reading them needs no search for the kind.
 */
function field(name: string, before = ","): (value: number) => string {
  const print = (value: number) => `${before}"${name}":${value}`;
  const texts = Array.from({ length: SMALL }, (_, value) => print(value));
  return (value) => texts[value] ?? print(value);
}

const [x, y] = [field("x"), field("y")];
const [hp, stun, power] = [field("hp"), field("stun"), field("power")];
const dash = field("dash", "");
const [strike, bolt, hook] = [field("strike"), field("bolt"), field("hook")];
const [repulse, blast, scorch] = [field("repulse"), field("blast"), field("scorch")];
const shout = field("shout");

function printSelf(self: SelfView): string {
  const head = `{"id":"${self.id}"` + x(self.x) + y(self.y) + hp(self.hp);
  const cooldowns = printCooldowns(self.cooldowns) + shout(self.cooldowns.shout);
  return head + stun(self.stun) + power(self.power) + ',"cooldowns":{' + cooldowns + "}}";
}

function printCooldowns(of: Omit<Cooldowns, "shout">): string {
  const near = dash(of.dash) + strike(of.strike) + bolt(of.bolt) + hook(of.hook);
  return near + repulse(of.repulse) + blast(of.blast) + scorch(of.scorch);
}

function printFighters(fighters: readonly FighterView[]): string {
  const [only] = fighters;
  if (only !== undefined && fighters.length === 1) return printFighter(only);
  return fighters.map(printFighter).join(",");
}

function printFighter(one: FighterView): string {
  if ("alive" in one) return `{"id":"${one.id}","hp":0,"alive":false}`;
  const head = `{"id":"${one.id}"` + hp(one.hp) + power(one.power) + ',"visible":';
  if (one.visible) {
    const place = "true" + x(one.x) + y(one.y) + stun(one.stun);
    return head + place + ',"cooldowns":{' + printCooldowns(one.cooldowns) + "}}";
  }
  const seen = one.last_seen;
  if (seen === null) return `${head}false,"last_seen":null}`;
  return `${head}false,"last_seen":{"x":${seen.x},"y":${seen.y},"tick":${seen.tick}}}`;
}

// The engine has one list of moves and one table of dashes per tile, so each is printed once.
const printedMoves = new WeakMap<readonly string[], string>();

// Words of our own vocabularies need no escaping.
function printMoves(moves: readonly string[]): string {
  const known = printedMoves.get(moves);
  if (known !== undefined) return known;
  const text = moves.length === 0 ? "[]" : `["${moves.join('","')}"]`;
  printedMoves.set(moves, text);
  return text;
}

const printedDashes = new WeakMap<Observation["dashes"], string>();

function printDashes(dashes: Observation["dashes"]): string {
  const known = printedDashes.get(dashes);
  if (known !== undefined) return known;
  const text = JSON.stringify(dashes);
  printedDashes.set(dashes, text);
  return text;
}

function printDanger(danger: Observation["danger"]): string {
  let text = "";
  for (const [x, y, ticks, damage] of danger)
    text += `${text === "" ? "" : ","}[${x},${y},${ticks},${damage}]`;
  return `[${text}]`;
}

type Scene = Pick<Observation, "areas" | "pickups" | "zone">;

/** The scene printed last. All fighters of a match are told of the same one. */
let printed: Partial<Scene> & { text: string } = { text: "" };

function printScene({ areas, pickups, zone }: Scene): string {
  const isKnown = printed.areas === areas && printed.pickups === pickups && printed.zone === zone;
  if (isKnown) return printed.text;
  const text = `"areas":[${printAreas(areas)}],"pickups":[${printPickups(pickups)}],"zone":{"radius":${zone.radius},"shrinks_in":${zone.shrinks_in},"damage":${zone.damage}}`;
  printed = { areas, pickups, zone, text };
  return text;
}

function printAreas(areas: readonly AreaView[]): string {
  if (areas.length === 0) return "";
  return areas.map(printArea).join(",");
}

function printArea(area: AreaView): string {
  const clock = area.in === undefined ? `"left":${area.left}` : `"in":${area.in}`;
  return `{"name":"${area.name}","by":"${area.by}","x":${area.x},"y":${area.y},"radius":${area.radius},${clock},"damage":${area.damage}}`;
}

function printPickups(pickups: readonly PickupView[]): string {
  let text = "";
  for (const { kind, x, y, in: ticks } of pickups)
    text += `${text === "" ? "" : ","}{"kind":"${kind}","x":${x},"y":${y},"in":${ticks}}`;
  return text;
}

function printEvents(events: readonly FightEvent[], failed: FailedTick | null): string {
  let text =
    failed === null ? "" : printRejected("turn", failed.reason, JSON.stringify(failed.message));
  for (const event of events) text += `${text === "" ? "" : ","}${printEvent(event)}`;
  return text;
}

/** `message` as JSON. */
function printRejected(part: TurnPart, reason: string, message: string, field = ""): string {
  return `{"type":"rejected","part":"${part}","reason":"${reason}","message":${message}${field}}`;
}

const BEYOND_ASCII = /[^\x20-\x7e]/g;
const HEX = 16;

/** Escapes everything beyond ASCII, as JSON allows. */
function ascii(json: string): string {
  return json.replace(
    BEYOND_ASCII,
    (unit) => `\\u${unit.charCodeAt(0).toString(HEX).padStart(4, "0")}`,
  );
}

const printTarget = (target: Target | null): string => JSON.stringify(target);

/** One event as its fighter reads it: a refusal gains its text and loses `by`. */
function printEvent(event: FightEvent): string {
  switch (event.type) {
    case "rejected": {
      const field = event.field === undefined ? "" : `,"field":"${event.field}"`;
      // Our own texts need no escaping.
      return printRejected(event.part, event.reason, `"${refusalText(event)}"`, field);
    }
    case "hit":
      return `{"type":"hit","by":"${event.by}","target":"${event.target}","name":"${event.name}","damage":${event.damage}${event.ricochet ? ',"ricochet":true' : ""},"x":${event.x},"y":${event.y}}`;
    case "attack": {
      const head = `{"type":"attack","by":"${event.by}","name":"${event.name}"`;
      if (event.x === undefined) return `${head}}`;
      return `${head},"x":${event.x},"y":${event.y},"target":${printTarget(event.target ?? null)}}`;
    }
    case "zone_damage":
      return `{"type":"zone_damage","target":"${event.target}","damage":${event.damage},"x":${event.x},"y":${event.y}}`;
    case "shout":
      return ascii(JSON.stringify(event));
    case "repulse":
    case "pull":
    case "area_spawn":
    case "area_explode":
    case "pickup":
    case "pickup_spawn":
    case "death":
      return JSON.stringify(event);
  }
}
