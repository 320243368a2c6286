// Answers to an operator about events, for people.

import type { Static } from "typebox";

import type { Condition } from "#core/events/event.ts";
import type {
  AdminEvent,
  AdminEventProgressSchema,
  Reconciliation,
} from "#core/resources/event.ts";

import type { Given } from "./admin-action.ts";
import { line, NOTHING, section, table, when } from "./admin-print.ts";
import { CommandFailure, EXIT_FAILED } from "./command.ts";

const windowWords = ({ opens_at, closes_at }: AdminEvent): string =>
  `${when(opens_at)} to ${when(closes_at)}`;

const stateWords = ({ phase, enabled, ready }: AdminEvent): string =>
  [phase, ...(enabled ? [] : ["disabled"]), ...(ready ? [] : ["not ready"])].join(", ");

/** All, or the one that was named. */
export function printEvents(events: readonly AdminEvent[], id: Given[string]): string[] {
  if (id === undefined) return eventTable(events);
  const event = events.find((one) => one.id === id);
  if (event === undefined) throw new CommandFailure(`there is no event ${id}.`, EXIT_FAILED);
  return printEvent(event);
}

function eventTable(events: readonly AdminEvent[]): string[] {
  if (events.length === 0) return ["There is no event."];
  const rows = events.map((event) => [
    event.id,
    event.ladder_id,
    stateWords(event),
    windowWords(event),
    String(event.counts.participants),
    String(event.counts.earned),
    event.name,
  ]);
  return table(["EVENT", "LADDER", "STATE", "WINDOW (UTC)", "PLAYED", "EARNED", "NAME"], rows);
}

export function printEvent(event: AdminEvent): string[] {
  const { counts, image, conditions } = event;
  const rows = conditions.map(({ id, name, condition }) => [id, conditionWords(condition), name]);
  return [
    line("event", event.id),
    line("name", event.name),
    line("ladder", event.ladder_id),
    line("state", stateWords(event)),
    line("window", `${windowWords(event)} UTC, shown in ${event.timezone}`),
    line("flags", flagWords(event)),
    line("opponents", opponentWords(event)),
    line("picture", image === null ? NOTHING : `${image.width} x ${image.height}: ${image.alt}`),
    line("hand in", event.submission_url ?? NOTHING),
    line("members", `${counts.members}; ${counts.participants} have played`),
    line("earned", `${counts.earned}; ${counts.revoked} revoked`),
    line("requests", String(counts.requests)),
    ...section(table(["ACHIEVEMENT", "CONDITION", "NAME"], rows)),
  ];
}

function flagWords({ flag_mode, flags_missing }: AdminEvent): string {
  const missing = flags_missing.length === 0 ? "all there" : `missing: ${flags_missing.join(", ")}`;
  return `${flag_mode}, ${missing}`;
}

/** Of those that play no such version now, that they are away. */
function opponentWords({ approved_versions, unavailable_opponents }: AdminEvent): string {
  const away = new Set<string>(unavailable_opponents);
  const words = Object.entries(approved_versions).map(
    ([kind, label]) => `${kind} ${label}${away.has(kind) ? " (away)" : ""}`,
  );
  return words.join(", ") || NOTHING;
}

const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

export function conditionWords(condition: Condition): string {
  const { maps = 1 } = "maps" in condition ? condition : {};
  const on = maps === 1 ? "" : ` on ${maps} maps`;
  switch (condition.kind) {
    case "games":
      return many(condition.count, "game");
    case "wins":
      return many(condition.count, "win") + on;
    case "defeat":
      return `${many(condition.wins, "win")} against ${condition.opponent}${on}`;
    case "streak":
      return `${many(condition.wins, "win")} in a row`;
    case "clean":
      return `${many(condition.games, "clean game")} in a row`;
    case "score":
      return `a score of ${condition.least}`;
  }
}

export function printProgress(shown: Static<typeof AdminEventProgressSchema>): string[] {
  const { account, event, membership, request, achievements } = shown;
  const rows = achievements.map(({ id, progress, earned_at, revoked_at, reason }) => [
    id,
    `${progress.current} of ${progress.target}${progress.bot === null ? "" : ` (${progress.bot})`}`,
    when(earned_at),
    when(revoked_at),
    reason ?? NOTHING,
  ]);
  const matches = achievements.flatMap(({ id, evidence }) =>
    evidence.map(({ match_id }) => [id, match_id]),
  );
  return [
    line("account", account.handle ?? account.id),
    line("event", event.id),
    line("membership", membership ?? NOTHING),
    line(
      "request",
      request === null ? NOTHING : `${request.bot}, ${request.opponent}: ${request.state}`,
    ),
    ...section(table(["ACHIEVEMENT", "PROGRESS", "EARNED (UTC)", "REVOKED (UTC)", "REASON"], rows)),
    ...section(table(["EVIDENCE OF", "MATCH"], matches)),
  ];
}

export function printReconciliation({ facts, missing_awards, applied }: Reconciliation): string[] {
  const rows = missing_awards.map((fact) => [
    fact.handle ?? fact.account_id,
    fact.achievement_id,
    when(fact.earned_at),
    fact.evidence.at(-1) ?? NOTHING,
  ]);
  const written = applied ? "written now" : "--apply writes them";
  return [
    line("earned", `${facts.length} by the stored matches`),
    line("missing", rows.length === 0 ? "none" : `${rows.length}; ${written}`),
    ...section(table(["ACCOUNT", "ACHIEVEMENT", "EARNED (UTC)", "DECIDED BY"], rows)),
  ];
}
