import type { FormValues, FormField } from "#site/ui/form.tsx";

/**
 * Returns the field for an action's reason. The audit log stores the reason, and the affected
 * person sees it.
 */
export const reasonField = (
  maxLength: number,
  isOptional = true,
  hint: string | null = null,
): FormField => ({
  name: "reason",
  label: isOptional ? "Reason (optional)" : "Reason",
  isOptional,
  maxLength,
  ...(hint !== null && { hint }),
});

export const BOT_REASON_HINT =
  "If the bot belongs to an account, its owner sees this on their account page and by email.";
export const ACCOUNT_REASON_HINT = "The account owner sees this by email.";

/** Returns a request body with the reason, or an empty body without a reason. */
export const reasonBody = ({ reason = "" }: FormValues): { reason?: string } =>
  reason === "" ? {} : { reason };

/** Returns the reason as a query string, for routes without a request body. */
export const reasonQuery = ({ reason = "" }: FormValues): string =>
  reason === "" ? "" : `?${new URLSearchParams({ reason }).toString()}`;

const YES_NO_OPTIONS = [
  { value: "yes", text: "yes" },
  { value: "no", text: "no" },
];

export const yesNoField = (name: string, label: string, isYes: boolean): FormField => ({
  name,
  label,
  options: YES_NO_OPTIONS,
  initialValue: isYes ? "yes" : "no",
});

export const optionsOf = (values: readonly string[]) =>
  values.map((value) => ({ value, text: value }));

/**
 * Returns fields for an opening and a closing time. Both are optional; an empty field is sent as
 * null.
 */
export const windowFields = (
  { opens_at, closes_at }: { opens_at: string | null; closes_at: string | null },
  isOptional: boolean,
): FormField[] => [
  {
    name: "opens_at",
    label: "Opens",
    kind: "instant",
    initialValue: opens_at ?? "",
    isOptional,
    hint: zoneHint(),
  },
  {
    name: "closes_at",
    label: "Closes",
    kind: "instant",
    initialValue: closes_at ?? "",
    isOptional,
  },
];

const zoneHint = (): string =>
  `In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;

export const windowBody = ({ opens_at = "", closes_at = "" }: FormValues) => ({
  opens_at: opens_at === "" ? null : opens_at,
  closes_at: closes_at === "" ? null : closes_at,
});

/** Parses a whole number of up to 9 digits. Returns null for other text. */
export const parseWholeNumber = (text: string): number | null =>
  /^\d{1,9}$/.test(text) ? Number(text) : null;

export const parseList = (text: string | undefined): string[] =>
  text === undefined || text === "" ? [] : text.split(" ");

/** Returns the fields whose values differ from the current values. */
export function changedFields<T extends object>(previous: T, next: Partial<T>): Partial<T> {
  const changes: Partial<T> = { ...next };
  for (const name of Object.keys(next) as (keyof T)[])
    if (JSON.stringify(previous[name]) === JSON.stringify(next[name])) delete changes[name];
  return changes;
}
