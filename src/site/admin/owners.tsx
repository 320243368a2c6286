import { useState } from "preact/hooks";

import type { KeyOwner, NewOwner } from "#core/api/admin.ts";
import { SecretPanel } from "#site/ui/code-block.tsx";

import { ActionForm, ActionBar } from "./action-form.tsx";
import type { AdminPanelProps } from "./admin-panel-props.ts";
import { AdminTable } from "./admin-table.tsx";
import type { TableColumn } from "./admin-table.tsx";
import { parseWholeNumber } from "./form-fields.ts";
import { ResourceView } from "./resource-view.tsx";
import { useResource } from "./use-resource.ts";

const COLUMNS = [
  { title: "Owner", accessor: ({ name }: KeyOwner) => name },
  { title: "Since", accessor: ({ created }: KeyOwner) => created, kind: "instant" },
  { title: "Bot limit", accessor: (owner: KeyOwner) => owner.max_bots, kind: "number" },
  { title: "Bots", accessor: ({ bots }: KeyOwner) => bots.length, kind: "number" },
  {
    title: "Bot names",
    accessor: ({ bots }: KeyOwner) => bots.map(({ name }) => name).join(", ") || null,
  },
] as const satisfies readonly TableColumn<KeyOwner>[];

/** Lists owners: teams that register bots with their own key instead of an account. */
export function OwnersPanel({ auth }: AdminPanelProps) {
  const resource = useResource<KeyOwner[]>(auth, "/api/admin/owners");
  const [newOwner, setNewOwner] = useState<NewOwner | null>(null);
  return (
    <>
      <p class="sub">
        An owner is a team without an account. Anyone with its key can register bots for it.
      </p>
      <ActionBar>
        <ActionForm
          auth={auth}
          label="New owner"
          cancelLabel="Cancel"
          title="New owner"
          confirmLabel="Create owner"
          busyLabel="Creating…"
          fields={[
            { name: "name", label: "Name" },
            { name: "max_bots", label: "Max bots", kind: "number", initialValue: "5" },
          ]}
          requestFor={({ name, max_bots = "" }) => {
            const maxBots = parseWholeNumber(max_bots);
            if (maxBots === null) return { field: "max_bots", text: "Enter a whole number." };
            const body = { name, max_bots: maxBots };
            return { method: "POST", path: "/api/admin/owners", body };
          }}
          doneMessage={() => "Owner created. Its key is shown only once."}
          onDone={async (createdOwner) => {
            setNewOwner(createdOwner as NewOwner);
            await resource.reload();
          }}
        >
          <p>The key is shown only once and can't be replaced.</p>
        </ActionForm>
      </ActionBar>
      {newOwner !== null && (
        <SecretPanel
          title={
            <>
              Key of <bdi>{newOwner.name}</bdi>
            </>
          }
          text={newOwner.owner_key}
          label="the key"
          isStored={false}
        >
          <p>
            <button type="button" class="button quiet" onClick={() => setNewOwner(null)}>
              I've saved it
            </button>
          </p>
        </SecretPanel>
      )}
      <ResourceView resource={resource}>
        {(owners) => (
          <AdminTable
            caption="Owners"
            rows={owners}
            columns={COLUMNS}
            keyOf={({ name }) => name}
            empty="No owners yet."
            isSearchable={owners.length > 10}
          />
        )}
      </ResourceView>
    </>
  );
}
