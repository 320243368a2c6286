import { withAudit } from "#data/accounts/account-queries.ts";
import { addAudit } from "#data/queries/audit.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import type { Write } from "#data/queries/group-writer.ts";
import { readFinalStandings } from "#data/queries/season.ts";
import type { OpenTransaction } from "#data/queries/tables.ts";
import type { MembershipChange } from "#data/store/member.ts";
import type { Repositories } from "#data/store/store.ts";

import {
  addInvitation,
  listInvitations,
  revokeInvitation,
  redeemInvitation,
} from "./invitations.ts";
import {
  addLadder,
  updateLadder,
  deleteLadder,
  finishLadder,
  ladderById,
  listLadders,
  setArchive,
  passwordHashOf,
} from "./ladders.ts";
import {
  activeMembers,
  approveMember,
  enrollMember,
  ladderAndAccountExist,
  memberCounts,
  listMemberships,
  listMembers,
  revokeMember,
  withdrawMember,
} from "./members.ts";

export function ladderQueries(backend: Backend, write: Write): Repositories["ladders"] {
  const { database } = backend;
  const runExclusively = <T>(id: string, work: (tx: OpenTransaction) => Promise<T>) =>
    write(async (tx) => {
      await backend.lock(tx, `ladder ${id}`);
      return work(tx);
    });
  return {
    list: () => listLadders(database),
    byId: (id) => ladderById(database, id),
    passwordHash: (id) => passwordHashOf(database, id),
    add: (ladder, passwordHash, audit) =>
      runExclusively(ladder.id, async (tx) => {
        const isAdded = await addLadder(tx, ladder, passwordHash, audit.at);
        return withAudit(tx, isAdded, isAdded, audit);
      }),
    change: (id, changes, audit) =>
      runExclusively(id, async (tx) => {
        const ladder = await updateLadder(tx, id, changes);
        return withAudit(tx, ladder, ladder !== null, audit);
      }),
    delete: (id, audit) =>
      runExclusively(id, async (tx) => {
        const outcome = await deleteLadder(tx, id);
        return withAudit(tx, outcome, outcome === "deleted", audit);
      }),
    finish: (id, finishedAt, places) =>
      runExclusively(id, (tx) => finishLadder(tx, id, finishedAt, places)),
    standings: (ladderId) => readFinalStandings(database, { ladderId, season: null }),
    setArchive: (id, archive) => write((tx) => setArchive(tx, id, archive)),
  };
}

const memberLock = ({ ladderId, accountId }: Pick<MembershipChange, "ladderId" | "accountId">) =>
  `member ${ladderId} ${accountId}`;

export function memberQueries(backend: Backend, write: Write): Repositories["members"] {
  const { database } = backend;
  return {
    active: () => activeMembers(database),
    list: (ladderId) => listMembers(database, ladderId),
    counts: () => memberCounts(database),
    listByAccount: (accountId) => listMemberships(database, accountId),
    enroll: (change, targetState, audit) =>
      write(async (tx) => {
        await backend.lock(tx, memberLock(change));
        const outcome = await enrollMember(tx, change, targetState);
        return withAudit(tx, outcome, outcome?.isChanged === true, audit);
      }),
    withdraw: (change, audit) =>
      write(async (tx) => {
        await backend.lock(tx, memberLock(change));
        const outcome = await withdrawMember(tx, change);
        return withAudit(tx, outcome, outcome?.isChanged === true, audit);
      }),
    approve: (change, audit) =>
      write(async (tx) => {
        await backend.lock(tx, memberLock(change));
        const outcome = await approveMember(tx, change);
        const isChanged = typeof outcome === "object" && outcome?.isChanged === true;
        return withAudit(tx, outcome, isChanged, audit);
      }),
    revoke: (change, audit) =>
      write(async (tx) => {
        await backend.lock(tx, memberLock(change));
        const outcome = await revokeMember(tx, change, audit.reason);
        return withAudit(tx, outcome, outcome?.isChanged === true, audit);
      }),
  };
}

export function invitationQueries(backend: Backend, write: Write): Repositories["invitations"] {
  const { database } = backend;
  return {
    add: (invitations) =>
      write(async (tx) => {
        for (const { invitation } of invitations)
          if (!(await ladderAndAccountExist(tx, invitation))) return false;
        for (const { invitation, hash, audit } of invitations) {
          await addInvitation(tx, invitation, hash);
          await addAudit(tx, [audit]);
        }
        return true;
      }),
    list: (ladderId) => listInvitations(database, ladderId),
    redeem: (hash, change, { usedEntry, enrolledEntry }) =>
      write(async (tx) => {
        await backend.lock(tx, `invitations ${change.ladderId}`);
        await backend.lock(tx, memberLock(change));
        const { outcome, id } = await redeemInvitation(tx, hash, change);
        const subject = { kind: "invitation", id, name: change.ladderId } as const;
        if (id !== null) await addAudit(tx, [{ ...usedEntry, subject }, enrolledEntry]);
        return outcome;
      }),
    revoke: (ladderId, id, at, audit) =>
      write(async (tx) => {
        await backend.lock(tx, `invitations ${ladderId}`);
        const outcome = await revokeInvitation(tx, ladderId, id, at);
        const isChanged = typeof outcome === "object" && outcome?.isChanged === true;
        return withAudit(tx, outcome, isChanged, audit);
      }),
  };
}
