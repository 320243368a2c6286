import { useState } from "preact/hooks";

import type { AdminOverview } from "#core/api/admin.ts";
import type { Search } from "#core/api/search.ts";
import { botPath } from "#site/ui/links.ts";
import { Section } from "#site/ui/section.tsx";

import { ActionForm } from "./action-form.tsx";
import type { AdminPanelProps } from "./admin-panel-props.ts";
import { AdminTable } from "./admin-table.tsx";
import type { TableColumn } from "./admin-table.tsx";
import { BOT_REASON_HINT, reasonBody, reasonField } from "./form-fields.ts";
import { ResourceView } from "./resource-view.tsx";
import { SearchForm } from "./search-form.tsx";
import { useResource } from "./use-resource.ts";
import type { Resource } from "./use-resource.ts";

type ModeratedBot = AdminOverview["bots"][number];
type FoundBot = Search["bots"][number];

const POLL_INTERVAL_MS = 10_000;

const BotLink = ({ name }: { name: string }) => (
  <a href={botPath(name)}>
    <bdi>{name}</bdi>
  </a>
);

export const MODERATED_BOT_COLUMNS = [
  { title: "Bot", accessor: ({ name }: ModeratedBot) => name, render: BotLink },
  { title: "Owner", accessor: ({ owner }: ModeratedBot) => owner },
  { title: "State", accessor: ({ status }: ModeratedBot) => status },
  { title: "Since", accessor: ({ since }: ModeratedBot) => since, kind: "instant" },
  { title: "Reason", accessor: ({ reason }: ModeratedBot) => reason, kind: "long" },
] as const satisfies readonly TableColumn<ModeratedBot>[];

const FOUND_BOT_COLUMNS = [
  { title: "Bot", accessor: ({ name }: FoundBot) => name, render: BotLink },
  { title: "Owner", accessor: ({ owner }: FoundBot) => owner },
] as const satisfies readonly TableColumn<FoundBot>[];

export function BotsPanel({ data, auth }: AdminPanelProps) {
  const [searchText, setSearchText] = useState("");
  const moderated = useResource<AdminOverview>(auth, "/api/admin/overview", POLL_INTERVAL_MS);
  return (
    <>
      <Section id="find-bot" title="Find a bot">
        <SearchForm label="Part of a bot's or owner's name" onSearch={setSearchText} />
        {searchText !== "" && <FoundBots {...{ data, auth, searchText, moderated }} />}
      </Section>
      <Section id="moderated" title="Suspended and banned">
        <ResourceView resource={moderated}>
          {({ bots }) => (
            <AdminTable
              caption="Suspended and banned bots"
              rows={bots}
              columns={MODERATED_BOT_COLUMNS}
              keyOf={({ id }) => id}
              empty="No suspended or banned bots."
              isSearchable={bots.length > 10}
              actions={({ name, status }) => (
                <ModerationActions {...{ data, auth, name, status, moderated }} />
              )}
            />
          )}
        </ResourceView>
      </Section>
    </>
  );
}

type FoundBotsProps = Pick<AdminPanelProps, "data" | "auth"> & {
  searchText: string;
  moderated: Resource<AdminOverview>;
};

function FoundBots({ data, auth, searchText, moderated }: FoundBotsProps) {
  const query = new URLSearchParams({ q: searchText }).toString();
  const resource = useResource<Search>(auth, `/api/search?${query}`);
  const statusOf = (name: string) =>
    moderated.value?.bots.find((bot) => bot.name === name)?.status ?? "active";
  return (
    <ResourceView resource={resource}>
      {({ bots }) => (
        <AdminTable
          caption={`Bots that match “${searchText}”`}
          rows={bots}
          columns={FOUND_BOT_COLUMNS}
          keyOf={({ name }) => name}
          empty="No matching bots."
          actions={({ name }) => (
            <ModerationActions {...{ data, auth, name, moderated }} status={statusOf(name)} />
          )}
        />
      )}
    </ResourceView>
  );
}

type ModerationVerb = "suspend" | "activate" | "ban";
const MODERATION_ACTIONS: Record<
  ModerationVerb,
  { label: string; busyLabel: string; explanation: string; doneText: string }
> = {
  suspend: {
    label: "Suspend",
    busyLabel: "Suspending…",
    explanation:
      "The bot is disconnected, can't connect until you activate it, and leaves the leaderboard and lobby. A running match is lost immediately.",
    doneText: "is suspended",
  },
  activate: {
    label: "Activate",
    busyLabel: "Activating…",
    explanation: "The bot can connect and play again, and returns to the leaderboard.",
    doneText: "is active again",
  },
  ban: {
    label: "Ban",
    busyLabel: "Banning…",
    explanation:
      "The bot is disconnected and can't connect again. A running match is lost immediately. Its page and matches stay.",
    doneText: "is banned",
  },
};
const VERBS_BY_STATUS: Record<ModeratedBot["status"] | "active", readonly ModerationVerb[]> = {
  active: ["suspend", "ban"],
  suspended: ["activate", "ban"],
  banned: [],
};

type ModerationActionsProps = Pick<AdminPanelProps, "data" | "auth"> & {
  name: string;
  status: keyof typeof VERBS_BY_STATUS;
  moderated: Resource<AdminOverview>;
};

function ModerationActions({ data, auth, name, status, moderated }: ModerationActionsProps) {
  return (
    <>
      {VERBS_BY_STATUS[status].map((verb) => {
        const { label, busyLabel, explanation, doneText } = MODERATION_ACTIONS[verb];
        return (
          <ActionForm
            key={verb}
            {...{ auth, label, busyLabel }}
            variant="row"
            title={`${label} ${name}`}
            confirmLabel={label}
            fields={[reasonField(data.reason_length, true, BOT_REASON_HINT)]}
            {...(verb === "ban" && { confirmationText: name })}
            requestFor={(values) => ({
              method: "POST",
              path: `/api/admin/bots/${encodeURIComponent(name)}/${verb}`,
              body: reasonBody(values),
            })}
            doneMessage={() => `${name} ${doneText}.`}
            onDone={moderated.reload}
          >
            <p>{explanation}</p>
          </ActionForm>
        );
      })}
    </>
  );
}
