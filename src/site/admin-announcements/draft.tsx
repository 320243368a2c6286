import type { AdminAnnouncement } from "#core/api/announcement.ts";
import { ANNOUNCEMENT_LIMITS } from "#core/limits/announcement-limits.ts";
import { ActionForm } from "#site/admin/action-form.tsx";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { parseList } from "#site/admin/form-fields.ts";
import type { FormField } from "#site/ui/form.tsx";

import { ANNOUNCEMENTS_ROUTE } from "./announcement-texts.ts";

type AnnouncementText = Pick<AdminAnnouncement, "title" | "body">;

export const announcementFields = ({ title, body }: AnnouncementText): FormField[] => [
  {
    name: "title",
    label: "Title",
    hint: "One line.",
    initialValue: title,
    maxLength: ANNOUNCEMENT_LIMITS.announcement_title_max.default,
  },
  {
    name: "body",
    label: "Text",
    kind: "paragraphs",
    hint: "Plain text; markup is not rendered.",
    initialValue: body,
    maxLength: ANNOUNCEMENT_LIMITS.announcement_body_max.default,
  },
];

type DraftActionProps = Pick<AdminPanelProps, "auth" | "onSelect"> & {
  label: string;
  template?: AnnouncementText & Pick<AdminAnnouncement, "channels">;
};

export function DraftAction({ auth, onSelect, label, template }: DraftActionProps) {
  const { channels = ["in_game"] } = template ?? {};
  return (
    <ActionForm
      auth={auth}
      label={label}
      cancelLabel="Cancel"
      title={label}
      confirmLabel="Create draft"
      busyLabel="Working…"
      fields={[
        ...announcementFields(template ?? { title: "", body: "" }),
        {
          name: "channels",
          label: "Delivery",
          allowsMultiple: true,
          // The server rejects an empty list, so the form doesn't have to.
          isOptional: true,
          initialValue: channels.join(" "),
          options: [
            { value: "in_game", text: "as a notice on every page" },
            { value: "email", text: "by email" },
          ],
        },
      ]}
      requestFor={({ title, body, channels: chosenChannels }) => ({
        method: "POST",
        path: `${ANNOUNCEMENTS_ROUTE}/preview`,
        body: {
          title,
          body,
          in_game: parseList(chosenChannels).includes("in_game"),
          email: parseList(chosenChannels).includes("email"),
        },
      })}
      doneMessage={() => "Draft created. Nothing has been sent yet."}
      onDone={(createdAnnouncement) => onSelect((createdAnnouncement as AdminAnnouncement).id)}
    >
      <p>You'll see the content and the audience before you publish.</p>
    </ActionForm>
  );
}
