import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { HtmlValidate } from "html-validate";

import type { TransactionalEmail, SenderInfo } from "#core/accounts/transactional-email.ts";
import { PROJECT_ROOT } from "#server/composition/project-paths.ts";
import {
  axeViolations,
  horizontalOverflow,
  openPageBrowser,
} from "#testing/fixtures/page-browser.ts";
import type { PageBrowser } from "#testing/fixtures/page-browser.ts";
import { SAMPLE_EMAILS, HOSTILE_MARKUP } from "#testing/fixtures/sample-emails.ts";
import { importSiteModule } from "#testing/fixtures/site-components.ts";

import { EMAIL_THEMES } from "./email-styles.ts";
import type * as LettersFile from "./render-email.ts";

const { renderTransactionalEmail } =
  await importSiteModule<typeof LettersFile>("mail/render-email.ts");

/** Minimum height of a touch target, in pixels. */
const TOUCH_TARGET_PX = 44;

const SENDER: SenderInfo = {
  baseUrl: "http://localhost:7777",
  contact: "ada@example.org & friends <moderation>",
};
const ALL = Object.values(SAMPLE_EMAILS);
const write = (email: TransactionalEmail, sender = SENDER) =>
  renderTransactionalEmail(email, sender);

const ENTITIES: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"' };

/** Returns the visible text of the HTML, excluding the name at the top. */
function wordsOf(html: string): string[] {
  const [, body = ""] = html.split("◥</span>");
  const text = body
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity);
  return textWords(text);
}

/** Ignores separators that only the text version needs. */
const textWords = (text: string): string[] =>
  text
    .replaceAll(/:(?=\s)|^-- $/gm, " ")
    .split(/\s+/)
    .filter((word) => word !== "");

