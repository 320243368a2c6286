// What people and operators do over HTTP: first the store, then what is live. It may fail, and the
// server may die in between, after which what the store holds is true.

import { SYSTEM } from "#core/words/audit.ts";
import type { AuditKind } from "#core/words/audit.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { StoreError } from "#data/store/errors.ts";
import { drawId } from "#testing/simulation/ids.ts";
import type { Life } from "#testing/simulation/server-life.ts";
import { notice } from "#testing/simulation/world.ts";
import type { World } from "#testing/simulation/world.ts";

export type Undertaking = {
  /** What may be either way while it is not known to be done: ladders, members, bots. */
  about: readonly string[];
  /** Does nothing more when it is done already. */
  act(life: Life): Promise<void>;
};

/** People try again after this long. */
const AGAIN_MS = 5000;

/** How a membership is named among what a deed is about. */
export const memberKey = (ladderId: string, accountId: string): string =>
  `${ladderId} ${accountId}`;

/** Does it, again and again until it is known to be done; then calls `done`. */
export function perform(world: World, deed: Undertaking, done: () => void = () => {}): void {
  void performOnce(world, deed, done);
}

/** What is not known to be done stays open until it is, or until the server starts again. */
async function performOnce(world: World, deed: Undertaking, done: () => void): Promise<void> {
  const { life, timeline } = world;
  const number = (world.deeds += 1);
  if (life !== null) notice(world, { type: "changing", deed: number, about: deed.about });
  if (life === null || !(await attempt(life, deed))) {
    timeline.after(AGAIN_MS, () => perform(world, deed, done));
    return;
  }
  notice(world, { type: "settled", deed: number });
  done();
}

async function attempt(life: Life, deed: Undertaking): Promise<boolean> {
  try {
    const doing = life.inTurn(() => deed.act(life)).then(() => true);
    return await Promise.race([doing, life.gone.then(() => false)]);
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}

/** An id made at this moment. */
export const idNow = ({ timeline, ids }: World): string => drawId(ids, timeline.wall().getTime());

export function entryNow(world: World, kind: AuditKind, reason: string | null = null): AuditEntry {
  const at = world.timeline.wall().toISOString();
  return { id: idNow(world), at, kind, actor: SYSTEM, subject: null, reason, detail: null };
}

/** Calls at a moment of the run, in µs. */
export function planAt({ timeline }: World, at: number, call: () => void): void {
  timeline.after(Math.max(0, at - timeline.now()) / 1000, call);
}
