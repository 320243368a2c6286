import { DAY_MS, HOUR_MS, MINUTE_MS } from "#base/util/time.ts";
import type { Match } from "#core/api/match.ts";
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
import { HUMAN_SEAT } from "#core/ids/match-modes.ts";
import { describeVoidMatch } from "#site/ui/bot-status-texts.ts";

import type { FighterBots } from "./portraits.ts";

/** Display names by fighter ID. A fighter without a name is shown by its letter. */
export type NamesByFighter = Readonly<Partial<Record<FighterId, string>>>;

/** Formats how long ago `thenMs` was. Both arguments are Unix ms. */
export function formatAge(thenMs: number, now: number): string {
  const elapsedMs = Math.max(0, now - thenMs);
  if (elapsedMs < MINUTE_MS) return "just now";
  if (elapsedMs < HOUR_MS) return `${Math.floor(elapsedMs / MINUTE_MS)} min ago`;
  if (elapsedMs < DAY_MS) return `${Math.floor(elapsedMs / HOUR_MS)} h ago`;
  return `${Math.floor(elapsedMs / DAY_MS)} d ago`;
}

export function formatUtcClock(now: number): string {
  return `${new Date(now).toISOString().slice(11, 19)} UTC`;
}

/** Formats a rating change with its sign. Uses a true minus sign. */
export function formatSignedChange(change: number): string {
  if (change === 0) return "±0";
  return change > 0 ? `+${change}` : `−${-change}`;
}

export function shortEndingText(match: Match): string {
  if (match.voided) return "void";
  const shortTexts: Record<Match["reason"], string> = {
    last_standing: "knockout",
    timeout_hp: "on HP",
    timeout_damage: "on damage",
    timeout_draw: "draw",
    forfeit: "forfeit",
    disqualification: "disqualified",
    server_fault: "void",
  };
  return shortTexts[match.reason];
}

export function describeEnding(match: Match): string {
  const [winner, loser = ""] = [true, false].map((isWinner) => {
    const bot = match.bots.find(({ id }) => (id === match.winner) === isWinner);
    return bot && botDisplayName(bot);
  });
  if (match.voided) return describeVoidMatch(match.reason);
  if (winner === undefined) return describeDraw(match.reason);
  const sentences: Partial<Record<Match["reason"], string>> = {
    last_standing: `${winner} won by knockout in the last of ${match.final_tick} ticks.`,
    timeout_hp: `${winner} won on HP: it had more left at the tick limit.`,
    timeout_damage: `${winner} won on damage: HP was equal at the tick limit, but it had dealt more.`,
    forfeit:
      match.final_tick === 0
        ? `${loser} was not ready in time: ${winner} won by forfeit.`
        : `${loser} left the match: ${winner} won by forfeit.`,
    disqualification: `${loser} failed too many ticks and was disqualified: ${winner} won.`,
  };
  return sentences[match.reason] ?? `${winner} won (${match.reason}).`;
}

function describeDraw(reason: string): string {
  return reason === "timeout_draw"
    ? "A draw: equal HP and equal damage at the tick limit."
    : "A draw.";
}

