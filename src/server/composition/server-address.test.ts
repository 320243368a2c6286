import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { readServeOptions } from "#server/configuration/flags.ts";

import {
  baseUrlOf,
  limitsAddresses,
  mailPlaceOf,
  optionsProblem,
  originsOf,
} from "./server-address.ts";

function optionsOf(flags: string) {
  const options = readServeOptions(flags.split(" ").filter(Boolean), {});
  assert.ok(!("error" in options), flags);
  return options;
}

describe("rate limits per address", () => {
  const rows: [flags: string, isOn: boolean][] = [
    ["", false],
    ["--host ::1", false],
    ["--base-url http://127.0.0.1:8080", false],
    ["--base-url https://bout.example", true],
    ["--host 0.0.0.0", true],
    ["--host 192.168.1.5", true],
    ["--rate-limits auto --base-url https://bout.example", true],
    ["--rate-limits off --base-url https://bout.example", false],
    ["--rate-limits on", true],
  ];
  for (const [flags, isOn] of rows)
    it(`are ${isOn ? "on" : "off"} with ${flags || "no flags"}`, () => {
      assert.equal(limitsAddresses(optionsOf(flags)), isOn);
    });
});

describe("mails", () => {
  const rows: [flags: string, place: string][] = [
    ["", "terminal"],
    ["--base-url https://bout.example", "operator"],
    ["--smtp smtp://127.0.0.1:25", "sent"],
    ["--base-url https://bout.example --smtp smtp://127.0.0.1:25", "sent"],
  ];
  for (const [flags, mailPlace] of rows)
    it(`have the destination '${mailPlace}' with ${flags || "no flags"}`, () => {
      assert.equal(mailPlaceOf(optionsOf(flags)), mailPlace);
    });
});

describe("flags", () => {
  const invalidFlags = [
    "--rate-limits yes",
    "--rate-limits",
    "--trust-proxy everybody",
    "--trust-proxy 10.0.0.0/33",
    "--trust-proxy 10.0.0.0/8,",
    "--trust-proxy 10.0.0.0/8/8",
    "--trust-proxy ::1/129",
    "--trust-proxy 10.0.0.0/+8",
  ];
  for (const flags of invalidFlags)
    it(`rejects ${flags}`, () => assert.ok("error" in readServeOptions(flags.split(" "), {})));

  it("keeps secrets out of error messages", () => {
    for (const flag of ["--registration-key", "--database"]) {
      const { error } = readServeOptions([flag, "my secret"], {}) as { error: string };
      assert.ok(error.startsWith(`${flag} takes `) && !error.includes("secret"), error);
    }
    assert.equal(optionsOf("--registration-key let-me-in")["registration-key"], "let-me-in");
  });

  it("accepts both addresses and networks as trusted proxies", () => {
    const { "trust-proxy": proxies } = optionsOf("--trust-proxy 10.0.0.0/8,127.0.0.1,fd00::/8");
    assert.deepEqual(proxies, ["10.0.0.0/8", "127.0.0.1", "fd00::/8"]);
  });
});

it("accepts all local origins unless a public base URL is set", () => {
  const localOrigins = ["http://localhost:80", "http://127.0.0.1:80", "http://[::1]:80"];
  assert.deepEqual(originsOf(optionsOf(""), 80), localOrigins);
  const publicOptions = optionsOf("--base-url https://bout.example");
  assert.deepEqual(originsOf(publicOptions, 80), ["https://bout.example"]);
  assert.equal(baseUrlOf(optionsOf("--host ::"), 80), "http://[::]:80");
});

const PROJECT = "--accounts https://p.example --provider-key sb_publishable_x";

describe("mutually exclusive flags", () => {
  const rows: [flags: string, problem: RegExp | null][] = [
    ["", null],
    ["--anonymous --autoconfirm", null],
    [PROJECT, null],
    [`${PROJECT} --admin-email ada@example.org --base-url https://bout.example`, null],
    ["--accounts none --admin-email ada@example.org", /--admin-email needs accounts/],
    ["--accounts https://p.example", /needs its publishable key/],
    ["--provider-key sb_publishable_x", /--provider-key requires a project/],
    ["--accounts https://p.example --provider-key sb_secret_x", /not a secret key/],
    [`${PROJECT} --sign-in file.json`, /--sign-in requires embedded/],
    ["--accounts none --sign-in file.json", /--sign-in requires embedded/],
    [`${PROJECT} --mcp-client-documents`, /--mcp-client-documents requires embedded/],
    [`${PROJECT} --autoconfirm`, /--autoconfirm requires embedded/],
    ["--autoconfirm --base-url https://bout.example", /--autoconfirm requires loopback/],
    ["--autoconfirm --host 0.0.0.0", /--autoconfirm requires loopback/],
    ["--anonymous --base-url https://bout.example", /--anonymous requires loopback/],
    ["--host 0.0.0.0", /set the public address with --base-url/],
    ["--host ::", /set the public address with --base-url/],
    ["--host 0.0.0.0 --base-url https://bout.example", null],
    ["--host 192.168.1.5", null],
  ];
  for (const [flags, problem] of rows)
    it(`${problem === null ? "fit" : "are rejected"}: ${flags || "none"}`, () => {
      const problemFound = optionsProblem(optionsOf(flags));
      if (problem === null) assert.equal(problemFound, null);
      else assert.match(String(problemFound), problem);
    });
});

it("accepts a project URL and appends /auth/v1", () => {
  const accountsIn = (flags: string) => optionsOf(flags).accounts;
  assert.equal(accountsIn(""), "embedded");
  assert.equal(accountsIn("--accounts none"), "none");
  assert.equal(accountsIn("--accounts https://P.example/"), "https://p.example");
  assert.equal(accountsIn("--accounts http://gate:8000/sub/"), "http://gate:8000/sub");
  for (const invalidFlags of [
    "yes",
    "ftp://p.example",
    "https://u:p@p.example",
    "https://p.example?x=1",
  ])
    assert.ok("error" in readServeOptions(["--accounts", invalidFlags], {}), invalidFlags);
});
