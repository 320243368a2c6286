import type { AdminLadder } from "#core/api/admin-ladder.ts";
import type { AdminEvent } from "#core/api/event.ts";
import { ActionForm, ActionBar } from "#site/admin/action-form.tsx";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { adminPath } from "#site/admin/console-location.ts";
import { DetailHead } from "#site/admin/fact-list.tsx";
import { ResourceView } from "#site/admin/resource-view.tsx";
import { useResource } from "#site/admin/use-resource.ts";

import { newEventRequest, newEventFields } from "./event-fields.ts";
import { AdminEventTable } from "./event-table.tsx";
import { AdminEventPage } from "./event.tsx";

export function EventsPanel({ selectedId, ...props }: AdminPanelProps) {
  const { auth, onSelect } = props;
  const resource = useResource<AdminEvent[]>(auth, "/api/admin/events");
  return (
    <ResourceView resource={resource}>
      {(events) => {
        if (selectedId === null)
          return <AdminEventList {...{ events, auth, onSelect, reload: resource.reload }} />;
        const event = events.find(({ id }) => id === selectedId);
        return event === undefined ? (
          <DetailHead
            title="Event not found"
            backPath={adminPath("events")}
            backLabel="All events"
          />
        ) : (
          <AdminEventPage {...props} {...{ event, reload: resource.reload }} />
        );
      }}
    </ResourceView>
  );
}

type AdminEventListProps = Pick<AdminPanelProps, "auth" | "onSelect"> & {
  events: AdminEvent[];
  reload: () => Promise<void>;
};

function AdminEventList({ events, auth, onSelect, reload }: AdminEventListProps) {
  const resource = useResource<AdminLadder[]>(auth, "/api/admin/ladders");
  return (
    <ResourceView resource={resource}>
      {(ladders) => (
        <>
          <ActionBar>
            <ActionForm
              auth={auth}
              label="New event"
              cancelLabel="Cancel"
              title="New event"
              confirmLabel="Create event"
              busyLabel="Creating…"
              fields={newEventFields(events.at(-1) ?? null, ladders)}
              requestFor={newEventRequest}
              doneMessage={() => "Event created. It's disabled until you enable it."}
              onDone={async (createdEvent) => {
                await reload();
                onSelect((createdEvent as AdminEvent).id);
              }}
            >
              <p>
                An event offers five achievements on a ladder for a limited time. Until it opens,
                you can change everything except its ID and ladder.
              </p>
            </ActionForm>
          </ActionBar>
          <AdminEventTable events={events} empty="No events yet." />
        </>
      )}
    </ResourceView>
  );
}
