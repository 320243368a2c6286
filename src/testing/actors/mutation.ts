// Changes that players and operators make over HTTP. Each change is written to the store, then
// applied to the arena. Writes can fail and the server can die in between, so the store is
// authoritative.

import { SYSTEM_ACTOR } from "#core/ids/audit-kinds.ts";
import type { AuditKind } from "#core/ids/audit-kinds.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { StoreError } from "#data/store/errors.ts";
import { drawId } from "#testing/simulation/ids.ts";
import type { SimulatedServer } from "#testing/simulation/simulated-server.ts";
import { emitNotice } from "#testing/simulation/world.ts";
import type { World } from "#testing/simulation/world.ts";

export type Mutation = {
  /** Keys of the ladders, members and bots whose state is unknown while the change is pending. */
  about: readonly string[];
  /** Must be idempotent: does nothing if the change is already stored. */
  apply(server: SimulatedServer): Promise<void>;
};

const RETRY_DELAY_MS = 5000;

export const membershipKey = (ladderId: string, accountId: string): string =>
  `${ladderId} ${accountId}`;

/** Retries the change until it is known to be stored, then calls `done`. */
export function applyMutation(world: World, mutation: Mutation, done: () => void = () => {}): void {
  void applyOnce(world, mutation, done);
}

/**
 * A change with an unknown outcome stays pending until the outcome is known or the server restarts.
 */
async function applyOnce(world: World, mutation: Mutation, done: () => void): Promise<void> {
  const { server, timeline } = world;
  const mutationNumber = (world.mutationCount += 1);
  if (server !== null)
    emitNotice(world, { type: "changing", mutation: mutationNumber, about: mutation.about });
  if (server === null || !(await tryApply(server, mutation))) {
    timeline.after(RETRY_DELAY_MS, () => applyMutation(world, mutation, done));
    return;
  }
  emitNotice(world, { type: "settled", mutation: mutationNumber });
  done();
}

async function tryApply(server: SimulatedServer, mutation: Mutation): Promise<boolean> {
  try {
    const pendingResult = server.runExclusive(() => mutation.apply(server)).then(() => true);
    return await Promise.race([pendingResult, server.exited.then(() => false)]);
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}

export const createId = ({ timeline, ids }: World): string =>
  drawId(ids, timeline.wall().getTime());

export function createAuditEntry(
  world: World,
  kind: AuditKind,
  reason: string | null = null,
): AuditEntry {
  const at = world.timeline.wall().toISOString();
  return {
    id: createId(world),
    at,
    kind,
    actor: SYSTEM_ACTOR,
    subject: null,
    reason,
    detail: null,
  };
}

/** Schedules a callback at `at`, in µs since the start of the run. */
export function scheduleAt({ timeline }: World, at: number, callback: () => void): void {
  timeline.after(Math.max(0, at - timeline.now()) / 1000, callback);
}
