import type { AdminLadder, LadderDetail } from "#core/api/admin-ladder.ts";
import { ActionForm, ActionBar } from "#site/admin/action-form.tsx";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { AdminTime } from "#site/admin/admin-time.tsx";
import { adminPath } from "#site/admin/console-location.ts";
import { DetailHead, Fact, FactList } from "#site/admin/fact-list.tsx";
import { reasonQuery, reasonField, windowBody, windowFields } from "#site/admin/form-fields.ts";
import { ResourceView } from "#site/admin/resource-view.tsx";
import { useResource } from "#site/admin/use-resource.ts";
import { Section } from "#site/ui/section.tsx";

import { DownloadButtons } from "./download-buttons.tsx";
import { AdminEventTable } from "./event-table.tsx";
import { InvitationsTable } from "./invitations.tsx";
import {
  ladderSettingsChanges,
  ladderSettingsFields,
  ladderRulesBody,
  ladderRulesFields,
} from "./ladder-fields.ts";
import { LadderMembers } from "./members.tsx";

type AdminLadderPageProps = AdminPanelProps & { selectedId: string };

export function AdminLadderPage({ data, auth, selectedId, onSelect }: AdminLadderPageProps) {
  const path = `/api/admin/ladders/${encodeURIComponent(selectedId)}`;
  const resource = useResource<LadderDetail>(auth, path);
  return (
    <>
      <ResourceView resource={resource}>
        {({ ladder, events, members, invitations }) => {
          const sharedProps = { data, auth, path, reload: resource.reload };
          return (
            <>
              <DetailHead
                title={ladder.name}
                backPath={adminPath("ladders")}
                backLabel="All ladders"
              />
              <LadderFacts {...ladder} />
              <LadderActions {...sharedProps} {...{ ladder, onSelect }} />
              <Section id="members" title="Members">
                <LadderMembers {...sharedProps} {...{ members }} />
                <DownloadButtons
                  auth={auth}
                  path={`${path}/members`}
                  name={`${ladder.id}-members`}
                />
                <DownloadButtons
                  auth={auth}
                  path={`${path}/standings`}
                  name={`${ladder.id}-standings`}
                />
              </Section>
              <Section id="invitations" title="Invitations">
                <InvitationsTable {...sharedProps} {...{ invitations }} />
              </Section>
              <Section id="events" title="Events">
                <AdminEventTable events={events} empty="No events on this ladder." />
              </Section>
            </>
          );
        }}
      </ResourceView>
    </>
  );
}

const WindowBoundary = ({ instant, emptyText }: { instant: string | null; emptyText: string }) =>
  instant === null ? <>{emptyText}</> : <AdminTime instant={instant} />;

function LadderFacts(ladder: AdminLadder) {
  const { id, phase, access, enabled, visible, maps, house, password_set, members } = ladder;
  return (
    <>
      <FactList>
        <Fact title="Phase">{phase}</Fact>
        <Fact title="Opens">
          <WindowBoundary instant={ladder.opens_at} emptyText="always open" />
        </Fact>
        <Fact title="Closes">
          <WindowBoundary instant={ladder.closes_at} emptyText="never" />
        </Fact>
        <Fact title="Access">
          {access}
          {access === "password" && (password_set ? ", set" : ", not set")}
        </Fact>
        <Fact title="Match visibility">{enabled ? "yes" : "no"}</Fact>
        <Fact title="Listed">{visible ? "yes" : "no"}</Fact>
        <Fact title="Members">{members.active}</Fact>
        <Fact title="Pending">{members.pending}</Fact>
        <Fact title="Concurrent matches">{ladder.max_concurrent ?? "server limit"}</Fact>
        <Fact title="Per owner">{ladder.owner_concurrency ?? "server limit"}</Fact>
      </FactList>
      <p class="sub">
        Match limits are those the ladder was created with;{" "}
        <a href="/admin?part=settings">settings</a> can override them.
      </p>
      <p class="sub">
        ID <code>{id}</code> · Maps: {maps.join(", ")} · House bots: {house.join(", ") || "none"}
      </p>
    </>
  );
}

type LadderActionsProps = Pick<AdminPanelProps, "data" | "auth" | "onSelect"> & {
  ladder: AdminLadder;
  path: string;
  reload: () => Promise<void>;
};

function LadderActions({ data, auth, ladder, path, reload, onSelect }: LadderActionsProps) {
  const { id, name } = ladder;
  const saveActionProps = { auth, confirmLabel: "Save", busyLabel: "Saving…", onDone: reload };
  return (
    <ActionBar>
      <ActionForm
        {...saveActionProps}
        label="Settings"
        title={`Settings of ${name}`}
        fields={ladderSettingsFields(ladder)}
        requestFor={(values) => ({
          method: "PUT",
          path: `${path}/settings`,
          body: ladderSettingsChanges(ladder, values),
        })}
        doneMessage={() => `The settings for ${name} are saved.`}
      >
        <p>
          {id === "public"
            ? "The public ladder is always listed, enabled and open to everyone."
            : "Running matches finish. A disabled ladder starts no new ones."}
        </p>
      </ActionForm>
      {id !== "public" && (
        <ActionForm
          {...saveActionProps}
          label="Schedule"
          title={`Schedule of ${name}`}
          fields={windowFields(ladder, true)}
          requestFor={(values) => ({
            method: "PUT",
            path: `${path}/schedule`,
            body: windowBody(values),
          })}
          doneMessage={() => `The schedule for ${name} is saved.`}
        >
          <p>
            A past opening time can't be changed, and neither can the schedule of a closed ladder.
            Leave empty for no limit. Events must stay within these times.
          </p>
        </ActionForm>
      )}
      <ActionForm
        {...saveActionProps}
        label="Maps and house bots"
        title={`Maps and house bots for ${name}`}
        fields={ladderRulesFields(ladder)}
        requestFor={(values) => ({ method: "PUT", path, body: ladderRulesBody(values) })}
        doneMessage={() => `The maps and house bots for ${name} are saved.`}
      >
        <p>Applies from the next wave. Achievements may require some of them.</p>
      </ActionForm>
      {id !== "public" && <DeleteLadderAction {...{ data, auth, ladder, path, onSelect }} />}
    </ActionBar>
  );
}

function DeleteLadderAction({
  data,
  auth,
  ladder: { id, name },
  path,
  onSelect,
}: Omit<LadderActionsProps, "reload">) {
  return (
    <ActionForm
      auth={auth}
      label="Delete"
      title={`Delete ${name}`}
      confirmLabel="Delete permanently"
      busyLabel="Deleting…"
      confirmationText={id}
      fields={[reasonField(data.reason_length)]}
      requestFor={(values) => ({ method: "DELETE", path: path + reasonQuery(values) })}
      doneMessage={() => `${name} is deleted.`}
      onDone={() => onSelect(null)}
    >
      <p>You can only delete a ladder without matches and events.</p>
    </ActionForm>
  );
}
