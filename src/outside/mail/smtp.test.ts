import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { TestContext } from "node:test";

import { LETTERS, MARKUP } from "#testing/fixtures/letters.ts";
import { openMailServer, openOddServer } from "#testing/fixtures/mail-server.ts";
import type { SmtpStep } from "#testing/fixtures/mail-server.ts";

import type { Mail } from "./carrier.ts";
import type { SmtpServer } from "./sender.ts";
import { smtpCarrier } from "./smtp.ts";

const FROM = { name: "Bout", address: "bout@ladder.example" };
const TO = "ada@example.org";
/** For servers that never answer. */
const QUICK = { connectMs: 2000, greetingMs: 100, silenceMs: 100 };
const { signal } = new AbortController();

const mailOf = (changes: Partial<Mail["written"]> = {}, to = TO): Mail => ({
  id: "01900000-0000-7000-8000-000000000001",
  to,
  letter: LETTERS.signup,
  written: { subject: "Confirm your address", text: "Text.\n", html: "<p>Text.</p>", ...changes },
  at: new Date("2026-11-23T12:00:00Z"),
});

const serverAt = (port: number, changes: Partial<SmtpServer> = {}): SmtpServer => ({
  host: "127.0.0.1",
  port,
  isSecure: false,
  login: null,
  ...changes,
});

const carrierTo = (server: SmtpServer, patience?: typeof QUICK) =>
  smtpCarrier(server, FROM, "ladder.example", patience);

/** The headers of a message by name in lower case, unfolded. */
function headersOf(raw: string): Map<string, string> {
  const [head = ""] = raw.split("\r\n\r\n", 1);
  const lines = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

describe("mail to a server that takes it", async () => {
  const server = await openMailServer();
  after(() => server.close());
  const sent = async (mail: Mail, changes: Partial<SmtpServer> = {}) => {
    await carrierTo(serverAt(server.port, changes))(mail, signal);
    return server.mails.pop()!;
  };

  it("has a sender, an id, an hour, and says that no person wrote it", async () => {
    const { recipients, raw } = await sent(mailOf());
    assert.deepEqual(recipients, [TO]);
    const headers = headersOf(raw);
    assert.deepEqual(
      ["from", "to", "subject", "message-id", "date", "auto-submitted"].map((name) =>
        headers.get(name),
      ),
      [
        "Bout <bout@ladder.example>",
        TO,
        "Confirm your address",
        "<01900000-0000-7000-8000-000000000001@ladder.example>",
        "Mon, 23 Nov 2026 12:00:00 +0000",
        "auto-generated",
      ],
    );
    assert.match(headers.get("content-type") ?? "", /^multipart\/alternative;/);
    assert.match(raw, /text\/plain[^]*Text\.[^]*text\/html[^]*<p>Text\.<\/p>/);
  });

  it("takes no header and no reader from its texts", async () => {
    const { recipients, raw } = await sent(
      mailOf({ subject: MARKUP, text: `.\r\nQUIT\r\n${MARKUP}`, html: MARKUP }),
    );
    assert.deepEqual(recipients, [TO]);
    const headers = headersOf(raw);
    assert.equal(headers.has("bcc"), false);
    assert.match(headers.get("subject") ?? "", /^=\?UTF-8\?Q\?.*__Bcc=3A_eve=40evil=2Eexample\?=$/);
  });

  it("goes to one mailbox, whatever its address looks like", async () => {
    const { recipients, raw } = await sent(mailOf({}, "ada.o'neil+bots@example.org"));
    assert.deepEqual(recipients, ["ada.o'neil+bots@example.org"]);
    assert.equal(headersOf(raw).get("to"), recipients[0]);
  });

  for (const to of [
    "ada@example.org, eve@evil.example",
    "Ada <eve@evil.example>",
    "all: ada@example.org, eve@evil.example;",
    "ada@example.org\r\nRCPT TO:<eve@evil.example>",
  ])
    it(`goes to nobody for ${JSON.stringify(to)}`, async () => {
      await assert.rejects(sent(mailOf({}, to)), { code: "EENVELOPE" });
      assert.deepEqual(server.mails, []);
    });

  it("is sent after a log-in if there is one", async () => {
    await sent(mailOf(), { login: { user: "ada", password: "secret" } });
    assert.deepEqual(server.logins.splice(0), ["ada"]);
  });

  it("never sends a password over a network in the clear", async () => {
    // Another name of this machine, which passes for a network.
    const changes = { host: "0.0.0.0", login: { user: "ada", password: "secret" } };
    await assert.rejects(sent(mailOf(), changes), { code: "ETLS" });
    assert.deepEqual([server.logins, server.mails], [[], []]);
  });

  it("is not sent once it is given up", async () => {
    const carry = carrierTo(serverAt(server.port));
    await assert.rejects(carry(mailOf(), AbortSignal.abort()));
    assert.deepEqual(server.mails, []);
  });
});

const REFUSED: [step: SmtpStep, responseCode: number, code: string][] = [
  ["greeting", 421, "EPROTOCOL"],
  ["login", 535, "EAUTH"],
  ["sender", 553, "EENVELOPE"],
  ["recipient", 550, "EENVELOPE"],
  ["recipient", 451, "EENVELOPE"],
  ["content", 554, "EMESSAGE"],
  ["content", 451, "EMESSAGE"],
];

for (const [step, responseCode, code] of REFUSED)
  it(`a server that refuses the ${step} with ${responseCode} is told apart`, async (t) => {
    const server = await openMailServer({ step, code: responseCode, text: "no" });
    t.after(() => server.close());
    const login = { user: "ada", password: "secret" };
    const carry = carrierTo(serverAt(server.port, { login }));
    await assert.rejects(carry(mailOf(), signal), { code, responseCode });
  });

/** Says yes to everything, and does `behave` at the line that begins so. */
const oddAt = (start: string, behave: "hang" | "drop") =>
  openOddServer((line, socket) => {
    if (line.startsWith(start)) return behave === "drop" ? socket.destroy() : undefined;
    if (/^(?:EHLO|MAIL|RCPT)/.test(line)) socket.write("250 ok\r\n");
    if (line === "DATA") socket.write("354 go on\r\n");
    return undefined;
  });

const ODD: [what: string, open: () => ReturnType<typeof openOddServer>][] = [
  ["never greets", () => openOddServer(null)],
  ["hangs at the greeting's answer", () => oddAt("EHLO", "hang")],
  ["hangs at the recipient", () => oddAt("RCPT", "hang")],
  ["hangs after the content", () => oddAt(".", "hang")],
  ["drops the connection at the sender", () => oddAt("MAIL", "drop")],
  ["drops the connection after the content", () => oddAt(".", "drop")],
];

for (const [what, open] of ODD)
  it(`a server that ${what} leaves it open whether it took the mail`, async (t: TestContext) => {
    const server = await open();
    t.after(() => server.close());
    await assert.rejects(carrierTo(serverAt(server.port), QUICK)(mailOf(), signal), isUnanswered);
  });

it("no server at all is such an end too", async () => {
  const { port, close } = await openOddServer(null);
  await close();
  await assert.rejects(carrierTo(serverAt(port))(mailOf(), signal), isUnanswered);
});

function isUnanswered(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  assert.match(code ?? "", /^E[A-Z]+$/);
  assert.equal(responseCode, undefined);
  return true;
}
