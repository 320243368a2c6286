import { useState } from "preact/hooks";

import type { KeyOwner, NewOwner } from "#core/resources/admin.ts";
import { Secret } from "#site/look/code.tsx";

import { Act, Acts } from "./act.tsx";
import type { PartProps } from "./part.ts";
import { wholeIn } from "./questions.ts";
import { useRead } from "./read.ts";
import { Readable } from "./readable.tsx";
import { Table } from "./table.tsx";
import type { TableColumn } from "./table.tsx";

const COLUMNS = [
  { title: "Owner", of: ({ name }: KeyOwner) => name },
  { title: "Since", of: ({ created }: KeyOwner) => created, kind: "instant" },
  { title: "May have", of: (one: KeyOwner) => one.max_bots, kind: "number" },
  { title: "Bots", of: ({ bots }: KeyOwner) => bots.length, kind: "number" },
  {
    title: "Their names",
    of: ({ bots }: KeyOwner) => bots.map(({ name }) => name).join(", ") || null,
  },
] as const satisfies readonly TableColumn<KeyOwner>[];

/** Teams that register bots with a key of their own, without an account. */
export function Owners({ desk }: PartProps) {
  const read = useRead<KeyOwner[]>(desk, "/api/admin/owners");
  const [fresh, setFresh] = useState<NewOwner | null>(null);
  return (
    <>
      <p class="sub">
        An owner is a team without an account: whoever holds its key registers bots for it.
      </p>
      <Acts>
        <Act
          desk={desk}
          ask="Make an owner"
          no="Cancel"
          title="Make an owner"
          yes="Make the owner"
          waiting="Making it…"
          questions={[
            { name: "name", label: "Name" },
            { name: "max_bots", label: "Bots at most", kind: "number", given: "5" },
          ]}
          route={({ name, max_bots = "" }) => {
            const most = wholeIn(max_bots);
            if (most === null) return { field: "max_bots", text: "This is not a whole number." };
            const body = { name, max_bots: most };
            return { method: "POST", path: "/api/admin/owners", body };
          }}
          done={() => "The owner is there. Its key is shown this once."}
          onDone={async (made) => {
            setFresh(made as NewOwner);
            await read.again();
          }}
        >
          <p>Its key is shown once. It cannot be made anew.</p>
        </Act>
      </Acts>
      {fresh !== null && (
        <Secret
          title={
            <>
              The key of <bdi>{fresh.name}</bdi>
            </>
          }
          text={fresh.owner_key}
          label="the key"
          isKept={false}
        >
          <p>
            <button type="button" class="button quiet" onClick={() => setFresh(null)}>
              I have put it away
            </button>
          </p>
        </Secret>
      )}
      <Readable read={read}>
        {(owners) => (
          <Table
            caption="Owners"
            rows={owners}
            columns={COLUMNS}
            keyOf={({ name }) => name}
            empty="There is no owner with a key."
            isSearched={owners.length > 10}
          />
        )}
      </Readable>
    </>
  );
}
