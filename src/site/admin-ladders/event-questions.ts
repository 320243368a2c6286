// What an operator is asked about an event, and the bodies that the answers make.

import { EVENT_KINDS, FLAG_MODES } from "#core/events/event.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { AdminLadder } from "#core/resources/admin-ladder.ts";
import type { AdminEvent, EventChange, NewEvent } from "#core/resources/event.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";
import { changesOf, choicesOf, windowQuestions } from "#site/admin/questions.ts";
import type { FormAnswers, FormQuestion } from "#site/look/form.tsx";

import { conditionQuestions, conditionsIn } from "./achievement-questions.ts";
import type { EventAchievement } from "./achievement-questions.ts";

type Metadata = NonNullable<AdminEvent["metadata"]>;

const ABOUT = ["purpose", "audience", "format", "preparation"] as const;
const NO_KIND = "none";

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

/** Only what differs. */
export function eventTextsIn(event: AdminEvent, answers: FormAnswers): EventChange {
  const { name = "", description = "", timezone = "", flag_mode } = answers;
  return changesOf<Required<Omit<EventChange, "conditions">>>(event, {
    name,
    description,
    timezone,
    flag_mode: flag_mode as AdminEvent["flag_mode"],
    metadata: metadataIn(answers),
  });
}

const SAMPLE: readonly EventAchievement[] = [
  {
    id: "first-games",
    name: "First games",
    description: "Ten rated games, whatever their end.",
    condition: { kind: "games", count: 10 },
  },
  ...HOUSE_KINDS.map((opponent): EventAchievement => ({
    id: `beat-${opponent}`,
    name: `Against ${opponent}`,
    description: `A win over ${opponent}.`,
    condition: { kind: "defeat", opponent, wins: 1 },
  })),
];

type Ladders = readonly Pick<AdminLadder, "id" | "name">[];

/** A new event starts with the ladder and the achievements of the latest one. */
export const newEventQuestions = (latest: AdminEvent | null, ladders: Ladders): FormQuestion[] => [
  {
    name: "id",
    label: "Id",
    hint: "A short word of small letters, digits and hyphens; it is part of addresses and stays.",
  },
  {
    name: "ladder_id",
    label: "Ladder",
    choices: ladders.map(({ id, name }) => ({ value: id, words: `${name} (${id})` })),
    given: latest?.ladder_id ?? DEFAULT_LADDER,
  },
  { name: "name", label: "Name" },
  ...windowQuestions({ opens_at: null, closes_at: null }, false),
  ...conditionQuestions(latest?.conditions ?? SAMPLE),
];

export function newEventIn(answers: FormAnswers) {
  const conditions = conditionsIn(answers);
  if (!Array.isArray(conditions)) return conditions;
  const { id = "", ladder_id = "", name = "", opens_at = "", closes_at = "" } = answers;
  const body: NewEvent = { id, ladder_id, name, opens_at, closes_at, conditions };
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
