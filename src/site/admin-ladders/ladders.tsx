import type { AdminLadder, LadderDetail } from "#core/resources/admin-ladder.ts";
import { Act, Acts } from "#site/admin/act.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { consolePath } from "#site/admin/place.ts";
import { useRead } from "#site/admin/read.ts";
import { Readable } from "#site/admin/readable.tsx";
import { Table } from "#site/admin/table.tsx";
import type { TableColumn } from "#site/admin/table.tsx";

import { newLadderIn, newLadderQuestions } from "./ladder-questions.ts";
import { LadderPage } from "./ladder.tsx";

const COLUMNS = [
  {
    title: "Ladder",
    of: ({ name }: AdminLadder) => name,
    show: ({ id, name }: AdminLadder) => (
      <a href={consolePath("ladders", id)}>
        <bdi>{name}</bdi>
      </a>
    ),
  },
  { title: "Id", of: ({ id }: AdminLadder) => id },
  { title: "Phase", of: ({ phase }: AdminLadder) => phase },
  { title: "Access", of: ({ access }: AdminLadder) => access },
  { title: "On", of: ({ enabled }: AdminLadder) => enabled },
  { title: "Listed", of: ({ visible }: AdminLadder) => visible },
  { title: "Opens", of: (one: AdminLadder) => one.opens_at, kind: "instant" },
  { title: "Closes", of: (one: AdminLadder) => one.closes_at, kind: "instant" },
  { title: "Members", of: ({ members }: AdminLadder) => members.active, kind: "number" },
  { title: "Ask to enter", of: ({ members }: AdminLadder) => members.pending, kind: "number" },
] as const satisfies readonly TableColumn<AdminLadder>[];

/** All ladders; one of them is looked at by itself. */
export function Ladders(props: PartProps) {
  return props.of === null ? <LadderList {...props} /> : <LadderPage {...props} of={props.of} />;
}

function LadderList({ desk, look }: PartProps) {
  const read = useRead<AdminLadder[]>(desk, "/api/admin/ladders");
  return (
    <>
      <Acts>
        <Act
          desk={desk}
          ask="Make a ladder"
          no="Cancel"
          title="Make a ladder"
          yes="Make the ladder"
          waiting="Making it…"
          questions={newLadderQuestions()}
          route={(answers) => ({
            method: "POST",
            path: "/api/admin/ladders",
            body: newLadderIn(answers),
          })}
          done={() => "The ladder is there."}
          onDone={(made) => look((made as LadderDetail).ladder.id)}
        >
          <p>All but its id can be changed later; a ladder that has opened keeps its opening.</p>
        </Act>
      </Acts>
      <Readable read={read}>
        {(ladders) => (
          <Table
            caption="Ladders"
            rows={ladders}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            empty="There is no ladder."
            isSearched={ladders.length > 10}
          />
        )}
      </Readable>
    </>
  );
}
