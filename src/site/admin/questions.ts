// Questions that several actions ask, and how their answers become bodies.

import type { FormAnswers, FormQuestion } from "#site/look/form.tsx";

/** Where a route takes a reason. It goes to the audit, and to whom it is about. */
export const reasonQuestion = (
  most: number,
  isOptional = true,
  hint: string | null = null,
): FormQuestion => ({
  name: "reason",
  label: isOptional ? "Reason (may be left out)" : "Reason",
  isOptional,
  most,
  ...(hint !== null && { hint }),
});

/** Who reads a reason that stops a bot, or an account. */
export const BOT_REASON_READ =
  "If the bot belongs to an account, its holder reads this on their account page and gets a letter with it.";
export const PERSON_REASON_READ = "The person reads this, and gets a letter with it.";

/** The reason as a body; none where nothing was written. */
export const reasonIn = ({ reason = "" }: FormAnswers): { reason?: string } =>
  reason === "" ? {} : { reason };

/** The same as a query, for routes without a body. */
export const reasonQuery = ({ reason = "" }: FormAnswers): string =>
  reason === "" ? "" : `?${new URLSearchParams({ reason }).toString()}`;

const YES_OR_NO = [
  { value: "yes", words: "yes" },
  { value: "no", words: "no" },
];

export const yesQuestion = (name: string, label: string, given: boolean): FormQuestion => ({
  name,
  label,
  choices: YES_OR_NO,
  given: given ? "yes" : "no",
});

/** Words that are values too. */
export const choicesOf = (values: readonly string[]) =>
  values.map((value) => ({ value, words: value }));

/** Two instants; what a route takes as null may be left empty. */
export const windowQuestions = (
  { opens_at, closes_at }: { opens_at: string | null; closes_at: string | null },
  isOptional: boolean,
): FormQuestion[] => [
  {
    name: "opens_at",
    label: "Opens",
    kind: "instant",
    given: opens_at ?? "",
    isOptional,
    hint: zoneHint(),
  },
  { name: "closes_at", label: "Closes", kind: "instant", given: closes_at ?? "", isOptional },
];

const zoneHint = (): string =>
  `In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;

export const windowIn = ({ opens_at = "", closes_at = "" }: FormAnswers) => ({
  opens_at: opens_at === "" ? null : opens_at,
  closes_at: closes_at === "" ? null : closes_at,
});

/** Null for anything but a whole number. */
export const wholeIn = (text: string): number | null =>
  /^\d{1,9}$/.test(text) ? Number(text) : null;

export const listIn = (text: string | undefined): string[] =>
  text === undefined || text === "" ? [] : text.split(" ");

/** The fields that differ from what is there. */
export function changesOf<T extends object>(before: T, after: Partial<T>): Partial<T> {
  const kept: Partial<T> = { ...after };
  for (const name of Object.keys(after) as (keyof T)[])
    if (JSON.stringify(before[name]) === JSON.stringify(after[name])) delete kept[name];
  return kept;
}