export const DAMAGE_SOURCE_TEXTS: Record<DamageSource, string> = {
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

/** Explains each rejection so that the bot's author can fix it. */
export const REFUSAL_TEXTS: Record<Refusal, string> = {
  unknown_attack: "no such attack, or a target of the wrong form",
  bad_text: "an empty or too long shout",
  not_ready: "on cooldown, or stunned",
  not_visible: "the tile was out of sight or out of range",
  blocked: "blocked by a wall, a fighter or a push",
  conflicting_moves: "move and dash in one turn",
};

export const DIRECTION_TEXTS: Record<Direction, string> = {
  n: "north",
  ne: "north-east",
  e: "east",
  se: "south-east",
  s: "south",
  sw: "south-west",
  w: "west",
  nw: "north-west",
};

const TURN_PART_TEXTS: Record<TurnPart, string> = {
  move: "move",
  dash: "dash",
  attack: "attack",
  turn: "turn",
};

export function describeTarget(target: Target | null | undefined): string {
  if (target === null || target === undefined) return "";
  return typeof target === "string"
    ? ` ${DIRECTION_TEXTS[target]}`
    : ` at ${target[0]},${target[1]}`;
}

export function describeEvent(event: FightEvent, names: NamesByFighter): string {
  const name = (id: FighterId): string => names[id] ?? id;
  switch (event.type) {
    case "shout":
      return `${name(event.by)}: “${event.text}”`;
    case "rejected":
      return describeRejection(event.by === undefined ? "A fighter" : name(event.by), event);
    case "attack":
      return describeAttack(name(event.by), event.name, event.target);
    case "hit":
      return describeHitEvent(event, name);
    case "repulse":
      return `${name(event.target)} is thrown${describePush(event)}${event.slam ? " into a wall" : ""}`;
    case "pull":
      return `${name(event.target)} is pulled${describePush(event)}`;
    case "area_spawn":
      return event.name === "blast"
        ? `${name(event.by)}’s blast is placed, ${event.in ?? 0} ticks to go`
        : `${name(event.by)}’s scorch burns for ${event.left ?? 0} ticks`;
    case "area_explode":
      return `${name(event.by)}’s blast explodes`;
    case "pickup":
      return event.kind === "health"
        ? `${name(event.by)} takes health, +${event.healed ?? 0} HP`
        : `${name(event.by)} takes power: +50 % damage for ${RULES.power.ticks} ticks`;
    case "zone_damage":
      return `${name(event.target)} is outside the zone, −${event.damage}`;
    case "pickup_spawn":
      return `${event.kind === "health" ? "Health" : "Power"} announced, in ${event.in} ticks`;
    case "death":
      break;
  }
  return `${name(event.target)} falls`;
}

type RejectedEvent = Extract<FightEvent, { type: "rejected" }>;

function describeRejection(name: string, { part, reason, field }: RejectedEvent): string {
  const isStun = part === "turn" && field === undefined && reason === "not_ready";
  if (isStun) return `${name} is stunned and loses its turn`;
  const partText = field === "shout" ? "shout" : TURN_PART_TEXTS[part];
  return `${name}’s ${partText} is rejected: ${REFUSAL_TEXTS[reason]}`;
}

function describeAttack(
  name: string,
  attack: AttackName,
  target: Target | null | undefined,
): string {
  const verbs: Record<AttackName, string> = {
    strike: "strikes",
    bolt: "fires a bolt",
    hook: "throws a hook",
    repulse: "repulses",
    blast: "casts a blast",
    scorch: "casts a scorch",
  };
  return `${name} ${verbs[attack]}${describeTarget(target)}`;
}

type HitEvent = Extract<FightEvent, { type: "hit" }>;

function describeHitEvent(event: HitEvent, name: (id: FighterId) => string): string {
  const target = name(event.target);
  if (event.name === "wall_slam") return `${target} slams into a wall, −${event.damage}, stunned`;
  if (event.name === "collision") return `${target} is rammed, −${event.damage}`;
  const isOwnHit = event.by === event.target;
  const attackerText = isOwnHit ? "its own" : `${name(event.by)}’s`;
  const bounceText = event.ricochet === true ? "bounced " : "";
  return `${target} is hit by ${attackerText} ${bounceText}${event.name}, −${event.damage}`;
}

function describePush({ tiles, direction }: { tiles: number; direction: Direction }): string {
  if (tiles === 0) return "";
  return ` ${tiles === 1 ? "1 tile" : `${tiles} tiles`} ${DIRECTION_TEXTS[direction]}`;
}

type MatchSeat = Match["bots"][number];

/** Returns the fighter ID of a bot. A match lists its bots in seat order. */
export function fighterIdForSeat(bot: MatchSeat, seat: number): FighterId {
  return bot.fighter ?? FIGHTER_IDS[seat]!;
}

export const botDisplayName = ({
  id,
  display_name,
}: Pick<MatchSeat, "id" | "display_name">): string =>
  id === HUMAN_SEAT.name ? "Human" : display_name;

export function fighterNames(match: Match): NamesByFighter {
  return Object.fromEntries(
    match.bots.map((bot, seat) => [fighterIdForSeat(bot, seat), botDisplayName(bot)]),
  );
}

/** Returns the bots whose avatars the fighters wear. */
export function fighterBots(match: Match): FighterBots {
  return Object.fromEntries(
    match.bots.map((bot, seat) => [fighterIdForSeat(bot, seat), bot] as const),
  );
}
