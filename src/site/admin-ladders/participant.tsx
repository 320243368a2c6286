import { useState } from "preact/hooks";

import type { Card, EventProgress } from "#core/resources/event.ts";
import { Act } from "#site/admin/act.tsx";
import { Finder } from "#site/admin/finder.tsx";
import { reasonIn, reasonQuestion } from "#site/admin/questions.ts";
import { useRead } from "#site/admin/read.ts";
import { Readable } from "#site/admin/readable.tsx";
import { Table } from "#site/admin/table.tsx";
import type { TableColumn } from "#site/admin/table.tsx";
import { progressWords } from "#site/events/words.ts";

import type { EventPartProps } from "./event-part.ts";

const COLUMNS = [
  { title: "Achievement", of: ({ name }: Card) => name },
  { title: "How far", of: progressWords },
  { title: "By", of: ({ progress }: Card) => progress.bot },
  { title: "Earned", of: (one: Card) => one.earned_at, kind: "instant" },
  { title: "Revoked", of: (one: Card) => one.revoked_at, kind: "instant" },
  { title: "Reason", of: ({ reason }: Card) => reason, kind: "long" },
  {
    title: "Matches",
    of: ({ evidence }: Card) => evidence.length,
    show: ({ evidence }: Card) =>
      evidence.length === 0
        ? "–"
        : evidence.map(({ match_id, watch_url }, at) => (
            <>
              {at > 0 && " "}
              <a key={match_id} href={watch_url} aria-label={`Match ${at + 1}`}>
                {at + 1}
              </a>
            </>
          )),
  },
] as const satisfies readonly TableColumn<Card>[];

/** How far an account is in an event; what it has earned is revoked and restored here. */
export function Participant(props: EventPartProps) {
  const [sought, setSought] = useState("");
  return (
    <>
      <Finder label="Handle or id of the account" onFind={setSought} />
      {sought !== "" && <Progress {...props} account={sought} />}
    </>
  );
}

type Found = EventProgress & { account: { id: string; handle: string | null } };

function Progress(props: EventPartProps & { account: string }) {
  const { desk, path, account } = props;
  const to = `${path}/accounts/${encodeURIComponent(account)}`;
  const read = useRead<Found>(desk, to);
  const again = async () => void (await Promise.all([read.again(), props.again()]));
  return (
    <Readable read={read}>
      {({ account: { id, handle }, membership, achievements }) => (
        <>
          <p role="status">
            <bdi>{handle ?? id}</bdi>: {membership ?? "no"} membership
          </p>
          <Table
            caption={`Achievements of ${handle ?? id}`}
            rows={achievements}
            columns={COLUMNS}
            keyOf={(one) => one.id}
            empty="There is none."
            actions={(card) => <Award {...props} {...{ card, again }} path={to} />}
          />
        </>
      )}
    </Readable>
  );
}

type AwardProps = Pick<EventPartProps, "data" | "desk" | "path" | "again"> & { card: Card };

function Award({ data, desk, card, path, again }: AwardProps) {
  if (card.earned_at === null) return null;
  const isRevoked = card.revoked_at !== null;
  const verb = isRevoked ? "Restore" : "Revoke";
  return (
    <Act
      desk={desk}
      look="row"
      ask={verb}
      title={`${verb} ${card.name}`}
      yes={verb}
      waiting="Asking…"
      questions={[reasonQuestion(data.reason_length, false)]}
      route={(answers) => ({
        method: "POST",
        path: `${path}/achievements/${card.id}/${verb.toLowerCase()}`,
        body: reasonIn(answers),
      })}
      done={() => `${card.name} is ${isRevoked ? "restored" : "revoked"}.`}
      onDone={again}
    >
      <p>
        {isRevoked
          ? "It counts as earned again, since the match that earned it."
          : "It counts as not earned, and its flag cannot be read again. A recount leaves it revoked."}
      </p>
    </Act>
  );
}
