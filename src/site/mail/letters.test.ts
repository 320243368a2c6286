import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { HtmlValidate } from "html-validate";

import type { Letter, Sender } from "#core/accounts/letter.ts";
import { PROJECT } from "#server/composition/project.ts";
import { siteModule } from "#testing/fixtures/components.ts";
import { LETTERS, MARKUP } from "#testing/fixtures/letters.ts";
import { axeFindings, excessOf, openPageBrowser } from "#testing/fixtures/page-browser.ts";
import type { PageBrowser } from "#testing/fixtures/page-browser.ts";

import type * as LettersFile from "./letters.ts";
import { THEMES } from "./look.ts";

const { writeLetter } = await siteModule<typeof LettersFile>("mail/letters.ts");

/** The least height of what a finger can hit, in pixels. */
const FINGER = 44;

const SENDER: Sender = {
  baseUrl: "http://localhost:7777",
  contact: "ada@example.org & friends <moderation>",
};
const ALL = Object.values(LETTERS);
const write = (letter: Letter, sender = SENDER) => writeLetter(letter, sender);

const ENTITIES: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"' };

/** The words that a reader of the HTML sees, without the name at its top. */
function wordsOf(html: string): string[] {
  const [, body = ""] = html.split("◥</span>");
  const text = body
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity);
  return textWords(text);
}

/** Marks that only text needs, between a name and what it stands for, do not count. */
const textWords = (text: string): string[] =>
  text
    .replaceAll(/:(?=\s)|^-- $/gm, " ")
    .split(/\s+/)
    .filter((word) => word !== "");

