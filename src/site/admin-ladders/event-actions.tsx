import { ActionForm, ActionBar } from "#site/admin/action-form.tsx";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { reasonQuery, reasonField, windowBody, windowFields } from "#site/admin/form-fields.ts";

import { achievementFields, parseAchievements } from "./achievement-fields.ts";
import {
  eventTextFields,
  eventTextChanges,
  opponentFields,
  opponentsBody,
  submissionBody,
  submissionFields,
} from "./event-fields.ts";
import type { EventPanelProps } from "./event-panel-props.ts";

type EventActionsProps = EventPanelProps & Pick<AdminPanelProps, "onSelect">;

export function EventActions({ data, auth, event, path, reload, onSelect }: EventActionsProps) {
  const { id, name, enabled } = event;
  const saveActionProps = { auth, confirmLabel: "Save", busyLabel: "Saving…", onDone: reload };
  return (
    <ActionBar>
      <ActionForm
        {...saveActionProps}
        label={enabled ? "Disable" : "Enable"}
        title={`${enabled ? "Disable" : "Enable"} ${name}`}
        confirmLabel={enabled ? "Disable" : "Enable"}
        requestFor={() => ({
          method: "PUT",
          path: `${path}/settings`,
          body: { enabled: !enabled },
        })}
        doneMessage={() => `${name} is ${enabled ? "off" : "on"}.`}
      >
        <p>
          {enabled
            ? "Achievements can no longer be earned. Earned ones stay."
            : "The event is listed, and games in its window count, including earlier ones."}
        </p>
      </ActionForm>
      <ActionForm
        {...saveActionProps}
        label="Schedule"
        title={`Schedule of ${name}`}
        fields={windowFields(event, false)}
        requestFor={(values) => ({
          method: "PUT",
          path: `${path}/schedule`,
          body: windowBody(values),
        })}
        doneMessage={() => `The schedule for ${name} is saved.`}
      >
        <p>Must be within the ladder's window. A past opening time can't be changed.</p>
      </ActionForm>
      <EventTextActions {...{ data, auth, event, path, reload }} />
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
        <p>You can only delete an event in which no achievement has been earned.</p>
      </ActionForm>
    </ActionBar>
  );
}

function EventTextActions({ auth, event, path, reload }: EventPanelProps) {
  const { name } = event;
  const saveActionProps = { auth, confirmLabel: "Save", busyLabel: "Saving…", onDone: reload };
  return (
    <>
      <ActionForm
        {...saveActionProps}
        label="Texts"
        title={`Texts of ${name}`}
        fields={eventTextFields(event)}
        requestFor={(values) => ({ method: "PUT", path, body: eventTextChanges(event, values) })}
        doneMessage={() => `${name} is saved.`}
      >
        <p>Players see this text on the event page.</p>
      </ActionForm>
      {event.phase === "upcoming" && (
        <ActionForm
          {...saveActionProps}
          label="Achievements"
          title={`Achievements of ${name}`}
          fields={achievementFields(event.conditions)}
          requestFor={(values) => {
            const conditions = parseAchievements(values);
            if (!Array.isArray(conditions)) return conditions;
            return { method: "PUT", path, body: { conditions } };
          }}
          doneMessage={() => `The achievements for ${name} are saved.`}
        >
          <p>Achievements can be changed until the event opens.</p>
        </ActionForm>
      )}
      <ActionForm
        {...saveActionProps}
        label="Submissions"
        title={`Submissions for ${name}`}
        fields={submissionFields(event)}
        requestFor={(values) => ({
          method: "PUT",
          path: `${path}/submission`,
          body: submissionBody(values),
        })}
        doneMessage={() => `The submission instructions for ${name} are saved.`}
      >
        <p>Participants see this. The server never contacts the URL.</p>
      </ActionForm>
      <ActionForm
        {...saveActionProps}
        label="Approve opponents"
        title={`Opponents of ${name}`}
        confirmLabel="Approve"
        fields={opponentFields(event)}
        requestFor={(values) => ({
          method: "PUT",
          path: `${path}/opponents`,
          body: opponentsBody(values),
        })}
        doneMessage={() => `The opponents for ${name} are approved.`}
      >
        <p>
          For each house bot, enter the version you approve. If you leave one empty, that bot isn't
          approved; an event needs all of them approved.
        </p>
      </ActionForm>
    </>
  );
}
