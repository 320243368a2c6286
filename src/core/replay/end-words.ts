// How a match ended, and why a part of a turn was refused, in a few words.

import type { EndReason, Refusal } from "#core/engine/types.ts";

const END_WORDS: Record<EndReason | "server_fault", string> = {
  last_standing: "knockout",
  timeout_hp: "more hp at the tick limit",
  timeout_damage: "equal hp at the tick limit, more damage dealt",
  timeout_draw: "equal hp and damage at the tick limit",
  forfeit: "one side left, or was not ready",
  disqualification: "too many failed ticks",
  server_fault: "void after a fault of the server",
};

export const endWords = (reason: EndReason | "server_fault"): string => END_WORDS[reason];

export const REFUSAL_WORDS: Readonly<Record<Refusal, string>> = {
  unknown_attack: "no such attack, or a target of the wrong form",
  bad_text: "the shout is empty or too long",
  not_ready: "cooling down, or stunned",
  not_visible: "out of sight or out of range",
  blocked: "something is in the way",
  conflicting_moves: "a move and a dash in one turn",
};
