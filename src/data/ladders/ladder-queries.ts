// Which query answers which method about ladders, their members and invitations.

import { noted } from "#data/accounts/account-queries.ts";
import { addAudit } from "#data/queries/audit.ts";
import type { Backend } from "#data/queries/backend.ts";
import { finalStandings } from "#data/queries/season.ts";
import type { OpenTransaction } from "#data/queries/tables.ts";
import type { Write } from "#data/queries/writer.ts";
import type { MemberStep } from "#data/store/member.ts";
import type { Nouns } from "#data/store/store.ts";

import { addInvitation, invitationsOf, revokeInvitation, useInvitation } from "./invitations.ts";
import {
  addLadder,
  changeLadder,
  deleteLadder,
  finishLadder,
  ladderById,
  listLadders,
  noteArchive,
  passwordHashOf,
} from "./ladders.ts";
import {
  activeMembers,
  approve,
  enroll,
  hasBoth,
  memberCounts,
  membershipsOf,
  membersOf,
  revoke,
  withdraw,
} from "./members.ts";

export function ladderQueries(backend: Backend, write: Write): Nouns["ladders"] {
  const { database } = backend;
  /** Runs one change of a ladder at a time. */
  const inTurn = <T>(id: string, job: (open: OpenTransaction) => Promise<T>) =>
    write(async (open) => {
      await backend.lock(open, `ladder ${id}`);
      return job(open);
    });
  return {
    list: () => listLadders(database),
    byId: (id) => ladderById(database, id),
    passwordHash: (id) => passwordHashOf(database, id),
    add: (ladder, passwordHash, audit) =>
      inTurn(ladder.id, async (open) => {
        const isAdded = await addLadder(open, ladder, passwordHash, audit.at);
        return noted(open, isAdded, isAdded, audit);
      }),
    change: (id, change, audit) =>
      inTurn(id, async (open) => {
        const ladder = await changeLadder(open, id, change);
        return noted(open, ladder, ladder !== null, audit);
      }),
    delete: (id, audit) =>
      inTurn(id, async (open) => {
        const outcome = await deleteLadder(open, id);
        return noted(open, outcome, outcome === "deleted", audit);
      }),
    finish: (id, finishedAt, places) =>
      inTurn(id, (open) => finishLadder(open, id, finishedAt, places)),
    standings: (ladderId) => finalStandings(database, { ladderId, season: null }),
    noteArchive: (id, archive) => write((open) => noteArchive(open, id, archive)),
  };
}

/** Steps of one account on one ladder are made in turn. */
const lockOf = ({ ladderId, accountId }: Pick<MemberStep, "ladderId" | "accountId">) =>
  `member ${ladderId} ${accountId}`;

export function memberQueries(backend: Backend, write: Write): Nouns["members"] {
  const { database } = backend;
  return {
    active: () => activeMembers(database),
    of: (ladderId) => membersOf(database, ladderId),
    counts: () => memberCounts(database),
    ofAccount: (accountId) => membershipsOf(database, accountId),
    enroll: (step, to, audit) =>
      write(async (open) => {
        await backend.lock(open, lockOf(step));
        const outcome = await enroll(open, step, to);
        return noted(open, outcome, outcome?.isChanged === true, audit);
      }),
    withdraw: (step, audit) =>
      write(async (open) => {
        await backend.lock(open, lockOf(step));
        const outcome = await withdraw(open, step);
        return noted(open, outcome, outcome?.isChanged === true, audit);
      }),
    approve: (step, audit) =>
      write(async (open) => {
        await backend.lock(open, lockOf(step));
        const outcome = await approve(open, step);
        const isChanged = typeof outcome === "object" && outcome?.isChanged === true;
        return noted(open, outcome, isChanged, audit);
      }),
    revoke: (step, audit) =>
      write(async (open) => {
        await backend.lock(open, lockOf(step));
        const outcome = await revoke(open, step, audit.reason);
        return noted(open, outcome, outcome?.isChanged === true, audit);
      }),
  };
}

export function invitationQueries(backend: Backend, write: Write): Nouns["invitations"] {
  const { database } = backend;
  return {
    add: (invitations) =>
      write(async (open) => {
        for (const { invitation } of invitations)
          if (!(await hasBoth(open, invitation))) return false;
        for (const { invitation, hash, audit } of invitations) {
          await addInvitation(open, invitation, hash);
          await addAudit(open, [audit]);
        }
        return true;
      }),
    list: (ladderId) => invitationsOf(database, ladderId),
    use: (hash, step, { used, enrolled }) =>
      write(async (open) => {
        await backend.lock(open, `invitations ${step.ladderId}`);
        await backend.lock(open, lockOf(step));
        const { outcome, id } = await useInvitation(open, hash, step);
        const subject = { kind: "invitation", id, name: step.ladderId } as const;
        if (id !== null) await addAudit(open, [{ ...used, subject }, enrolled]);
        return outcome;
      }),
    revoke: (ladderId, id, at, audit) =>
      write(async (open) => {
        await backend.lock(open, `invitations ${ladderId}`);
        const outcome = await revokeInvitation(open, ladderId, id, at);
        const isChanged = typeof outcome === "object" && outcome?.isChanged === true;
        return noted(open, outcome, isChanged, audit);
      }),
  };
}
