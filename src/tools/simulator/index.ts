export { BotFailure, playMatch, playTicks } from "./match.ts";
export type { MatchOptions, MatchResult, Tick } from "./match.ts";
export { playSeries } from "./series.ts";
export type { SeriesOptions } from "./series.ts";
export type { PlannedGame } from "./plan.ts";
export type { SeriesReport } from "./report.ts";
export { listMaps } from "./map.ts";
export { PARTNER_NAMES, createPartner } from "./sparring-partner.ts";
export type { PartnerName } from "./sparring-partner.ts";
export type { SimulatorBot as Bot } from "./bot.ts";
export type { BotModule, CreateBot, Decide, RunningBot } from "./bot-shape.ts";
export type {
  HelloMessage as Hello,
  ObservationMessage as Observation,
  ObservedEvent,
  RejectedEvent,
  RulesMessage as Rules,
  TurnMessage as Turn,
} from "./message.ts";

export { replayFrames, verifyReplay } from "./replay.ts";
export type { FalseReplay, ReplayFrame as Frame, TrueReplay, Verification } from "./replay.ts";

export {
  observe,
  placeFighter,
  setTurn,
  startFight,
  stateHash,
  tickOf,
  trackFight,
} from "./fight.ts";
export type { Tracker } from "./fight.ts";
export { cloneFight, copyFight, isOver } from "#core/engine/fight.ts";
export type { Fight } from "#core/engine/fight.ts";
export { eventsOf } from "#core/engine/events.ts";
export { outcome } from "#core/engine/outcome.ts";
export type { Outcome } from "#core/engine/outcome.ts";
export { step } from "#core/engine/step.ts";
export { setIntent } from "#core/engine/turn.ts";
export { NONE } from "#core/engine/integer-codes.ts";

export { MAP_NAMES } from "#core/engine/maps.ts";
export type { MapName, MapView } from "#core/engine/maps.ts";
export { RULES } from "#core/engine/rules.ts";
export { ATTACKS, COOLDOWNS, DIRECTIONS, FIGHTER_IDS } from "#core/engine/types.ts";
export type {
  AttackName,
  Direction,
  EndReason,
  FightEvent,
  FighterId,
  FighterStats,
  MatchStats,
  RecordedTurn,
  ReplayHeader,
  ReplayResult,
  Target,
} from "#core/engine/types.ts";
export { VERSIONS } from "./versions.ts";
