import type { AdminLadder, LadderDetail, Members } from "#core/api/admin-ladder.ts";
import type { LadderId } from "#core/ids/ids.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { InvitationListItem } from "#data/store/invitation.ts";
import type { MembershipCount, MemberListItem } from "#data/store/member.ts";
import { toLadder } from "#web/api/ladder.ts";
import { adminEvent } from "#web/events/event-view.ts";
import type { ApiDeps } from "#web/http/deps.ts";

/** Returns public first, then all other ladders, oldest first. */
export async function adminLadders(deps: ApiDeps): Promise<AdminLadder[]> {
  const { store, ladders } = deps;
  const [records, counts] = await Promise.all([store.ladders.list(), store.members.counts()]);
  const lockedIds = new Set(records.flatMap(({ id, passwordSet }) => (passwordSet ? id : [])));
  return ladders
    .list()
    .map((ladder) => adminLadder(deps, ladder, lockedIds.has(ladder.id), counts));
}

function adminLadder(
  { clock, events }: ApiDeps,
  ladder: LadderDefinition,
  passwordSet: boolean,
  counts: readonly MembershipCount[],
): AdminLadder {
  const count = (state: MembershipCount["state"]) =>
    counts.find((item) => item.ladderId === ladder.id && item.state === state)?.accounts ?? 0;
  return {
    ...toLadder(ladder, clock().toISOString(), events),
    house: [...ladder.house],
    max_concurrent: ladder.maxConcurrent,
    owner_concurrency: ladder.ownerConcurrency,
    password_set: passwordSet,
    members: { pending: count("pending"), active: count("active"), revoked: count("revoked") },
  };
}

export async function ladderDetail(deps: ApiDeps, ladder: LadderDefinition): Promise<LadderDetail> {
  const { store } = deps;
  const { id } = ladder;
  const { passwordSet = false } = (await store.ladders.byId(id)) ?? {};
  const counts = await store.members.counts();
  const ladderView = adminLadder(deps, ladder, passwordSet, counts);
  const events = await Promise.all(
    deps.events.onLadder(id).map((event) => adminEvent(deps, event)),
  );
  return {
    ladder: ladderView,
    password_set: passwordSet,
    events,
    ...(await ladderMembers(deps, id)),
  };
}

export async function ladderMembers({ store }: ApiDeps, id: LadderId): Promise<Members> {
  const [members, invitations] = await Promise.all([
    store.members.list(id),
    store.invitations.list(id),
  ]);
  return { members: members.map(toMember), invitations: invitations.map(toInvitation) };
}

const toMember = ({ accountId, handle, state, since, reason }: MemberListItem) => ({
  account_id: accountId,
  handle,
  membership: state,
  since,
  reason,
});

const toInvitation = (row: InvitationListItem) => ({
  id: row.id,
  account: row.accountId === null ? null : { id: row.accountId, handle: row.handle },
  created: row.created,
  created_by: row.createdByHandle,
  expires_at: row.expiresAt,
  used_at: row.usedAt,
  used_by: row.usedByHandle,
  revoked_at: row.revokedAt,
  label: row.label,
});
