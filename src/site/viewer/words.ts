// What the pages say in plain words: times, results, events, refusals.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#base/units/time.ts";
import { RULES } from "#core/engine/rules.ts";
import { FIGHTER_IDS } from "#core/engine/types.ts";
import type {
  AttackName,
  DamageSource,
  Direction,
  FightEvent,
  FighterId,
  Refusal,
  Target,
  TurnPart,
} from "#core/engine/types.ts";
import type { Match } from "#core/resources/match.ts";
import { HUMAN } from "#core/words/rated.ts";
import { voidWords } from "#site/look/status-words.ts";

/** Display names by fighter. A fighter without one goes by its letter. */
export type Names = Readonly<Partial<Record<FighterId, string>>>;

/** How long ago an instant was, both in ms since 1970. */
export function agoWords(then: number, now: number): string {
  const passed = Math.max(0, now - then);
  if (passed < MINUTE_MS) return "just now";
  if (passed < HOUR_MS) return `${Math.floor(passed / MINUTE_MS)} min ago`;
  if (passed < DAY_MS) return `${Math.floor(passed / HOUR_MS)} h ago`;
  return `${Math.floor(passed / DAY_MS)} d ago`;
}

export function clockWords(now: number): string {
  return `${new Date(now).toISOString().slice(11, 19)} UTC`;
}

/** A change of rating with its sign, using a true minus sign. */
export function signed(change: number): string {
  if (change === 0) return "±0";
  return change > 0 ? `+${change}` : `−${-change}`;
}

/** How a match ended, in two or three words. */
export function endingShort(match: Match): string {
  if (match.voided) return "void";
  const short: Record<Match["reason"], string> = {
    last_standing: "knockout",
    timeout_hp: "on hp",
    timeout_damage: "on damage",
    timeout_draw: "draw",
    forfeit: "forfeit",
    disqualification: "disqualified",
    server_fault: "void",
  };
  return short[match.reason];
}

/** How a match ended, as a sentence. */
export function endingSentence(match: Match): string {
  const [winner, loser = ""] = [true, false].map((won) => {
    const bot = match.bots.find(({ id }) => (id === match.winner) === won);
    return bot && nameOfBot(bot);
  });
  if (match.voided) return voidWords(match.reason);
  if (winner === undefined) return drawSentence(match.reason);
  const sentences: Partial<Record<Match["reason"], string>> = {
    last_standing: `${winner} won by knockout in the last of ${match.final_tick} ticks.`,
    timeout_hp: `${winner} won on hp: it had more left at the tick limit.`,
    timeout_damage: `${winner} won on damage: equal hp at the tick limit, but it had dealt more.`,
    forfeit:
      match.final_tick === 0
        ? `${loser} was not ready in time: ${winner} won by forfeit.`
        : `${loser} left the bout: ${winner} won by forfeit.`,
    disqualification: `${loser} failed too many ticks and was disqualified: ${winner} won.`,
  };
  return sentences[match.reason] ?? `${winner} won (${match.reason}).`;
}

function drawSentence(reason: string): string {
  return reason === "timeout_draw"
    ? "A draw: equal hp and equal damage at the tick limit."
    : "A draw.";
}

export const SOURCE_WORDS: Record<DamageSource, string> = {
  strike: "strike",
  bolt: "bolt",
  hook: "hook",
  repulse: "repulse",
  blast: "blast",
  scorch: "scorch",
  wall_slam: "wall slam",
  collision: "collision",
  zone: "zone",
};

/** What a refusal means and what the author can do about it. */
export const REFUSAL_WORDS: Record<Refusal, string> = {
  unknown_attack: "no such attack, or a target of the wrong form",
  bad_text: "a shout that is empty or too long",
  not_ready: "on cooldown, or stunned",
  not_visible: "the tile was out of sight or out of range",
  blocked: "a wall, a fighter or a push was in the way",
  conflicting_moves: "move and dash in one turn",
};

export const DIRECTION_WORDS: Record<Direction, string> = {
  n: "north",
  ne: "north-east",
  e: "east",
  se: "south-east",
  s: "south",
  sw: "south-west",
  w: "west",
  nw: "north-west",
};

const PART_WORDS: Record<TurnPart, string> = {
  move: "move",
  dash: "dash",
  attack: "attack",
  turn: "turn",
};

