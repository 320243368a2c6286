import type { ArenaState } from "./arena-state.ts";

type Reconcile = () => Promise<void>;

/** Schedules a reconciliation. It is retried every round until it succeeds. */
export function scheduleReconciliation(
  { pendingReconciliations }: ArenaState,
  reconcile: Reconcile,
): void {
  pendingReconciliations.add(reconcile);
}

/** Reconciliations run independently, so that a slow one doesn't delay the rest. */
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
