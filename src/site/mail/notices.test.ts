import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import type { Sender } from "#core/accounts/letter.ts";
import type { MailNotice } from "#core/mail/notice.ts";
import { siteModule } from "#testing/fixtures/components.ts";
import { MARKUP } from "#testing/fixtures/letters.ts";
import { NOTICES } from "#testing/fixtures/notices.ts";
import { axeFindings, excessOf, openPageBrowser } from "#testing/fixtures/page-browser.ts";
import type { PageBrowser } from "#testing/fixtures/page-browser.ts";

import type * as LettersFile from "./letters.ts";

const { writeNotice } = await siteModule<typeof LettersFile>("mail/letters.ts");

const SENDER: Sender = { baseUrl: "http://localhost:7777", contact: "grace@example.org" };
const LINK = "http://localhost:7777/unsubscribe?token=abc_DEF-123.xyz";
const ALL: MailNotice[] = Object.values(NOTICES);

describe("a letter that can be refused", () => {
  for (const notice of ALL)
    it(`has a subject, its words twice, and a way to refuse: ${notice.kind}`, () => {
      const { subject, text, html } = writeNotice(notice, SENDER, LINK);
      assert.match(subject, /^[A-Z][\x20-\x7e]{5,58}$/);
      assert.ok(text.startsWith(`${subject}\n\n`) && text.endsWith(`\n${LINK}\n`), text);
      assert.ok(html.includes(`<title>${subject}</title>`) && html.includes(`href="${LINK}"`));
      assert.doesNotMatch(`${text}${html}`, /undefined|\[object/);
      assert.match(text, /in your account: http:\/\/localhost:7777\/account\n/);
    });

  it("names what it is about in its subject, and in a sentence that suits any handle", () => {
    const subjectOf = (notice: MailNotice) => writeNotice(notice, SENDER, LINK).subject;
    assert.equal(subjectOf(NOTICES.event_opens), "Winter Cup opens soon");
    assert.equal(subjectOf(NOTICES.event_closes), "Winter Cup closes soon");
    assert.equal(subjectOf(NOTICES.achievement), "You have earned Ten games in Winter Cup");
    const { text } = writeNotice({ kind: "welcome", data: { handle: "you" } }, SENDER, LINK);
    assert.match(text, /Your handle at localhost:7777 is you\./);
  });

  it("has no such way where nobody reads it but an operator", () => {
    const { text, html } = writeNotice(NOTICES.welcome, SENDER, null);
    assert.doesNotMatch(`${text}${html}`, /unsubscribe|No more mail/);
  });

  it("takes text from people as text, on one line where it is a name (T87)", () => {
    const hostile: MailNotice[] = [
      { kind: "announcement", data: { title: MARKUP, body: MARKUP } },
      { ...NOTICES.achievement, data: { ...NOTICES.achievement.data, achievement: MARKUP } },
      { ...NOTICES.event_opens, data: { ...NOTICES.event_opens.data, event: MARKUP } },
    ];
    for (const notice of hostile) {
      const { subject, html } = writeNotice(notice, SENDER, LINK);
      assert.doesNotMatch(html, /<img/);
      assert.ok(html.includes("&lt;img src=x onerror=alert(1)>"), html);
      assert.doesNotMatch(subject, /[\r\n]/);
    }
  });
});

describe("such a letter in a reader of mail", () => {
  let browser: PageBrowser;
  before(async () => {
    browser = await openPageBrowser("about:blank");
  });
  after(() => browser.close());

  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [360, 1000])
      it(`fits ${width} pixels, and can be read in ${colorScheme}`, async () => {
        const viewport = { width, height: 800 };
        await browser.visit(
          "about:blank",
          async (page) => {
            for (const notice of [NOTICES.announcement, NOTICES.weekly_digest]) {
              await page.setContent(writeNotice(notice, SENDER, LINK).html);
              assert.equal(await excessOf(page), 0, notice.kind);
              assert.deepEqual(await axeFindings(page), []);
            }
          },
          { viewport, colorScheme },
        );
      });
});
