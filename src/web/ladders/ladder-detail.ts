// Ladders as operators see them.

import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { AdminLadder, LadderDetail, Members } from "#core/resources/admin-ladder.ts";
import type { LadderId } from "#core/words/ids.ts";
import type { InvitationLine } from "#data/store/invitation.ts";
import type { MemberCount, MemberLine } from "#data/store/member.ts";
import { toLadder } from "#web/api/ladder.ts";
import { adminEvent } from "#web/events/event-view.ts";
import type { ApiDeps } from "#web/http/deps.ts";

/** Public first, the others by age. */
export async function adminLadders(deps: ApiDeps): Promise<AdminLadder[]> {
  const { store, ladders } = deps;
  const [stored, counts] = await Promise.all([store.ladders.list(), store.members.counts()]);
  const locked = new Set(stored.flatMap(({ id, passwordSet }) => (passwordSet ? id : [])));
  return ladders.all().map((ladder) => adminLadder(deps, ladder, locked.has(ladder.id), counts));
}

function adminLadder(
  { clock, events }: ApiDeps,
  ladder: LadderDefinition,
  passwordSet: boolean,
  counts: readonly MemberCount[],
): AdminLadder {
  const count = (state: MemberCount["state"]) =>
    counts.find((one) => one.ladderId === ladder.id && one.state === state)?.accounts ?? 0;
  return {
    ...toLadder(ladder, clock().toISOString(), events),
    house: [...ladder.house],
    max_concurrent: ladder.maxConcurrent,
    owner_concurrency: ladder.ownerConcurrency,
    password_set: passwordSet,
    members: { pending: count("pending"), active: count("active"), revoked: count("revoked") },
  };
}

/** Everything about one ladder, but for its secrets. */
export async function ladderDetail(deps: ApiDeps, ladder: LadderDefinition): Promise<LadderDetail> {
  const { store } = deps;
  const { id } = ladder;
  const { passwordSet = false } = (await store.ladders.byId(id)) ?? {};
  const counts = await store.members.counts();
  const shown = adminLadder(deps, ladder, passwordSet, counts);
  const events = await Promise.all(
    deps.events.onLadder(id).map((event) => adminEvent(deps, event)),
  );
  return { ladder: shown, password_set: passwordSet, events, ...(await membersOf(deps, id)) };
}

export async function membersOf({ store }: ApiDeps, id: LadderId): Promise<Members> {
  const [members, invitations] = await Promise.all([
    store.members.of(id),
    store.invitations.list(id),
  ]);
  return { members: members.map(toMember), invitations: invitations.map(toInvitation) };
}

const toMember = ({ accountId, handle, state, since, reason }: MemberLine) => ({
  account_id: accountId,
  handle,
  membership: state,
  since,
  reason,
});

const toInvitation = (row: InvitationLine) => ({
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
