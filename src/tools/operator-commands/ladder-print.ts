import type { Static } from "typebox";

import type {
  AdminLadder,
  LadderDetail,
  Members,
  NewInvitationSchema,
} from "#core/api/admin-ladder.ts";

import {
  formatField,
  EMPTY_CELL,
  formatSection,
  formatTextTable,
  formatInstant,
} from "./admin-print.ts";

const formatWindow = ({ opens_at, closes_at }: AdminLadder): string =>
  `${formatInstant(opens_at)} to ${formatInstant(closes_at)}`;

const describeState = ({ enabled, visible, phase }: AdminLadder): string =>
  [phase, ...(enabled ? [] : ["disabled"]), ...(visible ? [] : ["hidden"])].join(", ");

export function printLadders(ladders: readonly AdminLadder[]): string[] {
  const rows = ladders.map((ladder) => [
    ladder.id,
    ladder.access,
    describeState(ladder),
    formatWindow(ladder),
    String(ladder.members.active),
    ladder.name,
  ]);
  return formatTextTable(["LADDER", "ACCESS", "STATE", "WINDOW (UTC)", "MEMBERS", "NAME"], rows);
}

export function printLadder(detail: LadderDetail): string[] {
  const { ladder, events } = detail;
  const formatBound = (maximum: number | null) =>
    maximum === null ? "server limit" : String(maximum);
  return [
    formatField("ladder", ladder.id),
    formatField("name", ladder.name),
    formatField("access", ladder.access + (ladder.password_set ? ", password set" : "")),
    formatField("state", describeState(ladder)),
    formatField("window", `${formatWindow(ladder)} UTC`),
    formatField("maps", ladder.maps.join(", ")),
    formatField("house", ladder.house.join(", ") || EMPTY_CELL),
    formatField(
      "concurrent",
      `${formatBound(ladder.max_concurrent)}; ${formatBound(ladder.owner_concurrency)} per owner`,
    ),
    formatField("events", events.map(({ id }) => id).join(", ") || EMPTY_CELL),
    ...membersLines(detail),
  ];
}

export function printMembers(members: Members): string[] {
  const [first, ...remainingLines] = membersLines(members);
  return first === undefined ? ["No members or invitations yet."] : remainingLines;
}

function membersLines({ members, invitations }: Members): string[] {
  const memberRows = members.map(({ account_id, handle, membership, since, reason }) => {
    return [handle ?? account_id, membership, formatInstant(since), reason ?? EMPTY_CELL];
  });
  const invitationRows = invitations.map((invitation) => [
    invitation.id,
    invitation.label ?? EMPTY_CELL,
    invitation.account === null ? "anybody" : (invitation.account.handle ?? invitation.account.id),
    formatInstant(invitation.expires_at),
    invitation.used_at !== null
      ? `used by ${invitation.used_by ?? EMPTY_CELL}`
      : invitation.revoked_at === null
        ? "open"
        : "revoked",
  ]);
  return [
    ...formatSection(
      formatTextTable(["ACCOUNT", "MEMBERSHIP", "SINCE (UTC)", "REASON"], memberRows),
    ),
    ...formatSection(
      formatTextTable(["INVITATION", "LABEL", "FOR", "UNTIL (UTC)", "STATE"], invitationRows),
    ),
  ];
}

type NewInvitation = Static<typeof NewInvitationSchema>;

/** Prints several invitations one per line: the link, a space, and the label. */
export function printInvitation(newInvitation: NewInvitation | NewInvitation[]): string[] {
  if (Array.isArray(newInvitation))
    return newInvitation.map(({ url, label }) => (label ? `${url} ${label}` : url));
  const expiry = formatInstant(newInvitation.expires_at);
  return [
    `Invitation ${newInvitation.id}, valid until ${expiry} UTC, shown only once:`,
    newInvitation.code,
    newInvitation.url,
  ];
}
