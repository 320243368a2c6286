import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { TestContext } from "node:test";

import { openSmtpServer, openScriptedServer } from "#testing/fixtures/mail-server.ts";
import type { SmtpStep } from "#testing/fixtures/mail-server.ts";
import { SAMPLE_EMAILS, HOSTILE_MARKUP } from "#testing/fixtures/sample-emails.ts";

import type { SmtpServer } from "./mail-addresses.ts";
import type { OutgoingEmail } from "./mail-transport.ts";
import { smtpTransport } from "./smtp.ts";

const SENDER = { name: "Bout", address: "bout@ladder.example" };
const RECIPIENT = "ada@example.org";
const SHORT_TIMEOUTS = { connectMs: 2000, greetingMs: 100, silenceMs: 100 };
const { signal } = new AbortController();

const emailOf = (
  changes: Partial<OutgoingEmail["rendered"]> = {},
  to = RECIPIENT,
): OutgoingEmail => ({
  id: "01900000-0000-7000-8000-000000000001",
  to,
  content: SAMPLE_EMAILS.signup,
  rendered: { subject: "Confirm your address", text: "Text.\n", html: "<p>Text.</p>", ...changes },
  at: new Date("2026-11-23T12:00:00Z"),
});

const serverAt = (port: number, changes: Partial<SmtpServer> = {}): SmtpServer => ({
  host: "127.0.0.1",
  port,
  isSecure: false,
  login: null,
  ...changes,
});

const transportTo = (server: SmtpServer, timeouts?: typeof SHORT_TIMEOUTS) =>
  smtpTransport(server, SENDER, "ladder.example", timeouts);

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

describe("email to a server that accepts it", async () => {
  const server = await openSmtpServer();
  after(() => server.close());
  const sendAndRead = async (email: OutgoingEmail, changes: Partial<SmtpServer> = {}) => {
    await transportTo(serverAt(server.port, changes))(email, signal);
    return server.receivedMessages.pop()!;
  };

  it("has a sender, an ID and a date and is marked as automatic", async () => {
    const { recipients, raw } = await sendAndRead(emailOf());
    assert.deepEqual(recipients, [RECIPIENT]);
    const headers = headersOf(raw);
    assert.deepEqual(
      ["from", "to", "subject", "message-id", "date", "auto-submitted"].map((name) =>
        headers.get(name),
      ),
      [
        "Bout <bout@ladder.example>",
        RECIPIENT,
        "Confirm your address",
        "<01900000-0000-7000-8000-000000000001@ladder.example>",
        "Mon, 23 Nov 2026 12:00:00 +0000",
        "auto-generated",
      ],
    );
    assert.match(headers.get("content-type") ?? "", /^multipart\/alternative;/);
    assert.match(raw, /text\/plain[^]*Text\.[^]*text\/html[^]*<p>Text\.<\/p>/);
  });

  it("ignores header injection in subject and text", async () => {
    const { recipients, raw } = await sendAndRead(
      emailOf({
        subject: HOSTILE_MARKUP,
        text: `.\r\nQUIT\r\n${HOSTILE_MARKUP}`,
        html: HOSTILE_MARKUP,
      }),
    );
    assert.deepEqual(recipients, [RECIPIENT]);
    const headers = headersOf(raw);
    assert.equal(headers.has("bcc"), false);
    assert.match(headers.get("subject") ?? "", /^=\?UTF-8\?Q\?.*__Bcc=3A_eve=40evil=2Eexample\?=$/);
  });

  it("has exactly one recipient for any address format", async () => {
    const { recipients, raw } = await sendAndRead(emailOf({}, "ada.o'neil+bots@example.org"));
    assert.deepEqual(recipients, ["ada.o'neil+bots@example.org"]);
    assert.equal(headersOf(raw).get("to"), recipients[0]);
  });

  for (const to of [
    "ada@example.org, eve@evil.example",
    "Ada <eve@evil.example>",
    "all: ada@example.org, eve@evil.example;",
    "ada@example.org\r\nRCPT TO:<eve@evil.example>",
  ])
    it(`is not sent to ${JSON.stringify(to)}`, async () => {
      await assert.rejects(sendAndRead(emailOf({}, to)), { code: "EENVELOPE" });
      assert.deepEqual(server.receivedMessages, []);
    });

  it("is sent after login if a login is configured", async () => {
    await sendAndRead(emailOf(), { login: { user: "ada", password: "secret" } });
    assert.deepEqual(server.loginNames.splice(0), ["ada"]);
  });

  it("never sends a password unencrypted over a network", async () => {
    // An address of this machine that isn't loopback and therefore counts as a network.
    const changes = { host: "0.0.0.0", login: { user: "ada", password: "secret" } };
    await assert.rejects(sendAndRead(emailOf(), changes), { code: "ETLS" });
    assert.deepEqual([server.loginNames, server.receivedMessages], [[], []]);
  });

  it("isn't sent after cancellation", async () => {
    const transport = transportTo(serverAt(server.port));
    await assert.rejects(transport(emailOf(), AbortSignal.abort()));
    assert.deepEqual(server.receivedMessages, []);
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
  it(`reports the code of a server that refuses the ${step} with ${responseCode}`, async (t) => {
    const server = await openSmtpServer({ step, code: responseCode, text: "no" });
    t.after(() => server.close());
    const login = { user: "ada", password: "secret" };
    const transport = transportTo(serverAt(server.port, { login }));
    await assert.rejects(transport(emailOf(), signal), { code, responseCode });
  });

const misbehavingServer = (linePrefix: string, behavior: "hang" | "drop") =>
  openScriptedServer((line, socket) => {
    if (line.startsWith(linePrefix)) return behavior === "drop" ? socket.destroy() : undefined;
    if (/^(?:EHLO|MAIL|RCPT)/.test(line)) socket.write("250 ok\r\n");
    if (line === "DATA") socket.write("354 go on\r\n");
    return undefined;
  });

const MISBEHAVIORS: [what: string, open: () => ReturnType<typeof openScriptedServer>][] = [
  ["never greets", () => openScriptedServer(null)],
  ["hangs at the reply to the greeting", () => misbehavingServer("EHLO", "hang")],
  ["hangs at the recipient", () => misbehavingServer("RCPT", "hang")],
  ["hangs after the content", () => misbehavingServer(".", "hang")],
  ["drops the connection at the sender", () => misbehavingServer("MAIL", "drop")],
  ["drops the connection after the content", () => misbehavingServer(".", "drop")],
];

for (const [title, openServer] of MISBEHAVIORS)
  it(`the outcome is unknown if the server ${title}`, async (t: TestContext) => {
    const server = await openServer();
    t.after(() => server.close());
    await assert.rejects(
      transportTo(serverAt(server.port), SHORT_TIMEOUTS)(emailOf(), signal),
      isUnanswered,
    );
  });

it("the outcome is unknown if there is no server", async () => {
  const { port, close } = await openScriptedServer(null);
  await close();
  await assert.rejects(transportTo(serverAt(port))(emailOf(), signal), isUnanswered);
});

function isUnanswered(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  assert.match(code ?? "", /^E[A-Z]+$/);
  assert.equal(responseCode, undefined);
  return true;
}
