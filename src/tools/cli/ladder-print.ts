// Answers to an operator about ladders, for people.

import type { Static } from "typebox";

import type {
  AdminLadder,
  LadderDetail,
  Members,
  NewInvitationSchema,
} from "#core/resources/admin-ladder.ts";

import { line, NOTHING, section, table, when } from "./admin-print.ts";

const windowWords = ({ opens_at, closes_at }: AdminLadder): string =>
  `${when(opens_at)} to ${when(closes_at)}`;

const stateWords = ({ enabled, visible, phase }: AdminLadder): string =>
  [phase, ...(enabled ? [] : ["disabled"]), ...(visible ? [] : ["hidden"])].join(", ");

export function printLadders(ladders: readonly AdminLadder[]): string[] {
  const rows = ladders.map((ladder) => [
    ladder.id,
    ladder.access,
    stateWords(ladder),
    windowWords(ladder),
    String(ladder.members.active),
    ladder.name,
  ]);
  return table(["LADDER", "ACCESS", "STATE", "WINDOW (UTC)", "MEMBERS", "NAME"], rows);
}

export function printLadder(detail: LadderDetail): string[] {
  const { ladder, events } = detail;
  const bound = (most: number | null) => (most === null ? "as the server" : String(most));
  return [
    line("ladder", ladder.id),
    line("name", ladder.name),
    line("access", ladder.access + (ladder.password_set ? ", password set" : "")),
    line("state", stateWords(ladder)),
    line("window", `${windowWords(ladder)} UTC`),
    line("maps", ladder.maps.join(", ")),
    line("house", ladder.house.join(", ") || NOTHING),
    line("at once", `${bound(ladder.max_concurrent)}; ${bound(ladder.owner_concurrency)} an owner`),
    line("events", events.map(({ id }) => id).join(", ") || NOTHING),
    ...membersLines(detail),
  ];
}

export function printMembers(members: Members): string[] {
  const [first, ...lines] = membersLines(members);
  return first === undefined ? ["Nobody is a member or invited."] : lines;
}

function membersLines({ members, invitations }: Members): string[] {
  const people = members.map(({ account_id, handle, membership, since, reason }) => {
    return [handle ?? account_id, membership, when(since), reason ?? NOTHING];
  });
  const codes = invitations.map((one) => [
    one.id,
    one.label ?? NOTHING,
    one.account === null ? "anybody" : (one.account.handle ?? one.account.id),
    when(one.expires_at),
    one.used_at !== null
      ? `used by ${one.used_by ?? NOTHING}`
      : one.revoked_at === null
        ? "open"
        : "taken back",
  ]);
  return [
    ...section(table(["ACCOUNT", "MEMBERSHIP", "SINCE (UTC)", "REASON"], people)),
    ...section(table(["INVITATION", "LABEL", "FOR", "UNTIL (UTC)", "STATE"], codes)),
  ];
}

type NewInvitation = Static<typeof NewInvitationSchema>;

/** Several are one link per line, with a space and its label after it. */
export function printInvitation(made: NewInvitation | NewInvitation[]): string[] {
  if (Array.isArray(made)) return made.map(({ url, label }) => (label ? `${url} ${label}` : url));
  const until = when(made.expires_at);
  return [`Invitation ${made.id}, until ${until} UTC, shown this once:`, made.code, made.url];
}
