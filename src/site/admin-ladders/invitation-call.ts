import { parseWholeNumber } from "#site/admin/form-fields.ts";
import type { FormValues } from "#site/ui/form.tsx";

/** Returns the request for the submitted invitation form, or the field to correct. */
export function invitationCall(
  path: string,
  { account = "", count = "", labels = "" }: FormValues,
) {
  const lines = labels.split("\n").map((line) => line.trim());
  const names = lines.filter((line) => line !== "");
  const number = parseWholeNumber(count);
  if (number === null) return { field: "count", text: "Enter a whole number." };
  if (names.length > 0 && number !== 1 && number !== names.length)
    return {
      field: "labels",
      text: `Enter ${number} labels, one per line, or leave the field empty.`,
    };
  if (account !== "" && names.length > 1)
    return { field: "labels", text: "Enter at most one label for one account." };
  if (account !== "" && number !== 1)
    return { field: "count", text: "Only one invitation can be created for one account." };
  const method = "POST";
  if (names.length > 1)
    return { method, path: `${path}/invitations/batch`, body: { labels: names } } as const;
  if (number !== 1)
    return { method, path: `${path}/invitations/batch`, body: { count: number } } as const;
  const [label] = names;
  const body = { ...(account !== "" && { account }), ...(label !== undefined && { label }) };
  return { method, path: `${path}/invitations`, body } as const;
}
