// Reconciles live state with the store after writes with an unknown outcome.

import type { ArenaState } from "./arena-state.ts";

/** Updates live state from the store. */
type Reconcile = () => Promise<void>;

/** Schedules a reconciliation, repeated every round until it succeeds. */
export function scheduleReconciliation(
  { pendingReconciliations }: ArenaState,
  reconcile: Reconcile,
): void {
  pendingReconciliations.add(reconcile);
}

/** Reconciliations run independently, so a slow one delays no other. */
export async function runReconciliations({
  deps,
  pendingReconciliations,
}: ArenaState): Promise<void> {
  const reconciliations = [...pendingReconciliations];
  pendingReconciliations.clear();
  const runOne = async (reconcile: Reconcile) => {
    try {
      await reconcile();
    } catch (error) {
      deps.log.warn({ error }, "could not reconcile a write; retrying");
      pendingReconciliations.add(reconcile);
    }
  };
  await Promise.all(reconciliations.map(runOne));
}