export function targetWords(target: Target | null | undefined): string {
  if (target === null || target === undefined) return "";
  return typeof target === "string"
    ? ` ${DIRECTION_WORDS[target]}`
    : ` at ${target[0]},${target[1]}`;
}

/** One event as a line of the log. */
export function eventWords(event: FightEvent, names: Names): string {
  const name = (id: FighterId): string => names[id] ?? id;
  switch (event.type) {
    case "shout":
      return `${name(event.by)}: “${event.text}”`;
    case "rejected":
      return rejectedWords(event.by === undefined ? "A fighter" : name(event.by), event);
    case "attack":
      return attackWords(name(event.by), event.name, event.target);
    case "hit":
      return hitWords(event, name);
    case "repulse":
      return `${name(event.target)} is thrown${wayWords(event)}${event.slam ? " into a wall" : ""}`;
    case "pull":
      return `${name(event.target)} is pulled${wayWords(event)}`;
    case "area_spawn":
      return event.name === "blast"
        ? `${name(event.by)}’s blast is set, ${event.in ?? 0} ticks to go`
        : `${name(event.by)}’s scorch burns for ${event.left ?? 0} ticks`;
    case "area_explode":
      return `${name(event.by)}’s blast explodes`;
    case "pickup":
      return event.kind === "health"
        ? `${name(event.by)} takes health, +${event.healed ?? 0} hp`
        : `${name(event.by)} takes power: ${RULES.power.ticks} ticks of half again the damage`;
    case "zone_damage":
      return `${name(event.target)} is outside the zone, −${event.damage}`;
    case "pickup_spawn":
      return `${event.kind === "health" ? "Health" : "Power"} announced, in ${event.in} ticks`;
    case "death":
      break;
  }
  return `${name(event.target)} falls`;
}

type Rejected = Extract<FightEvent, { type: "rejected" }>;

function rejectedWords(name: string, { part, reason, field }: Rejected): string {
  const isStun = part === "turn" && field === undefined && reason === "not_ready";
  if (isStun) return `${name} is stunned: its turn is lost`;
  const what = field === "shout" ? "shout" : PART_WORDS[part];
  return `${name}’s ${what} is refused: ${REFUSAL_WORDS[reason]}`;
}

function attackWords(name: string, attack: AttackName, target: Target | null | undefined): string {
  const verbs: Record<AttackName, string> = {
    strike: "strikes",
    bolt: "fires a bolt",
    hook: "throws a hook",
    repulse: "repulses",
    blast: "casts a blast",
    scorch: "casts a scorch",
  };
  return `${name} ${verbs[attack]}${targetWords(target)}`;
}

type Hit = Extract<FightEvent, { type: "hit" }>;

function hitWords(event: Hit, name: (id: FighterId) => string): string {
  const target = name(event.target);
  if (event.name === "wall_slam") return `${target} slams into a wall, −${event.damage}, stunned`;
  if (event.name === "collision") return `${target} is rammed, −${event.damage}`;
  const own = event.by === event.target;
  const whose = own ? "its own" : `${name(event.by)}’s`;
  const how = event.ricochet === true ? "bounced " : "";
  return `${target} is hit by ${whose} ${how}${event.name}, −${event.damage}`;
}

function wayWords({ tiles, direction }: { tiles: number; direction: Direction }): string {
  if (tiles === 0) return "";
  return ` ${tiles === 1 ? "1 tile" : `${tiles} tiles`} ${DIRECTION_WORDS[direction]}`;
}

type MatchBot = Match["bots"][number];

/** The fighter id of each bot of a match; bots are in seat order. */
export function fighterIdOf(bot: MatchBot, seat: number): FighterId {
  return bot.fighter ?? FIGHTER_IDS[seat]!;
}

/** The name of who fought, for people. */
export const nameOfBot = ({ id, display_name }: Pick<MatchBot, "id" | "display_name">): string =>
  id === HUMAN.name ? "Human" : display_name;

/** Names of a match's fighters. */
export function fighterNames(match: Match): Names {
  return Object.fromEntries(
    match.bots.map((bot, seat) => [fighterIdOf(bot, seat), nameOfBot(bot)]),
  );
}