describe("a letter", () => {
  for (const email of ALL) {
    it(`has the same content in text and HTML: ${email.type}`, () => {
      const { text, html } = write(email);
      assert.ok(textWords(text).length > 20, text);
      assert.deepEqual(wordsOf(html), textWords(text));
    });

    it(`has a short, one-line subject that is also the title: ${email.type}`, () => {
      const { subject, text, html } = write(email);
      assert.match(subject, /^[A-Z][\x20-\x7e]{5,58}$/);
      assert.ok(text.startsWith(`${subject}\n\n`));
      assert.ok(html.includes(`<title>${subject}</title>`));
    });
  }

  it("has one button with its URL as text and no unsubscribe link", () => {
    for (const email of ALL) {
      const { text, html } = write(email);
      const buttons = html.match(/class="button"/g) ?? [];
      const isStep = "link" in email;
      assert.ok(buttons.length === 1 || (buttons.length === 0 && !isStep), email.type);
      assert.equal((html.match(/class="link"/g) ?? []).length, buttons.length);
      assert.doesNotMatch(text, /unsubscribe/i);
      if (!isStep) continue;
      assert.ok(text.split("\n").includes(email.link), text);
      assert.ok(text.split("\n").includes(`    ${email.code}`), text);
    }
  });

  it("doesn't turn names chosen by other people into links", () => {
    const name = "secure-login.example.com";
    const emails: TransactionalEmail[] = [
      { ...SAMPLE_EMAILS.email_change, handle: name },
      { ...SAMPLE_EMAILS.email_in_use, attempt: "signup", handle: name },
      { ...SAMPLE_EMAILS.email_in_use, attempt: "email_change", handle: name },
      { ...SAMPLE_EMAILS.session_ended, app: name },
      { ...SAMPLE_EMAILS.new_program, app: name },
    ];
    for (const email of emails) {
      const { text, html } = write(email);
      for (const body of [text, html]) {
        assert.ok(body.includes("secure-login[.]example[.]com"), email.type);
        assert.ok(!body.includes("example.com"), email.type);
      }
    }
  });

  it("leaves names without a host name unchanged", () => {
    const appIn = (app: string) =>
      /^App: (.*)$/m.exec(write({ ...SAMPLE_EMAILS.session_ended, app }).text)?.[1];
    for (const name of ["ada.l", "v1.2", "Dr. No", "ada_b-c"]) assert.equal(appIn(name), name);
    assert.equal(appIn("http://x.рф www.1"), "http[://]x[.]рф www[.]1");
  });

  it("omits a code that expired before the email was sent", () => {
    const { text } = renderTransactionalEmail(
      { ...SAMPLE_EMAILS.signup, code: null, codeMinutes: -6 },
      SENDER,
    );
    assert.ok(text.includes(SAMPLE_EMAILS.signup.link));
    assert.ok(text.includes("The link works once, within 24 hours.\n"), text);
    assert.doesNotMatch(text, /code|minutes/);
  });

  it("names the operator's contact and no other addresses", () => {
    for (const email of ALL) {
      assert.ok(write(email).text.endsWith(`Operator: ${SENDER.contact}\n`));
      const silent = write(email, { ...SENDER, contact: null }).text;
      assert.doesNotMatch(silent, /@example|null|undefined/);
    }
  });

  it("loads no external resources and runs no scripts", () => {
    for (const email of ALL) {
      const { html } = write(email);
      assert.doesNotMatch(
        html,
        /<(?:script|img|link|iframe|form|svg)\b|\bon\w+=|url\(|@import|src=/,
      );
      for (const [link] of html.matchAll(/href="[^"]*"/g))
        assert.ok(link.startsWith(`href="${SENDER.baseUrl}/`), link);
    }
  });

  it("says why it was sent", () => {
    const why = (email: TransactionalEmail) =>
      / emails about (.*?) regardless/.exec(write(email).text)?.[1];
    for (const type of ["bot_suspended", "bot_activated", "bot_banned"] as const)
      assert.equal(why(SAMPLE_EMAILS[type]), "your bot");
    for (const type of ["account_banned", "account_unbanned", "account_removed"] as const)
      assert.equal(why(SAMPLE_EMAILS[type]), "your account");
    assert.equal(why(SAMPLE_EMAILS.new_key), "the security of your account");
  });

  it("escapes user-supplied text (T26, T86)", () => {
    const hostile: TransactionalEmail[] = [
      { ...SAMPLE_EMAILS.new_key, label: HOSTILE_MARKUP },
      { ...SAMPLE_EMAILS.new_program, app: HOSTILE_MARKUP },
      { ...SAMPLE_EMAILS.bot_banned, reason: HOSTILE_MARKUP },
      { ...SAMPLE_EMAILS.account_removed, reason: HOSTILE_MARKUP },
    ];
    for (const email of hostile) {
      const { subject, html } = write(email, { ...SENDER, contact: HOSTILE_MARKUP });
      assert.doesNotMatch(html, /<img/);
      assert.ok(html.includes("&lt;img src=x onerror=alert(1)>"), html);
      assert.doesNotMatch(subject, /[<\r\n]/);
    }
  });

  it("keeps names short, on one line and in one text direction", () => {
    const program = `Rex\u202e\n\nSecond line\u2028${"x".repeat(300)}`;
    const { text } = write({ ...SAMPLE_EMAILS.new_program, app: program });
    const line = text.split("\n").find((one) => one.startsWith("Name it gave: "));
    assert.match(line ?? "", /^Name it gave: Rex Second line x{84}…$/);
  });

  it("indents the continuation lines in a reason", () => {
    const { text } = write({
      ...SAMPLE_EMAILS.bot_banned,
      reason: "Cheating.\nWhen: never\r\nBot: Foe",
    });
    assert.ok(
      text.includes("Reason: Cheating.\n    When: never\n    Bot: Foe\nWhen: 23 Nov"),
      text,
    );
  });
});

describe("email design", () => {
  const tokens = readFileSync(join(PROJECT_ROOT, "src/site/ui/tokens.css"), "utf8");
  const [light = "", dark = ""] = tokens.split("@media screen and (prefers-color-scheme: dark)");

  it("uses the site's colors", () => {
    for (const [name, value] of Object.entries(EMAIL_THEMES.light))
      assert.match(light, new RegExp(`--${name}: ${value};`));
    for (const [name, value] of Object.entries(EMAIL_THEMES.dark))
      assert.match(dark, new RegExp(`--${name}: ${value};`));
  });

  it("is valid HTML", async () => {
    const validator = new HtmlValidate({
      extends: ["html-validate:recommended"],
      rules: {
        "doctype-style": "off",
        "void-style": "off",
        // Email clients ignore style sheets and need table layouts.
        "no-inline-style": "off",
        "no-deprecated-attr": "off",
        "presentation-role-style": "off",
        "attribute-empty-style": "off",
        "prefer-native-element": "off",
      },
    });
    for (const email of ALL) {
      const { results } = await validator.validateString(write(email).html);
      assert.deepEqual(
        results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => [ruleId, message])),
        [],
      );
    }
  });
});

describe("email in a client", () => {
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
            for (const email of [
              SAMPLE_EMAILS.signup,
              SAMPLE_EMAILS.new_program,
              SAMPLE_EMAILS.bot_banned,
            ]) {
              await page.setContent(write(email).html);
              assert.equal(await horizontalOverflow(page), 0, email.type);
              assert.deepEqual(await axeViolations(page), []);
              const button = await page.locator(".button").boundingBox();
              assert.ok(
                button !== null && button.height >= TOUCH_TARGET_PX && button.width < width / 1.2,
              );
            }
          },
          { viewport, colorScheme },
        );
      });
});
