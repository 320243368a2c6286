import { SECOND_MS } from "#base/units/time.ts";
import type { AdminAnnouncement } from "#core/resources/announcement.ts";
import { Deliveries } from "#site/admin-mail/deliveries.tsx";
import { Letter } from "#site/admin-mail/letter.tsx";
import { DetailHead, Fact, Facts } from "#site/admin/facts.tsx";
import { Moment } from "#site/admin/moment.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { consolePath } from "#site/admin/place.ts";
import { useRead } from "#site/admin/read.ts";
import { Readable } from "#site/admin/readable.tsx";
import { Section } from "#site/look/parts.tsx";

import { Notice } from "./notice.tsx";
import { AnnouncementSteps } from "./steps.tsx";
import { ANNOUNCEMENTS_ROUTE, channelWords, goesAsMail, publishedBy } from "./words.ts";

const EVERY_MS = 5 * SECOND_MS;

/** One announcement: what goes out, to whom, and how far it is. */
export function AnnouncementDetail({ id, ...props }: PartProps & { id: string }) {
  const path = `${ANNOUNCEMENTS_ROUTE}/${encodeURIComponent(id)}`;
  const read = useRead<AdminAnnouncement>(props.desk, path, EVERY_MS);
  return (
    <Readable read={read}>
      {(announcement) => (
        <>
          <DetailHead
            title={announcement.title}
            back={consolePath("announcements")}
            backWords="All announcements"
          />
          <Known {...announcement} />
          <AnnouncementSteps {...props} {...{ announcement, path }} again={read.again} />
          <Shown {...announcement} />
        </>
      )}
    </Readable>
  );
}

function Known(announcement: AdminAnnouncement) {
  const { state, created, published, archived, audience } = announcement;
  return (
    <Facts>
      <Fact title="State">{state}</Fact>
      <Fact title="Goes out">{channelWords(announcement)}</Fact>
      <Fact title="Made">
        <Moment at={created} />
      </Fact>
      {state === "draft" && (
        <Fact title="Can be published until">
          <Moment at={publishedBy(announcement)} />
        </Fact>
      )}
      {published !== null && (
        <Fact title="Published">
          <Moment at={published} />
        </Fact>
      )}
      {archived !== null && (
        <Fact title={published === null ? "Discarded" : "Archived"}>
          <Moment at={archived} />
        </Fact>
      )}
      <Fact title="Accounts, when drafted">{audience.accounts}</Fact>
      <Fact title="Accounts that want such mail">{audience.subscribed}</Fact>
      <Fact title="Accounts that do not want it">{audience.unsubscribed}</Fact>
      {audience.suppressed > 0 && <Fact title="Suppressed, so skipped">{audience.suppressed}</Fact>}
    </Facts>
  );
}

function Shown(announcement: AdminAnnouncement) {
  const { state, channels, title, body, deliveries } = announcement;
  const { email_title, email_text, email_html } = announcement;
  return (
    <>
      {state !== "draft" && goesAsMail(announcement) && (
        <Section id="announcement-letters" title="Emails by state">
          <Deliveries counts={deliveries} />
        </Section>
      )}
      {channels.includes("in_game") && (
        <Section id="announcement-notice" title="The notice" note="As pages show it.">
          <Notice {...{ title, body }} />
        </Section>
      )}
      {email_title !== null && email_html !== null && email_text !== null && (
        <Section
          id="announcement-mail"
          title="The letter"
          note="Each also has a link that refuses such mail."
        >
          <Letter subject={email_title} html={email_html} text={email_text} />
        </Section>
      )}
    </>
  );
}
