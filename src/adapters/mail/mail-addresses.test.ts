import assert from "node:assert/strict";
import { it } from "node:test";

import { defaultMailbox, parseMailbox, parseSmtpUrl } from "./mail-addresses.ts";

const MAILBOXES = [
  ["bout@example.org", "Bout", "bout@example.org"],
  ["The Ladder <bout@example.org>", "The Ladder", "bout@example.org"],
  ["<bout@example.org>", "Bout", "bout@example.org"],
] as const;

for (const [text, name, address] of MAILBOXES)
  it(`accepts ${text} as a From address`, () => {
    assert.deepEqual(parseMailbox(text), { name, address });
  });

for (const text of [
  "",
  "bout",
  "Bout <bout>",
  "a@example.org, b@example.org",
  "Bout <a@example.org> <b@example.org>",
  "Bout\r\nBcc: eve@evil.example <a@example.org>",
])
  it(`rejects ${JSON.stringify(text)} as a From address`, () => {
    assert.equal(parseMailbox(text), null);
  });

const BASE_URLS = [
  ["https://ladder.example", "bout@ladder.example"],
  ["http://localhost:7777", "bout@localhost"],
  ["http://192.0.2.7:8080", "bout@[192.0.2.7]"],
  ["http://[2001:db8::1]", "bout@[IPv6:2001:db8::1]"],
] as const;

for (const [base, address] of BASE_URLS)
  it(`email from ${base} is sent from ${address} by default`, () => {
    assert.deepEqual(defaultMailbox(base), { name: "Bout", address });
  });

const PLAIN = { isSecure: false, login: null };
const SERVERS = [
  ["smtp://mail.example", { host: "mail.example", port: 587, ...PLAIN }],
  ["smtp://127.0.0.1:2525/", { host: "127.0.0.1", port: 2525, ...PLAIN }],
  ["smtp://[::1]:25", { host: "::1", port: 25, ...PLAIN }],
  [
    "smtps://ada%40x.org:p%3Aw@mail.example",
    {
      host: "mail.example",
      port: 465,
      isSecure: true,
      login: { user: "ada@x.org", password: "p:w" },
    },
  ],
] as const;

for (const [url, server] of SERVERS)
  it(`accepts ${url} as an SMTP URL`, () => {
    assert.deepEqual(parseSmtpUrl(url), server);
  });

for (const url of [
  "mail.example",
  "http://mail.example",
  "smtp://",
  "smtp://mail.example:0",
  "smtp://mail.example/path",
  "smtp://mail.example?pool=true",
  "smtp://mail.example?tls.rejectUnauthorized=false",
  "smtp://user@mail.example",
  "smtp://user:%zz@mail.example",
])
  it(`rejects ${url} as an SMTP URL`, () => {
    assert.equal(parseSmtpUrl(url), null);
  });
