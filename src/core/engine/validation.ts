import type { Fight } from "./fight.ts";
import { distanceBetween } from "./grid.ts";
import {
  BLAST,
  BOLT,
  COOLDOWN_COUNT,
  DASH_COOLDOWN,
  DIRECTION_COUNT,
  FIRST_ATTACK_COOLDOWN,
  NONE,
  PART_ATTACK,
  PART_DASH,
  PART_MOVE,
  PART_TURN,
  REFUSED_BAD_TEXT,
  REFUSED_BLOCKED,
  REFUSED_CONFLICTING_MOVES,
  REFUSED_NOT_READY,
  REFUSED_NOT_VISIBLE,
  REFUSED_UNKNOWN_ATTACK,
  SCORCH,
  SHOUT_COOLDOWN,
  UNKNOWN_ATTACK,
} from "./integer-codes.ts";
import { BAD_SHOUT, NO_SHOUT, clearIntent } from "./intent.ts";
import { logAttack, logRejected, logRejectedShout, logShout } from "./log.ts";
import { ATTACK_COOLDOWNS, ATTACK_RECOVERIES, RULES } from "./rules.ts";
import { resetTickNotes } from "./tick-notes.ts";

/**
 * Phase 1: accepts the valid parts of each turn and starts their cooldowns. Refuses the other
 * parts.
 */
export function validateTurns(fight: Fight): void {
  for (let seat = 0; seat < fight.seats; seat += 1) {
    resetTickNotes(fight.notes[seat]!, fight.hp[seat]!);
    if (fight.alive[seat] === 1) validateTurn(fight, seat);
    clearIntent(fight.intents[seat]!);
  }
}

function validateTurn(fight: Fight, seat: number): void {
  if (fight.stun[seat]! > 0) {
    refuseStunned(fight, seat);
  } else {
    validateMovement(fight, seat);
    validateAttack(fight, seat);
  }
  if (fight.intents[seat]!.shout !== NO_SHOUT) validateShout(fight, seat);
}

function refuseStunned({ intents, notes, log }: Fight, seat: number): void {
  const { move, dash, attack } = intents[seat]!;
  notes[seat]!.stunned = 1;
  const isIdle = move === NONE && dash === NONE && attack === NONE;
  if (!isIdle) logRejected(log, seat, PART_TURN, REFUSED_NOT_READY);
}

function validateMovement(fight: Fight, seat: number): void {
  const { move, dash } = fight.intents[seat]!;
  if (move !== NONE && dash !== NONE) {
    logRejected(fight.log, seat, PART_TURN, REFUSED_CONFLICTING_MOVES);
  } else if (move !== NONE) {
    validateStep(fight, seat, PART_MOVE, move);
  } else if (dash !== NONE) {
    validateDash(fight, seat, dash);
  }
}

function validateDash(fight: Fight, seat: number, direction: number): void {
  const cooldown = seat * COOLDOWN_COUNT + DASH_COOLDOWN;
  if (fight.cooldowns[cooldown]! > 0) {
    logRejected(fight.log, seat, PART_DASH, REFUSED_NOT_READY);
  } else if (validateStep(fight, seat, PART_DASH, direction)) {
    fight.cooldowns[cooldown] = RULES.dash.cooldown;
  }
}

function validateStep(fight: Fight, seat: number, movePart: number, direction: number): boolean {
  if (fight.grid.step[fight.tile[seat]! * DIRECTION_COUNT + direction] === NONE) {
    logRejected(fight.log, seat, movePart, REFUSED_BLOCKED);
    return false;
  }
  const note = fight.notes[seat]!;
  note.movePart = movePart;
  note.heading = direction;
  return true;
}

function validateAttack(fight: Fight, seat: number): void {
  const { attack, aim } = fight.intents[seat]!;
  if (attack === NONE) return;
  const note = fight.notes[seat]!;
  note.aim = aim;
  const refusal = attackRefusal(fight, seat, attack, aim);
  if (refusal !== NONE) {
    logRejected(fight.log, seat, PART_ATTACK, refusal);
    return;
  }
  startCooldowns(fight, seat, attack);
  note.attack = attack;
  // A bolt is logged when it flies, from the tile reached in movement.
  if (attack !== BOLT) logAttack(fight.log, seat, attack, fight.tile[seat]!, aim);
}

function attackRefusal(fight: Fight, seat: number, attack: number, aim: number): number {
  if (attack === UNKNOWN_ATTACK) return REFUSED_UNKNOWN_ATTACK;
  const cooldown = fight.cooldowns[seat * COOLDOWN_COUNT + FIRST_ATTACK_COOLDOWN + attack]!;
  if (cooldown > 0) return REFUSED_NOT_READY;
  if (attack === BLAST) return areaRefusal(fight, seat, aim, RULES.attacks.blast.range);
  if (attack === SCORCH) return areaRefusal(fight, seat, aim, RULES.attacks.scorch.range);
  return NONE;
}

function areaRefusal(fight: Fight, seat: number, aim: number, range: number): number {
  const { grid } = fight;
  const from = fight.tile[seat]!;
  if (grid.floor[aim] === 0) return REFUSED_BLOCKED;
  if (grid.sight[from * grid.tileCount + aim] === 0) return REFUSED_NOT_VISIBLE;
  return distanceBetween(grid, from, aim) > range ? REFUSED_NOT_VISIBLE : NONE;
}

function startCooldowns({ cooldowns }: Fight, seat: number, attack: number): void {
  const first = seat * COOLDOWN_COUNT + FIRST_ATTACK_COOLDOWN;
  const recovery = ATTACK_RECOVERIES[attack]!;
  for (
    let cooldownIndex = first;
    cooldownIndex < first + ATTACK_COOLDOWNS.length;
    cooldownIndex += 1
  ) {
    if (cooldowns[cooldownIndex]! < recovery) cooldowns[cooldownIndex] = recovery;
  }
  cooldowns[first + attack] = ATTACK_COOLDOWNS[attack]!;
}

function validateShout(fight: Fight, seat: number): void {
  const cooldown = seat * COOLDOWN_COUNT + SHOUT_COOLDOWN;
  if (fight.intents[seat]!.shout === BAD_SHOUT) {
    logRejectedShout(fight.log, seat, REFUSED_BAD_TEXT);
  } else if (fight.cooldowns[cooldown]! > 0) {
    logRejectedShout(fight.log, seat, REFUSED_NOT_READY);
  } else {
    fight.cooldowns[cooldown] = RULES.shout.cooldown;
    fight.notes[seat]!.shoutText = fight.intents[seat]!.text;
    logShout(fight.log, seat);
  }
}
