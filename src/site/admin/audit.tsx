import type { AuditView } from "#core/resources/account.ts";

import { AUDIT_COLUMNS } from "./audit-columns.tsx";
import type { PartProps } from "./part.ts";
import { useRead } from "./read.ts";
import { Readable } from "./readable.tsx";
import { Table } from "./table.tsx";

/** What was done here, by whom and why. */
export function Audit({ desk }: PartProps) {
  const read = useRead<{ audit: AuditView[] }>(desk, "/api/admin/overview");
  return (
    <Readable read={read}>
      {({ audit }) => (
        <Table
          caption="What was done"
          rows={audit}
          columns={AUDIT_COLUMNS}
          keyOf={({ id }) => id}
          empty="Nothing is in the audit yet."
          isSearched
        />
      )}
    </Readable>
  );
}
