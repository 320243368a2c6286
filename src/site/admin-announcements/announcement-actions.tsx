import type { AdminAnnouncement } from "#core/api/announcement.ts";
import { ActionForm, ActionBar } from "#site/admin/action-form.tsx";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";

import { isSentByEmail, publishDeadline, describePublishing } from "./announcement-texts.ts";
import { DraftAction, announcementFields } from "./draft.tsx";

type AnnouncementActionProps = Pick<AdminPanelProps, "auth" | "onSelect"> & {
  announcement: AdminAnnouncement;
  path: string;
  reload: () => Promise<void>;
};

export function AnnouncementActions(props: AnnouncementActionProps) {
  const { auth, onSelect, announcement } = props;
  const { state, deliveries } = announcement;
  return (
    <ActionBar>
      {state === "draft" && <PublishAction {...props} />}
      {state !== "archived" && <EditAction {...props} />}
      {deliveries.failed > 0 && <RetryAction {...props} />}
      {state !== "archived" && <ArchiveAction {...props} />}
      {state !== "published" && (
        <DraftAction {...{ auth, onSelect }} label="Redraft" template={announcement} />
      )}
      <DeleteAnnouncementAction {...props} />
    </ActionBar>
  );
}

function PublishAction({ auth, announcement, path, reload }: AnnouncementActionProps) {
  return (
    <ActionForm
      auth={auth}
      onDone={reload}
      label="Publish"
      title="Publish announcement"
      confirmLabel="Publish now"
      busyLabel="Publishing…"
      requestFor={() => ({ method: "POST", path: `${path}/publish` })}
      doneMessage={() => "Published."}
    >
      {describePublishing(announcement).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {Date.now() > Date.parse(publishDeadline(announcement)) && (
        <p>This draft is more than an hour old, so the audience may have changed. Redraft it.</p>
      )}
    </ActionForm>
  );
}

function EditAction({ auth, announcement, path, reload }: AnnouncementActionProps) {
  const isDraft = announcement.state === "draft";
  return (
    <ActionForm
      auth={auth}
      onDone={reload}
      label="Edit text"
      title="Edit text"
      confirmLabel="Save"
      busyLabel="Saving…"
      fields={announcementFields(announcement)}
      requestFor={({ title, body }) => ({ method: "PUT", path, body: { title, body } })}
      doneMessage={() => "Text saved."}
    >
      <p>
        {isDraft
          ? "Updates the notice and the email. The one-hour limit for publishing doesn't restart."
          : isSentByEmail(announcement)
            ? "The notice changes on all pages. Emails keep the text from when it was published."
            : "The notice changes on all pages."}
      </p>
    </ActionForm>
  );
}

function RetryAction({
  auth,
  announcement: { deliveries },
  path,
  reload,
}: AnnouncementActionProps) {
  return (
    <ActionForm
      auth={auth}
      onDone={reload}
      label="Resend failed emails"
      title="Resend failed emails"
      confirmLabel="Send again"
      busyLabel="Working…"
      requestFor={() => ({ method: "POST", path: `${path}/retry` })}
      doneMessage={(response) => describeRequeued(response as { requeued: number })}
    >
      <p>
        {deliveries.failed === 1
          ? "The mail server refused 1 email."
          : `The mail server refused ${deliveries.failed} emails.`}{" "}
        Emails with an unknown outcome may have arrived and aren't sent again.
      </p>
    </ActionForm>
  );
}

function ArchiveAction({ auth, announcement, path, reload }: AnnouncementActionProps) {
  const isDraft = announcement.state === "draft";
  const label = isDraft ? "Discard" : "Archive";
  return (
    <ActionForm
      auth={auth}
      onDone={reload}
      label={label}
      title={`${label} announcement`}
      confirmLabel={label}
      busyLabel="Working…"
      requestFor={() => ({ method: "POST", path: `${path}/archive` })}
      doneMessage={() =>
        isDraft ? "The draft is discarded." : "The notice is removed from all pages."
      }
    >
      <p>
        {isDraft
          ? "It stays in the list but can't be published."
          : "The notice is removed from all pages and can't be restored. Queued emails are still sent; to cancel them, delete the announcement."}
      </p>
    </ActionForm>
  );
}

/** Titles can be too long or too hard to type, so deletion asks for a fixed word. */
const CONFIRMATION_TEXT = "delete";

function DeleteAnnouncementAction({ auth, announcement, path, onSelect }: AnnouncementActionProps) {
  const { pending: pendingEmails } = announcement.deliveries;
  return (
    <ActionForm
      auth={auth}
      label="Delete"
      title="Delete announcement"
      confirmLabel="Delete permanently"
      busyLabel="Deleting…"
      confirmationText={CONFIRMATION_TEXT}
      requestFor={() => ({ method: "DELETE", path })}
      doneMessage={() => "Announcement deleted."}
      onDone={() => onSelect(null)}
    >
      <p>
        It's removed from all pages and from this list.{" "}
        {pendingEmails > 0 && `${pendingEmails} queued emails are canceled. `}
        The audit log still shows who wrote it and who deleted it.
      </p>
    </ActionForm>
  );
}

const describeRequeued = ({ requeued }: { requeued: number }): string =>
  requeued === 1 ? "1 email will be sent again." : `${requeued} emails will be sent again.`;
