// Prints observations field by field, because printing runs twice a tick in every match.

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
import type { MatchId } from "#core/ids/ids.ts";

/** A failed tick. Its fighter receives it as the first event of the next observation. */
export type FailedTick = { reason: IdleReason; message: string };

const REFUSAL_TEXTS: Record<Refusal, string> = {
  unknown_attack: "No attack has this name: strike, bolt, hook, repulse, blast or scorch.",
  bad_text: "A shout has 1-40 characters after cleaning.",
  not_ready: "You are stunned: move, dash and attack are dropped.",
  not_visible: "The tile is out of sight or out of range.",
  blocked: "A wall or a fighter is in the way.",
  conflicting_moves: "A turn has a move or a dash, not both.",
};

const PART_TEXTS: Partial<Record<TurnPart, Partial<Record<Refusal, string>>>> = {
  dash: { not_ready: "The dash is still cooling down." },
  attack: {
    not_ready: "This attack is still cooling down, or you are recovering from another one.",
    blocked: "The target is not a floor tile of the map.",
  },
};

const DIRECTION_REQUIRED = "needs a direction such as ne as its target.";
const TILE_REQUIRED = "needs a tile [x, y] of whole numbers as its target.";

/** Refusal messages for known causes. A repulse accepts any target. */
const CAUSE_TEXTS: Record<RefusalCause, string> = {
  wall: "A wall, a low wall or a corner is in the way.",
  fighter: "A fighter is in the way, or came for the same tile.",
  thrown: "You were pushed or pulled before you could step.",
  strike: `The strike ${DIRECTION_REQUIRED}`,
  bolt: `The bolt ${DIRECTION_REQUIRED}`,
  hook: `The hook ${DIRECTION_REQUIRED}`,
  repulse: "The repulse needs no target.",
  blast: `The blast ${TILE_REQUIRED}`,
  scorch: `The scorch ${TILE_REQUIRED}`,
};

type Rejected = Extract<FightEvent, { type: "rejected" }>;

function refusalText({ part, reason, field, cause }: Rejected): string {
  if (cause !== undefined) return CAUSE_TEXTS[cause];
  if (field === "shout" && reason === "not_ready") return "The shout is still cooling down.";
  return PART_TEXTS[part]?.[reason] ?? REFUSAL_TEXTS[reason];
}

/**
 * Returns the observation message in ASCII. `matchId` contains only letters, digits and hyphens.
 * The caller rounds `budgetMs` down and `lastReplyMs` to the nearest integer. `failed` describes
 * the previous tick if it failed.
 */
export function printObservation(
  matchId: MatchId,
  observation: Observation,
  budgetMs: number,
  lastReplyMs: number | null,
  failed: FailedTick | null,
): string {
  // This file concatenates strings, because a template would check the type of each part.
  return (
    '{"type":"observation","match_id":"' +
    matchId +
    `","tick":${observation.tick},"self":` +
    printSelf(observation.self) +
    ',"fighters":[' +
    printFighters(observation.fighters) +
    '],"moves":' +
    printMoves(observation.moves) +
    ',"dashes":' +
    printDashes(observation.dashes) +
    ',"danger":' +
    printDanger(observation.danger) +
    "," +
    printScene(observation) +
    ',"events":[' +
    printEvents(observation.events, failed) +
    `],"budget_ms":${budgetMs},"last_reply_ms":${lastReplyMs}}`
  );
}

/** Smaller integers have precomputed texts. */
const CACHED_INTEGERS = 256;

/**
 * Prints an integer field, which is nearly always small. All string arrays are filled the same way,
 * so that they have the same element kind and V8 doesn't have to check it on reads.
 */
function printField(name: string, separator = ","): (value: number) => string {
  const print = (value: number) => `${separator}"${name}":${value}`;
  const texts = Array.from({ length: CACHED_INTEGERS }, (_, value) => print(value));
  return (value) => texts[value] ?? print(value);
}

const [x, y] = [printField("x"), printField("y")];
const [hp, stun, power] = [printField("hp"), printField("stun"), printField("power")];
const dash = printField("dash", "");
const [strike, bolt, hook] = [printField("strike"), printField("bolt"), printField("hook")];
const [repulse, blast, scorch] = [printField("repulse"), printField("blast"), printField("scorch")];
const shout = printField("shout");

function printSelf(self: SelfView): string {
  const head = `{"id":"${self.id}"` + x(self.x) + y(self.y) + hp(self.hp);
  const cooldowns = printCooldowns(self.cooldowns) + shout(self.cooldowns.shout);
  return head + stun(self.stun) + power(self.power) + ',"cooldowns":{' + cooldowns + "}}";
}

