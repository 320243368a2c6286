import type { ColumnTypes, Migration } from "#data/queries/database-backend.ts";

/** Schema changes of the release after 0.54.0. */
export const RELEASE_55: Migration = {
  number: 37,
  name: "release 0.55.0",
  statements: (types) => [...invitationLabels(types)],
};

/** Team or person that an invitation is for, as entered by the operator. */
const invitationLabels = ({ text }: ColumnTypes): string[] => [
  `alter table invitations add column label ${text}`,
];
