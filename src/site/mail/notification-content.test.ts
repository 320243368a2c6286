import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import type { SenderInfo } from "#core/accounts/transactional-email.ts";
import type { EmailNotification } from "#core/mail/email-notification.ts";
import {
  axeViolations,
  horizontalOverflow,
  openPageBrowser,
} from "#testing/fixtures/page-browser.ts";
import type { PageBrowser } from "#testing/fixtures/page-browser.ts";
import { HOSTILE_MARKUP } from "#testing/fixtures/sample-emails.ts";
import { SAMPLE_NOTIFICATIONS } from "#testing/fixtures/sample-notifications.ts";
import { importSiteModule } from "#testing/fixtures/site-components.ts";

import type * as LettersFile from "./render-email.ts";

const { renderNotificationEmail } =
  await importSiteModule<typeof LettersFile>("mail/render-email.ts");

const SENDER: SenderInfo = { baseUrl: "http://localhost:7777", contact: "grace@example.org" };
const LINK = "http://localhost:7777/unsubscribe?token=abc_DEF-123.xyz";
const ALL: EmailNotification[] = Object.values(SAMPLE_NOTIFICATIONS);

describe("emails with an unsubscribe link", () => {
  for (const notification of ALL)
    it(`has a subject, text, HTML and an unsubscribe link: ${notification.kind}`, () => {
      const { subject, text, html } = renderNotificationEmail(notification, SENDER, LINK);
      assert.match(subject, /^[A-Z][\x20-\x7e]{5,58}$/);
      assert.ok(text.startsWith(`${subject}\n\n`) && text.endsWith(`\n${LINK}\n`), text);
      assert.ok(html.includes(`<title>${subject}</title>`) && html.includes(`href="${LINK}"`));
      assert.doesNotMatch(`${text}${html}`, /undefined|\[object/);
      assert.match(text, /in your account: http:\/\/localhost:7777\/account\n/);
    });

  it("names its topic in the subject and works with any handle", () => {
    const subjectOf = (notification: EmailNotification) =>
      renderNotificationEmail(notification, SENDER, LINK).subject;
    assert.equal(subjectOf(SAMPLE_NOTIFICATIONS.event_opens), "Winter Cup opens soon");
    assert.equal(subjectOf(SAMPLE_NOTIFICATIONS.event_closes), "Winter Cup closes soon");
    assert.equal(
      subjectOf(SAMPLE_NOTIFICATIONS.achievement),
      "Achievement earned: Ten games in Winter Cup",
    );
    const { text } = renderNotificationEmail(
      { kind: "welcome", data: { handle: "you" } },
      SENDER,
      LINK,
    );
    assert.match(text, /Your handle at localhost:7777 is you\./);
  });

  it("has no unsubscribe link if only operators receive it", () => {
    const { text, html } = renderNotificationEmail(SAMPLE_NOTIFICATIONS.welcome, SENDER, null);
    assert.doesNotMatch(`${text}${html}`, /unsubscribe/i);
  });

  it("escapes user-supplied text and keeps names on one line (T87)", () => {
    const hostile: EmailNotification[] = [
      { kind: "announcement", data: { title: HOSTILE_MARKUP, body: HOSTILE_MARKUP } },
      {
        ...SAMPLE_NOTIFICATIONS.achievement,
        data: { ...SAMPLE_NOTIFICATIONS.achievement.data, achievement: HOSTILE_MARKUP },
      },
      {
        ...SAMPLE_NOTIFICATIONS.event_opens,
        data: { ...SAMPLE_NOTIFICATIONS.event_opens.data, event: HOSTILE_MARKUP },
      },
    ];
    for (const notification of hostile) {
      const { subject, html } = renderNotificationEmail(notification, SENDER, LINK);
      assert.doesNotMatch(html, /<img/);
      assert.ok(html.includes("&lt;img src=x onerror=alert(1)>"), html);
      assert.doesNotMatch(subject, /[\r\n]/);
    }
  });
});

describe("notification email in a client", () => {
  let browser: PageBrowser;
  before(async () => {
    browser = await openPageBrowser("about:blank");
  });
  after(() => browser.close());

  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [360, 1000])
      it(`fits ${width} pixels and is readable in ${colorScheme} mode`, async () => {
        const viewport = { width, height: 800 };
        await browser.visit(
          "about:blank",
          async (page) => {
            for (const notification of [
              SAMPLE_NOTIFICATIONS.announcement,
              SAMPLE_NOTIFICATIONS.weekly_digest,
            ]) {
              await page.setContent(renderNotificationEmail(notification, SENDER, LINK).html);
              assert.equal(await horizontalOverflow(page), 0, notification.kind);
              assert.deepEqual(await axeViolations(page), []);
            }
          },
          { viewport, colorScheme },
        );
      });
});
