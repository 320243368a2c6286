import { useState } from "preact/hooks";

import type { Reconciliation } from "#core/resources/event.ts";
import { Act, Acts } from "#site/admin/act.tsx";
import { Table } from "#site/admin/table.tsx";
import type { TableColumn } from "#site/admin/table.tsx";

import type { EventPartProps } from "./event-part.ts";

type Fact = Reconciliation["missing_awards"][number];

const COLUMNS = [
  { title: "Account", of: ({ handle, account_id }: Fact) => handle ?? account_id },
  { title: "Achievement", of: (one: Fact) => one.achievement_id },
  { title: "Earned", of: (one: Fact) => one.earned_at, kind: "instant" },
  { title: "Matches", of: ({ evidence }: Fact) => evidence.length, kind: "number" },
] as const satisfies readonly TableColumn<Fact>[];

/** Awards against the stored matches: a look first, then what is missing is given. */
export function Recount({ desk, event, path, again }: EventPartProps) {
  const [seen, setSeen] = useState<Reconciliation | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isCounting, setCounting] = useState(false);
  const compare = async () => {
    setCounting(true);
    const answer = await desk.ask<Reconciliation>("POST", `${path}/reconcile`, { apply: false });
    setCounting(false);
    const isRefused = "refusal" in answer;
    setTrouble(isRefused ? answer.refusal.text : null);
    if (!isRefused) setSeen(answer.value);
  };
  return (
    <>
      <p class="sub">
        Counts the stored matches again and compares what they earn with what was awarded. Revoked
        awards stay revoked.
      </p>
      <Acts>
        <button
          type="button"
          class="button quiet"
          aria-disabled={isCounting}
          onClick={() => !isCounting && void compare()}
        >
          {isCounting ? "Counting…" : "Compare"}
        </button>
        {seen !== null && seen.missing_awards.length > 0 && (
          <Act
            desk={desk}
            ask="Award what is missing"
            title={`Award what is missing in ${event.name}`}
            yes="Award"
            waiting="Awarding…"
            route={() => ({ method: "POST", path: `${path}/reconcile`, body: { apply: true } })}
            done={() => "What was missing is awarded."}
            onDone={async () => {
              await compare();
              await again();
            }}
          >
            <p>{seen.missing_awards.length} awards are given, with the times of their matches.</p>
          </Act>
        )}
      </Acts>
      {trouble !== null && (
        <p class="notice bad" role="alert">
          {trouble}
        </p>
      )}
      {seen !== null && (
        <>
          <p role="status">
            The matches earn {seen.facts.length} awards; {seen.missing_awards.length} of them are
            missing.
          </p>
          <Table
            caption="Missing awards"
            rows={seen.missing_awards}
            columns={COLUMNS}
            keyOf={(one) => `${one.account_id} ${one.achievement_id}`}
            empty="No award is missing."
          />
        </>
      )}
    </>
  );
}
