import { useState } from "preact/hooks";

import type { Overview } from "#core/resources/admin.ts";
import type { Search } from "#core/resources/search.ts";
import { botPath } from "#site/look/links.ts";
import { Section } from "#site/look/parts.tsx";

import { Act } from "./act.tsx";
import { Finder } from "./finder.tsx";
import type { PartProps } from "./part.ts";
import { BOT_REASON_READ, reasonIn, reasonQuestion } from "./questions.ts";
import { useRead } from "./read.ts";
import type { Read } from "./read.ts";
import { Readable } from "./readable.tsx";
import { Table } from "./table.tsx";
import type { TableColumn } from "./table.tsx";

type Stated = Overview["bots"][number];
type Found = Search["bots"][number];

const EVERY_MS = 10_000;

const BotLink = ({ name }: { name: string }) => (
  <a href={botPath(name)}>
    <bdi>{name}</bdi>
  </a>
);

export const STATED_COLUMNS = [
  { title: "Bot", of: ({ name }: Stated) => name, show: BotLink },
  { title: "Owner", of: ({ owner }: Stated) => owner },
  { title: "State", of: ({ status }: Stated) => status },
  { title: "Since", of: ({ since }: Stated) => since, kind: "instant" },
  { title: "Reason", of: ({ reason }: Stated) => reason, kind: "long" },
] as const satisfies readonly TableColumn<Stated>[];

const FOUND_COLUMNS = [
  { title: "Bot", of: ({ name }: Found) => name, show: BotLink },
  { title: "Owner", of: ({ owner }: Found) => owner },
] as const satisfies readonly TableColumn<Found>[];

/** Bots that do harm are stopped here, for a while or for good. */
export function Bots({ data, desk }: PartProps) {
  const [sought, setSought] = useState("");
  const stated = useRead<Overview>(desk, "/api/admin/overview", EVERY_MS);
  return (
    <>
      <Section id="find-bot" title="Find a bot">
        <Finder label="Part of its name or of its owner's" onFind={setSought} />
        {sought !== "" && <FoundBots {...{ data, desk, sought, stated }} />}
      </Section>
      <Section id="moderated" title="Suspended and banned">
        <Readable read={stated}>
          {({ bots }) => (
            <Table
              caption="Suspended and banned bots"
              rows={bots}
              columns={STATED_COLUMNS}
              keyOf={({ id }) => id}
              empty="No bot is suspended or banned."
              isSearched={bots.length > 10}
              actions={({ name, status }) => <Steps {...{ data, desk, name, status, stated }} />}
            />
          )}
        </Readable>
      </Section>
    </>
  );
}

type FoundProps = Pick<PartProps, "data" | "desk"> & { sought: string; stated: Read<Overview> };

function FoundBots({ data, desk, sought, stated }: FoundProps) {
  const query = new URLSearchParams({ q: sought }).toString();
  const read = useRead<Search>(desk, `/api/search?${query}`);
  const stateOf = (name: string) =>
    stated.value?.bots.find((one) => one.name === name)?.status ?? "active";
  return (
    <Readable read={read}>
      {({ bots }) => (
        <Table
          caption={`Bots that match ${sought}`}
          rows={bots}
          columns={FOUND_COLUMNS}
          keyOf={({ name }) => name}
          empty="No bot matches."
          actions={({ name }) => <Steps {...{ data, desk, name, stated }} status={stateOf(name)} />}
        />
      )}
    </Readable>
  );
}

type Verb = "suspend" | "activate" | "ban";
const STEPS: Record<Verb, { ask: string; waiting: string; words: string; done: string }> = {
  suspend: {
    ask: "Suspend",
    waiting: "Suspending…",
    words:
      "It is disconnected and refused until it is activated, and leaves standings and lobby. A bout that it fights ends at once, lost.",
    done: "is suspended",
  },
  activate: {
    ask: "Activate",
    waiting: "Activating…",
    words: "It may connect and play again, and comes back to the standings.",
    done: "plays again",
  },
  ban: {
    ask: "Ban",
    waiting: "Banning…",
    words:
      "It is disconnected and refused for good. A bout that it fights ends at once, lost. Its page and its bouts stay.",
    done: "is banned",
  },
};
const VERBS: Record<Stated["status"] | "active", readonly Verb[]> = {
  active: ["suspend", "ban"],
  suspended: ["activate", "ban"],
  banned: [],
};

type StepsProps = Pick<PartProps, "data" | "desk"> & {
  name: string;
  status: keyof typeof VERBS;
  stated: Read<Overview>;
};

function Steps({ data, desk, name, status, stated }: StepsProps) {
  return (
    <>
      {VERBS[status].map((verb) => {
        const { ask, waiting, words, done } = STEPS[verb];
        return (
          <Act
            key={verb}
            {...{ desk, ask, waiting }}
            look="row"
            title={`${ask} ${name}`}
            yes={ask}
            questions={[reasonQuestion(data.reason_length, true, BOT_REASON_READ)]}
            {...(verb === "ban" && { typed: name })}
            route={(answers) => ({
              method: "POST",
              path: `/api/admin/bots/${encodeURIComponent(name)}/${verb}`,
              body: reasonIn(answers),
            })}
            done={() => `${name} ${done}.`}
            onDone={stated.again}
          >
            <p>{words}</p>
          </Act>
        );
      })}
    </>
  );
}
