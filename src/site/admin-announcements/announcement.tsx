import { SECOND_MS } from "#base/util/time.ts";
import type { AdminAnnouncement } from "#core/api/announcement.ts";
import { DeliveryCountsView } from "#site/admin-mail/deliveries.tsx";
import { EmailView } from "#site/admin-mail/email-view.tsx";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { AdminTime } from "#site/admin/admin-time.tsx";
import { adminPath } from "#site/admin/console-location.ts";
import { DetailHead, Fact, FactList } from "#site/admin/fact-list.tsx";
import { ResourceView } from "#site/admin/resource-view.tsx";
import { useResource } from "#site/admin/use-resource.ts";
import { Section } from "#site/ui/section.tsx";

import { AnnouncementActions } from "./announcement-actions.tsx";
import {
  ANNOUNCEMENTS_ROUTE,
  describeChannels,
  isSentByEmail,
  publishDeadline,
} from "./announcement-texts.ts";
import { NoticePreview } from "./notice-preview.tsx";

const POLL_INTERVAL_MS = 5 * SECOND_MS;

export function AnnouncementDetail({ id, ...props }: AdminPanelProps & { id: string }) {
  const path = `${ANNOUNCEMENTS_ROUTE}/${encodeURIComponent(id)}`;
  const resource = useResource<AdminAnnouncement>(props.auth, path, POLL_INTERVAL_MS);
  return (
    <ResourceView resource={resource}>
      {(announcement) => (
        <>
          <DetailHead
            title={announcement.title}
            backPath={adminPath("announcements")}
            backLabel="All announcements"
          />
          <AnnouncementFacts {...announcement} />
          <AnnouncementActions {...props} {...{ announcement, path }} reload={resource.reload} />
          <AnnouncementContent {...announcement} />
        </>
      )}
    </ResourceView>
  );
}

function AnnouncementFacts(announcement: AdminAnnouncement) {
  const { state, created, published, archived, audience } = announcement;
  return (
    <FactList>
      <Fact title="State">{state}</Fact>
      <Fact title="Delivery">{describeChannels(announcement)}</Fact>
      <Fact title="Created">
        <AdminTime instant={created} />
      </Fact>
      {state === "draft" && (
        <Fact title="Can be published until">
          <AdminTime instant={publishDeadline(announcement)} />
        </Fact>
      )}
      {published !== null && (
        <Fact title="Published">
          <AdminTime instant={published} />
        </Fact>
      )}
      {archived !== null && (
        <Fact title={published === null ? "Discarded" : "Archived"}>
          <AdminTime instant={archived} />
        </Fact>
      )}
      <Fact title="Accounts when drafted">{audience.accounts}</Fact>
      <Fact title="Subscribed accounts">{audience.subscribed}</Fact>
      <Fact title="Accounts that opted out">{audience.unsubscribed}</Fact>
      {audience.suppressed > 0 && <Fact title="Suppressed, so skipped">{audience.suppressed}</Fact>}
    </FactList>
  );
}

function AnnouncementContent(announcement: AdminAnnouncement) {
  const { state, channels, title, body, deliveries } = announcement;
  const { email_title, email_text, email_html } = announcement;
  return (
    <>
      {state !== "draft" && isSentByEmail(announcement) && (
        <Section id="announcement-letters" title="Emails by state">
          <DeliveryCountsView counts={deliveries} />
        </Section>
      )}
      {channels.includes("in_game") && (
        <Section id="announcement-notice" title="Notice" note="As it appears on pages.">
          <NoticePreview {...{ title, body }} />
        </Section>
      )}
      {email_title !== null && email_html !== null && email_text !== null && (
        <Section
          id="announcement-mail"
          title="The letter"
          note="Each email also has an unsubscribe link."
        >
          <EmailView subject={email_title} html={email_html} text={email_text} />
        </Section>
      )}
    </>
  );
}
