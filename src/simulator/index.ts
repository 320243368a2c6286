// The simulator's face: everything that authors of bots may use.

export { BotFailure, playMatch, playTicks } from "./match.ts";
export type { MatchOptions, MatchResult, Tick } from "./match.ts";
export { playSeries } from "./series.ts";
export type { SeriesOptions } from "./series.ts";
export type { PlannedGame } from "./plan.ts";
export type { SeriesReport } from "./report.ts";
export { listMaps } from "./map.ts";
export { PARTNER_NAMES } from "./partner.ts";
export type { PartnerName } from "./partner.ts";
export type { Bot } from "./bot.ts";
export type { BotModule, CreateBot, Decide, RunningBot } from "./bot-shape.ts";
export type {
  Hello,
  ObservationMessage as Observation,
  ObservedEvent,
  RejectedEvent,
  Rules,
  TurnMessage as Turn,
} from "./message.ts";

export { replayFrames, verifyReplay } from "./replay.ts";
export type { FalseReplay, Frame, TrueReplay, Verification } from "./replay.ts";

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
export { cloneFight, copyFight, isOver } from "#engine/fight.ts";
export type { Fight } from "#engine/fight.ts";
export { eventsOf } from "#engine/events.ts";
export { outcome } from "#engine/outcome.ts";
export type { Outcome } from "#engine/outcome.ts";
export { step } from "#engine/step.ts";
export { setIntent } from "#engine/turn.ts";
export { NONE } from "#engine/codes.ts";

export { MAP_NAMES } from "#engine/maps.ts";
export type { MapName, MapView } from "#engine/maps.ts";
export { RULES } from "#engine/rules.ts";
export { ATTACKS, COOLDOWNS, DIRECTIONS, FIGHTER_IDS } from "#engine/types.ts";
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
} from "#engine/types.ts";
export { VERSIONS } from "./versions.ts";
