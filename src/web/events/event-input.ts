import { parseIsoInstant } from "#base/clock/parse-instant.ts";
import type { NewEvent } from "#core/api/event.ts";
import { conflictingVariables } from "#core/events/achievement-flags.ts";
import {
  approvedVersionIssues,
  duplicateIdIssues,
  isWithinLadderWindow,
  isTimeZoneName,
  mapCountIssues,
} from "#core/events/definition-issues.ts";
import type { Achievement, EventDefinition } from "#core/events/event.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { ValidationIssue } from "#core/protocol/validation-issues.ts";

/**
 * `path` locates the field in the body or file. `problem` completes the sentence "The field … of
 * the body".
 */
export type EventError = ValidationIssue & { code?: "invalid_window" };

type ScheduleInput = Pick<NewEvent, "opens_at" | "closes_at">;
type Window = Pick<EventDefinition, "opensAt" | "closesAt">;

/** Returns the normalized submission URL or an error. Null is valid. */
export function readSubmissionUrl(text: string | null): { url: string | null } | EventError {
  const error = (problem: string) => ({ path: "submission_url", problem });
  if (text === null) return { url: null };
  const url = URL.parse(text);
  if (url?.protocol !== "https:") return error("must be an https address, or null");
  if (url.username !== "" || url.password !== "") return error("must not contain user info");
  return url.href.length > FIXED_LIMITS.event_url_max
    ? error(`must not exceed ${FIXED_LIMITS.event_url_max} characters when percent-encoded`)
    : { url: url.href };
}

const INVALID_INSTANT = "must be an instant with its UTC offset";

export function eventWindow({ opens_at, closes_at }: ScheduleInput): Window | null {
  const [opensAt, closesAt] = [parseIsoInstant(opens_at), parseIsoInstant(closes_at)];
  return opensAt === null || closesAt === null ? null : { opensAt, closesAt };
}

export const eventInstantErrors = (schedule: ScheduleInput): EventError[] =>
  (["opens_at", "closes_at"] as const)
    .filter((path) => parseIsoInstant(schedule[path]) === null)
    .map((path) => ({ path, problem: INVALID_INSTANT }));

type ChangeInput = { timezone?: string; conditions?: readonly Achievement[] };

/** Returns the errors in the fields that can still change later. */
export function eventChangeErrors({ timezone, conditions = [] }: ChangeInput): EventError[] {
  const isValidZone = timezone === undefined || isTimeZoneName(timezone);
  return [
    ...(isValidZone
      ? []
      : [
          {
            path: "timezone",
            problem: "must be an IANA time zone name in its exact spelling, such as Europe/Berlin",
          },
        ]),
    ...duplicateIdIssues(conditions),
  ];
}

/** Returns the errors in a new event that don't depend on its ladder. */
export const newEventErrors = (body: NewEvent): EventError[] => [
  ...eventInstantErrors(body),
  ...eventChangeErrors(body),
  ...approvedVersionIssues({ approved: body.approved ?? {} }),
  ...submissionErrors(body),
];

function submissionErrors({ submission_url = null }: NewEvent): EventError[] {
  const outcome = readSubmissionUrl(submission_url);
  return "url" in outcome ? [] : [outcome];
}

export function flagErrors(
  id: string,
  conditions: readonly Achievement[],
  otherEvents: readonly EventDefinition[],
): EventError[] {
  const siblingEvents = otherEvents.filter((event) => event.id !== id);
  const [sharedVariable] = conflictingVariables([
    ...siblingEvents,
    { id, achievements: conditions },
  ]);
  return sharedVariable === undefined
    ? []
    : [
        {
          path: "conditions",
          problem: `use ${sharedVariable}, the flag variable of another achievement`,
        },
      ];
}

/**
 * Returns all errors in a new event, including those that depend on its ladder and on existing
 * events.
 */
export function eventErrors(
  body: NewEvent,
  ladder: LadderDefinition,
  otherEvents: readonly EventDefinition[],
): EventError[] {
  const window = eventWindow(body);
  const isInWindow = window === null || isWithinLadderWindow(window, ladder);
  const hasUniqueIds = new Set(body.conditions.map(({ id }) => id)).size === body.conditions.length;
  return [
    ...newEventErrors(body),
    ...(isInWindow
      ? []
      : [{ path: "closes_at", problem: OUTSIDE_WINDOW, code: "invalid_window" as const }]),
    ...mapCountIssues(body.conditions, ladder),
    ...(hasUniqueIds ? flagErrors(body.id, body.conditions, otherEvents) : []),
  ];
}

const OUTSIDE_WINDOW = "must be after opens_at, and both within the ladder's window";

/** Returns the error text. Paths look like those in files: `conditions[2].id`. */
export const eventErrorText = ({ path, problem }: EventError): string =>
  `The field '${path}' of the body ${problem}.`;

/** Builds an event from a valid body. New events are disabled. */
export function toEventDefinition(body: NewEvent): EventDefinition {
  const { id, name, description = "", timezone = "UTC", metadata = null } = body;
  const { opensAt, closesAt } = eventWindow(body) ?? { opensAt: "", closesAt: "" };
  const submission = readSubmissionUrl(body.submission_url ?? null);
  return {
    id,
    ladderId: body.ladder_id,
    name,
    description,
    opensAt,
    closesAt,
    timezone,
    metadata,
    image: null,
    submissionUrl: "url" in submission ? submission.url : null,
    submissionInstructions: body.submission_instructions ?? "",
    flagMode: body.flag_mode ?? "official",
    revision: 0,
    enabled: false,
    achievements: body.conditions,
    approved: body.approved ?? {},
  };
}
