import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { readServeOptions } from "#server/configuration/flags.ts";

import { baseUrlOf, limitsAddresses, optionsProblem, originsOf } from "./address.ts";

function optionsOf(flags: string) {
  const options = readServeOptions(flags.split(" ").filter(Boolean), {});
  assert.ok(!("error" in options), flags);
  return options;
}

describe("limits of addresses", () => {
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

describe("flags", () => {
  const wrong = [
    "--rate-limits yes",
    "--rate-limits",
    "--trust-proxy everybody",
    "--trust-proxy 10.0.0.0/33",
    "--trust-proxy 10.0.0.0/8,",
    "--trust-proxy 10.0.0.0/8/8",
    "--trust-proxy ::1/129",
    "--trust-proxy 10.0.0.0/+8",
  ];
  for (const flags of wrong)
    it(`refuses ${flags}`, () => assert.ok("error" in readServeOptions(flags.split(" "), {})));

  it("repeats no secret that it refuses", () => {
    for (const flag of ["--registration-key", "--database"]) {
      const { error } = readServeOptions([flag, "my secret"], {}) as { error: string };
      assert.ok(error.startsWith(`${flag} takes `) && !error.includes("secret"), error);
    }
    assert.equal(optionsOf("--registration-key let-me-in")["registration-key"], "let-me-in");
  });

  it("takes proxies as addresses and networks", () => {
    const { "trust-proxy": proxies } = optionsOf("--trust-proxy 10.0.0.0/8,127.0.0.1,fd00::/8");
    assert.deepEqual(proxies, ["10.0.0.0/8", "127.0.0.1", "fd00::/8"]);
  });
});

it("counts all names of this machine as its own, unless it has a public one", () => {
  const local = ["http://localhost:80", "http://127.0.0.1:80", "http://[::1]:80"];
  assert.deepEqual(originsOf(optionsOf(""), 80), local);
  const named = optionsOf("--base-url https://bout.example");
  assert.deepEqual(originsOf(named, 80), ["https://bout.example"]);
  assert.equal(baseUrlOf(optionsOf("--host ::"), 80), "http://[::]:80");
});

it("refuses admins where there are no accounts", () => {
  const options = readServeOptions(["--admin-email", "ada@example.org"], {});
  assert.ok(!("error" in options));
  assert.match(String(optionsProblem(options)), /--admin-email needs accounts/);
  assert.equal(optionsProblem({ ...options, "admin-email": [] }), null);
});