function printCooldowns(cooldownsByName: Omit<Cooldowns, "shout">): string {
  const firstFields =
    dash(cooldownsByName.dash) +
    strike(cooldownsByName.strike) +
    bolt(cooldownsByName.bolt) +
    hook(cooldownsByName.hook);
  return (
    firstFields +
    repulse(cooldownsByName.repulse) +
    blast(cooldownsByName.blast) +
    scorch(cooldownsByName.scorch)
  );
}

function printFighters(fighters: readonly FighterView[]): string {
  const [singleFighter] = fighters;
  if (singleFighter !== undefined && fighters.length === 1) return printFighter(singleFighter);
  return fighters.map(printFighter).join(",");
}

function printFighter(fighter: FighterView): string {
  if ("alive" in fighter) return `{"id":"${fighter.id}","hp":0,"alive":false}`;
  const head = `{"id":"${fighter.id}"` + hp(fighter.hp) + power(fighter.power) + ',"visible":';
  if (fighter.visible) {
    const positionFields = "true" + x(fighter.x) + y(fighter.y) + stun(fighter.stun);
    return head + positionFields + ',"cooldowns":{' + printCooldowns(fighter.cooldowns) + "}}";
  }
  const lastSeen = fighter.last_seen;
  if (lastSeen === null) return `${head}false,"last_seen":null}`;
  return `${head}false,"last_seen":{"x":${lastSeen.x},"y":${lastSeen.y},"tick":${lastSeen.tick}}}`;
}

// Keyed by identity. The engine has one list of moves and one table of dashes per tile, so each is
// printed once.
const printedMoves = new WeakMap<readonly string[], string>();

// Move names need no escaping.
function printMoves(moves: readonly string[]): string {
  const cachedText = printedMoves.get(moves);
  if (cachedText !== undefined) return cachedText;
  const text = moves.length === 0 ? "[]" : `["${moves.join('","')}"]`;
  printedMoves.set(moves, text);
  return text;
}

const printedDashes = new WeakMap<Observation["dashes"], string>();

function printDashes(dashes: Observation["dashes"]): string {
  const cachedText = printedDashes.get(dashes);
  if (cachedText !== undefined) return cachedText;
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

type ObservedScene = Pick<Observation, "areas" | "pickups" | "zone">;

/** The part of the last observation that all fighters of a match share: areas, pickups and zone. */
let lastPrintedScene: Partial<ObservedScene> & { text: string } = { text: "" };

function printScene({ areas, pickups, zone }: ObservedScene): string {
  const isCached =
    lastPrintedScene.areas === areas &&
    lastPrintedScene.pickups === pickups &&
    lastPrintedScene.zone === zone;
  if (isCached) return lastPrintedScene.text;
  const text = `"areas":[${printAreas(areas)}],"pickups":[${printPickups(pickups)}],"zone":{"radius":${zone.radius},"shrinks_in":${zone.shrinks_in},"damage":${zone.damage}}`;
  lastPrintedScene = { areas, pickups, zone, text };
  return text;
}

function printAreas(areas: readonly AreaView[]): string {
  if (areas.length === 0) return "";
  return areas.map(printArea).join(",");
}

function printArea(area: AreaView): string {
  const timerField = area.in === undefined ? `"left":${area.left}` : `"in":${area.in}`;
  return `{"name":"${area.name}","by":"${area.by}","x":${area.x},"y":${area.y},"radius":${area.radius},${timerField},"damage":${area.damage}}`;
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

/** `message` is JSON text. */
function printRejected(part: TurnPart, reason: string, message: string, field = ""): string {
  return `{"type":"rejected","part":"${part}","reason":"${reason}","message":${message}${field}}`;
}

const NON_ASCII = /[^\x20-\x7e]/g;
const HEX_RADIX = 16;

/** Escapes all non-ASCII characters, as JSON allows. */
function escapeNonAscii(json: string): string {
  return json.replace(
    NON_ASCII,
    (unit) => `\\u${unit.charCodeAt(0).toString(HEX_RADIX).padStart(4, "0")}`,
  );
}

const printTarget = (target: Target | null): string => JSON.stringify(target);

/** Prints an event for its fighter. A refusal includes its text and omits `by`. */
function printEvent(event: FightEvent): string {
  switch (event.type) {
    case "rejected": {
      const field = event.field === undefined ? "" : `,"field":"${event.field}"`;
      // Refusal texts need no escaping.
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
      return escapeNonAscii(JSON.stringify(event));
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
