import type { EndReason, Refusal } from "#core/engine/types.ts";

const END_REASON_TEXT: Record<EndReason | "server_fault", string> = {
  last_standing: "knockout",
  timeout_hp: "more HP at the tick limit",
  timeout_damage: "equal HP at the tick limit, more damage dealt",
  timeout_draw: "equal HP and damage at the tick limit",
  forfeit: "a bot left or wasn't ready",
  disqualification: "too many failed ticks",
  server_fault: "void after a server fault",
};

export const endReasonText = (reason: EndReason | "server_fault"): string =>
  END_REASON_TEXT[reason];

export const REFUSAL_REASON_TEXT: Readonly<Record<Refusal, string>> = {
  unknown_attack: "unknown attack, or a target of the wrong form",
  bad_text: "empty or too long shout",
  not_ready: "cooling down, or stunned",
  not_visible: "out of sight or out of range",
  blocked: "something is in the way",
  conflicting_moves: "move and dash in one turn",
};
