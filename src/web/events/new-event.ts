// What an event is made from, over HTTP and in a file, and what can be wrong with it.

import { readInstant } from "#base/clock/instant.ts";
import {
  approvedFaults,
  doubledFaults,
  fitsLadder,
  isTimezone,
  mapFaults,
} from "#core/events/definition.ts";
import type { Achievement, EventDefinition } from "#core/events/event.ts";
import { sharedVariables } from "#core/events/flag.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { PlacedFault } from "#core/protocol/faults.ts";
import type { NewEvent } from "#core/resources/event.ts";
import { FIXED } from "#core/words/limits.ts";

/** Where in the body, or in the entry of a file, and the end of a sentence about it. */
export type EventFault = PlacedFault & { code?: "invalid_window" };

type Written = Pick<NewEvent, "opens_at" | "closes_at">;
type Window = Pick<EventDefinition, "opensAt" | "closesAt">;

/** Returns the normalized submission URL, or its error. Null stays null. */
export function readSubmissionUrl(text: string | null): { url: string | null } | EventFault {
  const fault = (problem: string) => ({ path: "submission_url", problem });
  if (text === null) return { url: null };
  const url = URL.parse(text);
  if (url?.protocol !== "https:") return fault("must be an https address, or null");
  if (url.username !== "" || url.password !== "") return fault("must not contain user info");
  return url.href.length > FIXED.event_url_max
    ? fault(`must be at most ${FIXED.event_url_max} characters when percent-encoded`)
    : { url: url.href };
}

const NO_INSTANT = "must be an instant with its offset from UTC";

/** Null where either instant cannot be read. */
export function windowOf({ opens_at, closes_at }: Written): Window | null {
  const [opensAt, closesAt] = [readInstant(opens_at), readInstant(closes_at)];
  return opensAt === null || closesAt === null ? null : { opensAt, closesAt };
}

export const instantFaults = (schedule: Written): EventFault[] =>
  (["opens_at", "closes_at"] as const)
    .filter((path) => readInstant(schedule[path]) === null)
    .map((path) => ({ path, problem: NO_INSTANT }));

type Change = { timezone?: string; conditions?: readonly Achievement[] };

/** Faults of what can be changed later too, whatever the ladder. */
export function changeFaults({ timezone, conditions = [] }: Change): EventFault[] {
  const zone = timezone === undefined || isTimezone(timezone);
  return [
    ...(zone
      ? []
      : [
          {
            path: "timezone",
            problem: "must be an IANA time zone name in its exact spelling, such as Europe/Berlin",
          },
        ]),
    ...doubledFaults(conditions),
  ];
}

/** What is wrong with the body of a new event by itself. */
export const bodyFaults = (body: NewEvent): EventFault[] => [
  ...instantFaults(body),
  ...changeFaults(body),
  ...approvedFaults({ approved: body.approved ?? {} }),
  ...submissionFaults(body),
];

function submissionFaults({ submission_url = null }: NewEvent): EventFault[] {
  const outcome = readSubmissionUrl(submission_url);
  return "url" in outcome ? [] : [outcome];
}

/** Achievements whose flags would be in a variable that another one has. */
export function flagFaults(
  id: string,
  conditions: readonly Achievement[],
  others: readonly EventDefinition[],
): EventFault[] {
  const known = others.filter((event) => event.id !== id);
  const [shared] = sharedVariables([...known, { id, achievements: conditions }]);
  return shared === undefined
    ? []
    : [{ path: "conditions", problem: `lead to ${shared}, which has the flag of another one` }];
}

/** All that is wrong with an event, by itself, on its ladder, and next to those that are there. */
export function eventFaults(
  body: NewEvent,
  ladder: LadderDefinition,
  others: readonly EventDefinition[],
): EventFault[] {
  const window = windowOf(body);
  const fits = window === null || fitsLadder(window, ladder);
  const isOwn = new Set(body.conditions.map(({ id }) => id)).size === body.conditions.length;
  return [
    ...bodyFaults(body),
    ...(fits ? [] : [{ path: "closes_at", problem: OUTSIDE, code: "invalid_window" as const }]),
    ...mapFaults(body.conditions, ladder),
    ...(isOwn ? flagFaults(body.id, body.conditions, others) : []),
  ];
}

const OUTSIDE = "must be after opens_at, and both within the window of the ladder";

/** Like paths in a file: `conditions[2].id`. */
export const faultText = ({ path, problem }: EventFault): string =>
  `The field '${path}' of the body ${problem}.`;

/** The event of a body without faults; it begins disabled. */
export function definitionOf(body: NewEvent): EventDefinition {
  const { id, name, description = "", timezone = "UTC", metadata = null } = body;
  const { opensAt, closesAt } = windowOf(body) ?? { opensAt: "", closesAt: "" };
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
