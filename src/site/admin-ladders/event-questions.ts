// What an operator is asked about an event, and the bodies that the answers make.

import { EVENT_KINDS, FLAG_MODES } from "#core/events/event.ts";
import type { AdminEvent, EventChange, NewEvent } from "#core/resources/event.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";
import { changesOf, choicesOf, windowQuestions } from "#site/admin/questions.ts";
import type { FormAnswers, FormQuestion, FormRefusal } from "#site/look/form.tsx";

type Metadata = NonNullable<AdminEvent["metadata"]>;
type Condition = AdminEvent["conditions"][number];

const ABOUT = ["purpose", "audience", "format", "preparation"] as const;
const NO_KIND = "none";

const conditionsQuestion = (conditions: readonly Condition[]): FormQuestion => ({
  name: "conditions",
  label: "The five achievements, as JSON",
  kind: "paragraphs",
  given: JSON.stringify(conditions, null, 2),
  hint: "Each has id, name, description and condition. They stay as they are once the event has opened.",
});

export const eventTextQuestions = (event: AdminEvent): FormQuestion[] => [
  { name: "name", label: "Name", given: event.name },
  {
    name: "description",
    label: "Description",
    kind: "paragraphs",
    given: event.description,
    isOptional: true,
  },
  {
    name: "timezone",
    label: "Time zone that people are shown",
    given: event.timezone,
    hint: "An IANA name, such as Europe/Berlin.",
  },
  { name: "flag_mode", label: "Flags", choices: choicesOf(FLAG_MODES), given: event.flag_mode },
  {
    name: "kind",
    label: "Kind of event",
    choices: choicesOf([NO_KIND, ...EVENT_KINDS]),
    given: event.metadata?.kind ?? NO_KIND,
    hint: "With none, what follows is left out.",
  },
  ...ABOUT.map((name) => ({
    name,
    label: ABOUT_WORDS[name],
    given: event.metadata?.[name] ?? "",
    isOptional: true,
  })),
  conditionsQuestion(event.conditions),
];

const ABOUT_WORDS: Record<(typeof ABOUT)[number], string> = {
  purpose: "What it is for",
  audience: "For whom",
  format: "How it goes",
  preparation: "What to prepare",
};

function metadataIn({ kind = NO_KIND, ...answers }: FormAnswers): Metadata | null {
  if (kind === NO_KIND) return null;
  const [purpose = "", audience = "", format = "", preparation = ""] = ABOUT.map(
    (name) => answers[name],
  );
  return { kind: kind as Metadata["kind"], purpose, audience, format, preparation };
}

/** Only what differs; or what is wrong with the JSON. */
export function eventTextsIn(event: AdminEvent, answers: FormAnswers): EventChange | FormRefusal {
  const conditions = conditionsIn(answers);
  if ("text" in conditions) return conditions;
  const { name = "", description = "", timezone = "", flag_mode } = answers;
  return changesOf<Required<EventChange>>(event, {
    name,
    description,
    timezone,
    flag_mode: flag_mode as AdminEvent["flag_mode"],
    metadata: metadataIn(answers),
    conditions: conditions.list,
  });
}

function conditionsIn({ conditions = "" }: FormAnswers): { list: Condition[] } | FormRefusal {
  try {
    return { list: JSON.parse(conditions) as Condition[] };
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    return { field: "conditions", text: `That is no JSON. ${why}` };
  }
}

const SAMPLE: readonly Condition[] = [
  {
    id: "first-games",
    name: "First games",
    description: "Ten rated games, whatever their end.",
    condition: { kind: "games", count: 10 },
  },
  ...HOUSE_KINDS.map((opponent): Condition => ({
    id: `beat-${opponent}`,
    name: `Against ${opponent}`,
    description: `A win over ${opponent}.`,
    condition: { kind: "defeat", opponent, wins: 1 },
  })),
];

/** The achievements of the latest event are a beginning for the next one. */
export const newEventQuestions = (latest: AdminEvent | null): FormQuestion[] => [
  {
    name: "id",
    label: "Id",
    hint: "A short word of small letters, digits and hyphens; it is part of addresses and stays.",
  },
  { name: "ladder_id", label: "Id of its ladder", given: latest?.ladder_id ?? "public" },
  { name: "name", label: "Name" },
  ...windowQuestions({ opens_at: null, closes_at: null }, false),
  conditionsQuestion(latest?.conditions ?? SAMPLE),
];

export function newEventIn(answers: FormAnswers) {
  const conditions = conditionsIn(answers);
  if ("text" in conditions) return conditions;
  const { id = "", ladder_id = "", name = "", opens_at = "", closes_at = "" } = answers;
  const body: NewEvent = { id, ladder_id, name, opens_at, closes_at, conditions: conditions.list };
  return { method: "POST", path: "/api/admin/events", body } as const;
}

export const submissionQuestions = (event: AdminEvent): FormQuestion[] => [
  {
    name: "submission_url",
    label: "Address",
    given: event.submission_url ?? "",
    isOptional: true,
    hint: "It begins with https://.",
  },
  {
    name: "submission_instructions",
    label: "What to do there",
    kind: "paragraphs",
    given: event.submission_instructions,
    isOptional: true,
  },
];

export const submissionIn = ({ submission_url = "", ...rest }: FormAnswers) => ({
  submission_url: submission_url === "" ? null : submission_url,
  submission_instructions: rest["submission_instructions"] ?? "",
});

export function opponentQuestions({ approved_versions }: AdminEvent): FormQuestion[] {
  const approved = approved_versions as Readonly<Record<string, string | undefined>>;
  return HOUSE_KINDS.map((kind) => ({
    name: kind,
    label: kind,
    given: approved[kind] ?? "",
    isOptional: true,
  }));
}

export const opponentsIn = (answers: FormAnswers) => ({
  approved: Object.fromEntries(
    HOUSE_KINDS.flatMap((kind): [string, string][] => {
      const label = answers[kind] ?? "";
      return label === "" ? [] : [[kind, label]];
    }),
  ),
});