describe("a letter", () => {
  for (const letter of ALL) {
    it(`says the same in text and HTML: ${letter.type}`, () => {
      const { text, html } = write(letter);
      assert.ok(textWords(text).length > 20, text);
      assert.deepEqual(wordsOf(html), textWords(text));
    });

    it(`has one short line as its subject, which is its title: ${letter.type}`, () => {
      const { subject, text, html } = write(letter);
      assert.match(subject, /^[A-Z][\x20-\x7e]{5,58}$/);
      assert.ok(text.startsWith(`${subject}\n\n`));
      assert.ok(html.includes(`<title>${subject}</title>`));
    });
  }

  it("has one button and its address as text, a way to refuse in none", () => {
    for (const letter of ALL) {
      const { text, html } = write(letter);
      const buttons = html.match(/class="button"/g) ?? [];
      const isStep = "link" in letter;
      assert.ok(buttons.length === 1 || (buttons.length === 0 && !isStep), letter.type);
      assert.equal((html.match(/class="link"/g) ?? []).length, buttons.length);
      assert.doesNotMatch(text, /unsubscribe/i);
      if (!isStep) continue;
      assert.ok(text.split("\n").includes(letter.link), text);
      assert.ok(text.split("\n").includes(`    ${letter.code}`), text);
    }
  });

  it("turns no name that others chose into a link", () => {
    const name = "secure-login.example.com";
    const letters: Letter[] = [
      { ...LETTERS.email_change, handle: name },
      { ...LETTERS.email_in_use, attempt: "signup", handle: name },
      { ...LETTERS.email_in_use, attempt: "email_change", handle: name },
      { ...LETTERS.session_ended, app: name },
      { ...LETTERS.new_program, program: name },
    ];
    for (const letter of letters) {
      const { text, html } = write(letter);
      for (const body of [text, html]) {
        assert.ok(body.includes("secure-login[.]example[.]com"), letter.type);
        assert.ok(!body.includes("example.com"), letter.type);
      }
    }
  });

  it("leaves names without a host name as they are", () => {
    const appIn = (app: string) =>
      /^App: (.*)$/m.exec(write({ ...LETTERS.session_ended, app }).text)?.[1];
    for (const name of ["ada.l", "v1.2", "Dr. No", "ada_b-c"]) assert.equal(appIn(name), name);
    assert.equal(appIn("http://x.рф www.1"), "http[://]x[.]рф www[.]1");
  });

  it("names no code where it has expired before the letter was sent", () => {
    const { text } = writeLetter({ ...LETTERS.signup, code: null, codeMinutes: -6 }, SENDER);
    assert.ok(text.includes(LETTERS.signup.link));
    assert.ok(text.includes("The link works once, within 24 hours.\n"), text);
    assert.doesNotMatch(text, /code|minutes/);
  });

  it("names the operator where there is a contact, and nobody else's addresses", () => {
    for (const letter of ALL) {
      assert.ok(write(letter).text.endsWith(`The operator: ${SENDER.contact}\n`));
      const silent = write(letter, { ...SENDER, contact: null }).text;
      assert.doesNotMatch(silent, /@example|null|undefined/);
    }
  });

  it("loads nothing and runs nothing", () => {
    for (const letter of ALL) {
      const { html } = write(letter);
      assert.doesNotMatch(
        html,
        /<(?:script|img|link|iframe|form|svg)\b|\bon\w+=|url\(|@import|src=/,
      );
      for (const [link] of html.matchAll(/href="[^"]*"/g))
        assert.ok(link.startsWith(`href="${SENDER.baseUrl}/`), link);
    }
  });

  it("says what it is about that makes it come", () => {
    const why = (letter: Letter) => / It is about (.*?), so it comes/.exec(write(letter).text)?.[1];
    for (const type of ["bot_suspended", "bot_activated", "bot_banned"] as const)
      assert.equal(why(LETTERS[type]), "your bot");
    for (const type of ["account_banned", "account_unbanned", "account_removed"] as const)
      assert.equal(why(LETTERS[type]), "your account");
    assert.equal(why(LETTERS.new_key), "the safety of your account");
  });

  it("takes text from people as text (T26, T86)", () => {
    const hostile: Letter[] = [
      { ...LETTERS.new_key, label: MARKUP },
      { ...LETTERS.new_program, program: MARKUP },
      { ...LETTERS.bot_banned, reason: MARKUP },
      { ...LETTERS.account_removed, reason: MARKUP },
    ];
    for (const letter of hostile) {
      const { subject, html } = write(letter, { ...SENDER, contact: MARKUP });
      assert.doesNotMatch(html, /<img/);
      assert.ok(html.includes("&lt;img src=x onerror=alert(1)>"), html);
      assert.doesNotMatch(subject, /[<\r\n]/);
    }
  });

  it("keeps names on one line, in one direction, and short", () => {
    const program = `Rex\u202e\n\nSecond line\u2028${"x".repeat(300)}`;
    const { text } = write({ ...LETTERS.new_program, program });
    const line = text.split("\n").find((one) => one.startsWith("It calls itself: "));
    assert.match(line ?? "", /^It calls itself: Rex Second line x{84}…$/);
  });

  it("sets in what follows a line break of a reason", () => {
    const { text } = write({ ...LETTERS.bot_banned, reason: "Cheating.\nWhen: never\r\nBot: Foe" });
    assert.ok(
      text.includes("Reason: Cheating.\n    When: never\n    Bot: Foe\nWhen: 23 Nov"),
      text,
    );
  });
});

describe("the look of letters", () => {
  const tokens = readFileSync(join(PROJECT, "src/site/look/tokens.css"), "utf8");
  const [light = "", dark = ""] = tokens.split("@media screen and (prefers-color-scheme: dark)");

  it("has the colours of the site", () => {
    for (const [name, value] of Object.entries(THEMES.light))
      assert.match(light, new RegExp(`--${name}: ${value};`));
    for (const [name, value] of Object.entries(THEMES.dark))
      assert.match(dark, new RegExp(`--${name}: ${value};`));
  });

  it("is valid HTML", async () => {
    const validator = new HtmlValidate({
      extends: ["html-validate:recommended"],
      rules: {
        "doctype-style": "off",
        "void-style": "off",
        // Mail readers drop style sheets, and know no other layout than tables.
        "no-inline-style": "off",
        "no-deprecated-attr": "off",
        "presentation-role-style": "off",
        "attribute-empty-style": "off",
        "prefer-native-element": "off",
      },
    });
    for (const letter of ALL) {
      const { results } = await validator.validateString(write(letter).html);
      assert.deepEqual(
        results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => [ruleId, message])),
        [],
      );
    }
  });
});

describe("a letter in a reader of mail", () => {
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
            for (const letter of [LETTERS.signup, LETTERS.new_program, LETTERS.bot_banned]) {
              await page.setContent(write(letter).html);
              assert.equal(await excessOf(page), 0, letter.type);
              assert.deepEqual(await axeFindings(page), []);
              const button = await page.locator(".button").boundingBox();
              assert.ok(button !== null && button.height >= FINGER && button.width < width / 1.2);
            }
          },
          { viewport, colorScheme },
        );
      });
});
