import { useState } from "preact/hooks";

import type { AchievementView, EventProgress } from "#core/api/event.ts";
import { ActionForm } from "#site/admin/action-form.tsx";
import { AdminTable } from "#site/admin/admin-table.tsx";
import type { TableColumn } from "#site/admin/admin-table.tsx";
import { reasonBody, reasonField } from "#site/admin/form-fields.ts";
import { ResourceView } from "#site/admin/resource-view.tsx";
import { SearchForm } from "#site/admin/search-form.tsx";
import { useResource } from "#site/admin/use-resource.ts";
import { describeAchievementProgress } from "#site/events/event-texts.ts";

import type { EventPanelProps } from "./event-panel-props.ts";

const COLUMNS = [
  { title: "Achievement", accessor: ({ name }: AchievementView) => name },
  { title: "Progress", accessor: describeAchievementProgress },
  { title: "By", accessor: ({ progress }: AchievementView) => progress.bot },
  { title: "Earned", accessor: (card: AchievementView) => card.earned_at, kind: "instant" },
  { title: "Revoked", accessor: (card: AchievementView) => card.revoked_at, kind: "instant" },
  { title: "Reason", accessor: ({ reason }: AchievementView) => reason, kind: "long" },
  {
    title: "Matches",
    accessor: ({ evidence }: AchievementView) => evidence.length,
    render: ({ evidence }: AchievementView) =>
      evidence.length === 0
        ? "–"
        : evidence.map(({ match_id, watch_url }, index) => (
            <>
              {index > 0 && " "}
              <a key={match_id} href={watch_url} aria-label={`Match ${index + 1}`}>
                {index + 1}
              </a>
            </>
          )),
  },
] as const satisfies readonly TableColumn<AchievementView>[];

export function ParticipantLookup(props: EventPanelProps) {
  const [searchText, setSearchText] = useState("");
  return (
    <>
      <SearchForm label="Account handle or ID" onSearch={setSearchText} />
      {searchText !== "" && <ParticipantDetails {...props} account={searchText} />}
    </>
  );
}

type ParticipantProgress = EventProgress & { account: { id: string; handle: string | null } };

function ParticipantDetails(props: EventPanelProps & { account: string }) {
  const { auth, path, account } = props;
  const accountPath = `${path}/accounts/${encodeURIComponent(account)}`;
  const resource = useResource<ParticipantProgress>(auth, accountPath);
  const reload = async () => void (await Promise.all([resource.reload(), props.reload()]));
  return (
    <ResourceView resource={resource}>
      {({ account: { id, handle }, membership, achievements }) => (
        <>
          <p role="status">
            <bdi>{handle ?? id}</bdi>: {membership ?? "no"} membership
          </p>
          <AdminTable
            caption={`Achievements of ${handle ?? id}`}
            rows={achievements}
            columns={COLUMNS}
            keyOf={(card) => card.id}
            empty="None."
            actions={(card) => <AwardAction {...props} {...{ card, reload }} path={accountPath} />}
          />
        </>
      )}
    </ResourceView>
  );
}

type AwardActionProps = Pick<EventPanelProps, "data" | "auth" | "path" | "reload"> & {
  card: AchievementView;
};

function AwardAction({ data, auth, card, path, reload }: AwardActionProps) {
  if (card.earned_at === null) return null;
  const isRevoked = card.revoked_at !== null;
  const verb = isRevoked ? "Restore" : "Revoke";
  return (
    <ActionForm
      auth={auth}
      variant="row"
      label={verb}
      title={`${verb} ${card.name}`}
      confirmLabel={verb}
      busyLabel="Working…"
      fields={[reasonField(data.reason_length, false)]}
      requestFor={(values) => ({
        method: "POST",
        path: `${path}/achievements/${card.id}/${verb.toLowerCase()}`,
        body: reasonBody(values),
      })}
      doneMessage={() => `${card.name} is ${isRevoked ? "restored" : "revoked"}.`}
      onDone={reload}
    >
      <p>
        {isRevoked
          ? "It counts as earned again, from the original match."
          : "It no longer counts as earned, and its flag can't be read. Reconciling leaves it revoked."}
      </p>
    </ActionForm>
  );
}
