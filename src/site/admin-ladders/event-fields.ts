import type { AdminLadder } from "#core/api/admin-ladder.ts";
import type { AdminEvent, EventChange, NewEvent } from "#core/api/event.ts";
import { EVENT_KINDS, FLAG_MODES } from "#core/events/event.ts";
import { HOUSE_KINDS } from "#core/ids/house-bots.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { changedFields, optionsOf, windowFields } from "#site/admin/form-fields.ts";
import type { FormValues, FormField } from "#site/ui/form.tsx";

import { achievementFields, parseAchievements } from "./achievement-fields.ts";
import type { EventAchievement } from "./achievement-fields.ts";

type Metadata = NonNullable<AdminEvent["metadata"]>;

const METADATA_FIELDS = ["purpose", "audience", "format", "preparation"] as const;
const NO_EVENT_KIND = "none";

export const eventTextFields = (event: AdminEvent): FormField[] => [
  { name: "name", label: "Name", initialValue: event.name },
  {
    name: "description",
    label: "Description",
    kind: "paragraphs",
    initialValue: event.description,
    isOptional: true,
  },
  {
    name: "timezone",
    label: "Time zone",
    initialValue: event.timezone,
    hint: "An IANA name such as Europe/Berlin.",
  },
  {
    name: "flag_mode",
    label: "Flags",
    options: optionsOf(FLAG_MODES),
    initialValue: event.flag_mode,
  },
  {
    name: "kind",
    label: "Type of event",
    options: optionsOf([NO_EVENT_KIND, ...EVENT_KINDS]),
    initialValue: event.metadata?.kind ?? NO_EVENT_KIND,
    hint: "Leave empty to omit the following fields.",
  },
  ...METADATA_FIELDS.map((name) => ({
    name,
    label: METADATA_LABELS[name],
    initialValue: event.metadata?.[name] ?? "",
    isOptional: true,
  })),
];

const METADATA_LABELS: Record<(typeof METADATA_FIELDS)[number], string> = {
  purpose: "Purpose",
  audience: "Audience",
  format: "Format",
  preparation: "Preparation",
};

function parseMetadata({ kind = NO_EVENT_KIND, ...values }: FormValues): Metadata | null {
  if (kind === NO_EVENT_KIND) return null;
  const [purpose = "", audience = "", format = "", preparation = ""] = METADATA_FIELDS.map(
    (name) => values[name],
  );
  return { kind: kind as Metadata["kind"], purpose, audience, format, preparation };
}

/** Returns only the values that differ from the event. */
export function eventTextChanges(event: AdminEvent, values: FormValues): EventChange {
  const { name = "", description = "", timezone = "", flag_mode } = values;
  return changedFields<Required<Omit<EventChange, "conditions">>>(event, {
    name,
    description,
    timezone,
    flag_mode: flag_mode as AdminEvent["flag_mode"],
    metadata: parseMetadata(values),
  });
}

const SAMPLE_ACHIEVEMENTS: readonly EventAchievement[] = [
  {
    id: "first-games",
    name: "First games",
    description: "Play ten rated games, win or lose.",
    condition: { kind: "games", count: 10 },
  },
  ...HOUSE_KINDS.map((opponent): EventAchievement => ({
    id: `beat-${opponent}`,
    name: `Against ${opponent}`,
    description: `Beat ${opponent}.`,
    condition: { kind: "defeat", opponent, wins: 1 },
  })),
];

type LadderOptions = readonly Pick<AdminLadder, "id" | "name">[];

/** Prefills the ladder and achievements from the latest event. */
export const newEventFields = (
  latestEvent: AdminEvent | null,
  ladders: LadderOptions,
): FormField[] => [
  {
    name: "id",
    label: "Id",
    hint: "Lowercase letters, digits and hyphens. It's part of URLs and can't be changed.",
  },
  {
    name: "ladder_id",
    label: "Ladder",
    options: ladders.map(({ id, name }) => ({ value: id, text: `${name} (${id})` })),
    initialValue: latestEvent?.ladder_id ?? DEFAULT_LADDER,
  },
  { name: "name", label: "Name" },
  ...windowFields({ opens_at: null, closes_at: null }, false),
  ...achievementFields(latestEvent?.conditions ?? SAMPLE_ACHIEVEMENTS),
];

export function newEventRequest(values: FormValues) {
  const conditions = parseAchievements(values);
  if (!Array.isArray(conditions)) return conditions;
  const { id = "", ladder_id = "", name = "", opens_at = "", closes_at = "" } = values;
  const body: NewEvent = { id, ladder_id, name, opens_at, closes_at, conditions };
  return { method: "POST", path: "/api/admin/events", body } as const;
}

export const submissionFields = (event: AdminEvent): FormField[] => [
  {
    name: "submission_url",
    label: "URL",
    initialValue: event.submission_url ?? "",
    isOptional: true,
    hint: "Must start with https://.",
  },
  {
    name: "submission_instructions",
    label: "Instructions",
    kind: "paragraphs",
    initialValue: event.submission_instructions,
    isOptional: true,
  },
];

export const submissionBody = ({ submission_url = "", ...otherValues }: FormValues) => ({
  submission_url: submission_url === "" ? null : submission_url,
  submission_instructions: otherValues["submission_instructions"] ?? "",
});

export function opponentFields({ approved_versions }: AdminEvent): FormField[] {
  const approvedVersions = approved_versions as Readonly<Record<string, string | undefined>>;
  return HOUSE_KINDS.map((kind) => ({
    name: kind,
    label: kind,
    initialValue: approvedVersions[kind] ?? "",
    isOptional: true,
  }));
}

export const opponentsBody = (values: FormValues) => ({
  approved: Object.fromEntries(
    HOUSE_KINDS.flatMap((kind): [string, string][] => {
      const label = values[kind] ?? "";
      return label === "" ? [] : [[kind, label]];
    }),
  ),
});
