import { useState } from "preact/hooks";

import type { Reconciliation } from "#core/api/event.ts";
import { ActionForm, ActionBar } from "#site/admin/action-form.tsx";
import { AdminTable } from "#site/admin/admin-table.tsx";
import type { TableColumn } from "#site/admin/admin-table.tsx";

import type { EventPanelProps } from "./event-panel-props.ts";

type MissingAward = Reconciliation["missing_awards"][number];

const COLUMNS = [
  { title: "Account", accessor: ({ handle, account_id }: MissingAward) => handle ?? account_id },
  { title: "Achievement", accessor: (award: MissingAward) => award.achievement_id },
  { title: "Earned", accessor: (award: MissingAward) => award.earned_at, kind: "instant" },
  { title: "Matches", accessor: ({ evidence }: MissingAward) => evidence.length, kind: "number" },
] as const satisfies readonly TableColumn<MissingAward>[];

/** Recomputes awards from the stored matches and grants the missing awards. */
export function ReconcileAwards({ auth, event, path, reload }: EventPanelProps) {
  const [reconciliation, setReconciliation] = useState<Reconciliation | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isReconciling, setReconciling] = useState(false);
  const reconcile = async () => {
    setReconciling(true);
    const response = await auth.sendRequest<Reconciliation>("POST", `${path}/reconcile`, {
      apply: false,
    });
    setReconciling(false);
    const isRefused = "refusal" in response;
    setError(isRefused ? response.refusal.text : null);
    if (!isRefused) setReconciliation(response.value);
  };
  return (
    <>
      <p class="sub">
        Compares awards with the achievements earned in stored matches. Revoked awards stay revoked.
      </p>
      <ActionBar>
        <button
          type="button"
          class="button quiet"
          aria-disabled={isReconciling}
          onClick={() => !isReconciling && void reconcile()}
        >
          {isReconciling ? "Comparing…" : "Compare"}
        </button>
        {reconciliation !== null && reconciliation.missing_awards.length > 0 && (
          <ActionForm
            auth={auth}
            label="Grant missing awards"
            title={`Grant missing awards in ${event.name}`}
            confirmLabel="Grant"
            busyLabel="Granting…"
            requestFor={() => ({
              method: "POST",
              path: `${path}/reconcile`,
              body: { apply: true },
            })}
            doneMessage={() => "Missing awards granted."}
            onDone={async () => {
              await reconcile();
              await reload();
            }}
          >
            <p>
              {reconciliation.missing_awards.length} awards will be granted, dated by their matches.
            </p>
          </ActionForm>
        )}
      </ActionBar>
      {error !== null && (
        <p class="notice bad" role="alert">
          {error}
        </p>
      )}
      {reconciliation !== null && (
        <>
          <p role="status">
            Stored matches earn {reconciliation.facts.length} awards;{" "}
            {reconciliation.missing_awards.length} are missing.
          </p>
          <AdminTable
            caption="Missing awards"
            rows={reconciliation.missing_awards}
            columns={COLUMNS}
            keyOf={(award) => `${award.account_id} ${award.achievement_id}`}
            empty="No awards are missing."
          />
        </>
      )}
    </>
  );
}
