import type { Static } from "typebox";

import type { AdminEvent, AdminEventProgressSchema, Reconciliation } from "#core/api/event.ts";
import type { Condition } from "#core/events/event.ts";
import { CommandFailure, EXIT_FAILED } from "#tools/cli/command.ts";

import type { CommandInput } from "./admin-action.ts";
import {
  formatField,
  EMPTY_CELL,
  formatSection,
  formatTextTable,
  formatInstant,
} from "./admin-print.ts";

const formatWindow = ({ opens_at, closes_at }: AdminEvent): string =>
  `${formatInstant(opens_at)} to ${formatInstant(closes_at)}`;

const describeState = ({ phase, enabled, ready }: AdminEvent): string =>
  [phase, ...(enabled ? [] : ["disabled"]), ...(ready ? [] : ["not ready"])].join(", ");

export function printEvents(events: readonly AdminEvent[], id: CommandInput[string]): string[] {
  if (id === undefined) return eventTable(events);
  const event = events.find((candidate) => candidate.id === id);
  if (event === undefined)
    throw new CommandFailure(
      `there is no event ${id}. To list events, run "bout admin events".`,
      EXIT_FAILED,
    );
  return printEvent(event);
}

function eventTable(events: readonly AdminEvent[]): string[] {
  if (events.length === 0) return ["No events yet."];
  const rows = events.map((event) => [
    event.id,
    event.ladder_id,
    describeState(event),
    formatWindow(event),
    String(event.counts.participants),
    String(event.counts.earned),
    event.name,
  ]);
  return formatTextTable(
    ["EVENT", "LADDER", "STATE", "WINDOW (UTC)", "PLAYED", "EARNED", "NAME"],
    rows,
  );
}

export function printEvent(event: AdminEvent): string[] {
  const { counts, image, conditions } = event;
  const rows = conditions.map(({ id, name, condition }) => [
    id,
    describeCondition(condition),
    name,
  ]);
  return [
    formatField("event", event.id),
    formatField("name", event.name),
    formatField("ladder", event.ladder_id),
    formatField("state", describeState(event)),
    formatField("window", `${formatWindow(event)} UTC, shown in ${event.timezone}`),
    formatField("flags", describeFlags(event)),
    formatField("opponents", describeOpponents(event)),
    formatField(
      "picture",
      image === null ? EMPTY_CELL : `${image.width} x ${image.height}: ${image.alt}`,
    ),
    formatField("submit to", event.submission_url ?? EMPTY_CELL),
    formatField("members", `${counts.members}; ${counts.participants} have played`),
    formatField("earned", `${counts.earned}; ${counts.revoked} revoked`),
    formatField("requests", String(counts.requests)),
    ...formatSection(formatTextTable(["ACHIEVEMENT", "CONDITION", "NAME"], rows)),
  ];
}

function describeFlags({ flag_mode, flags_missing }: AdminEvent): string {
  const missing = flags_missing.length === 0 ? "complete" : `missing: ${flags_missing.join(", ")}`;
  return `${flag_mode}, ${missing}`;
}

function describeOpponents({ approved_versions, unavailable_opponents }: AdminEvent): string {
  const unavailableKinds = new Set<string>(unavailable_opponents);
  const descriptions = Object.entries(approved_versions).map(
    ([kind, label]) => `${kind} ${label}${unavailableKinds.has(kind) ? " (away)" : ""}`,
  );
  return descriptions.join(", ") || EMPTY_CELL;
}

const pluralize = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

export function describeCondition(condition: Condition): string {
  const { maps = 1 } = "maps" in condition ? condition : {};
  const mapsSuffix = maps === 1 ? "" : ` on ${maps} maps`;
  switch (condition.kind) {
    case "games":
      return pluralize(condition.count, "game");
    case "wins":
      return pluralize(condition.count, "win") + mapsSuffix;
    case "defeat":
      return `${pluralize(condition.wins, "win")} against ${condition.opponent}${mapsSuffix}`;
    case "streak":
      return `${pluralize(condition.wins, "win")} in a row`;
    case "clean":
      return `${pluralize(condition.games, "clean game")} in a row`;
    case "score":
      return `a score of ${condition.least}`;
  }
}

export function printProgress(eventProgress: Static<typeof AdminEventProgressSchema>): string[] {
  const { account, event, membership, request, achievements } = eventProgress;
  const rows = achievements.map(({ id, progress, earned_at, revoked_at, reason }) => [
    id,
    `${progress.current} of ${progress.target}${progress.bot === null ? "" : ` (${progress.bot})`}`,
    formatInstant(earned_at),
    formatInstant(revoked_at),
    reason ?? EMPTY_CELL,
  ]);
  const matches = achievements.flatMap(({ id, evidence }) =>
    evidence.map(({ match_id }) => [id, match_id]),
  );
  return [
    formatField("account", account.handle ?? account.id),
    formatField("event", event.id),
    formatField("membership", membership ?? EMPTY_CELL),
    formatField(
      "request",
      request === null ? EMPTY_CELL : `${request.bot}, ${request.opponent}: ${request.state}`,
    ),
    ...formatSection(
      formatTextTable(["ACHIEVEMENT", "PROGRESS", "EARNED (UTC)", "REVOKED (UTC)", "REASON"], rows),
    ),
    ...formatSection(formatTextTable(["EVIDENCE OF", "MATCH"], matches)),
  ];
}

export function printReconciliation({ facts, missing_awards, applied }: Reconciliation): string[] {
  const rows = missing_awards.map((award) => [
    award.handle ?? award.account_id,
    award.achievement_id,
    formatInstant(award.earned_at),
    award.evidence.at(-1) ?? EMPTY_CELL,
  ]);
  const applyNote = applied ? "added" : "add with --apply";
  return [
    formatField("earned", `${facts.length} from stored matches`),
    formatField("missing", rows.length === 0 ? "none" : `${rows.length}; ${applyNote}`),
    ...formatSection(
      formatTextTable(["ACCOUNT", "ACHIEVEMENT", "EARNED (UTC)", "DECIDING MATCH"], rows),
    ),
  ];
}
