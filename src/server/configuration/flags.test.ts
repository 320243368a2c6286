import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { readServeOptions, serveHelp } from "./flags.ts";

describe("the flags of a server", () => {
  it("go before variables, and variables before defaults", () => {
    const read = (args: string[], port?: string) => {
      const options = readServeOptions(args, port === undefined ? {} : { BOUT_PORT: port });
      assert.ok(!("error" in options));
      return options.port;
    };
    assert.deepEqual([read([]), read([], "1"), read(["--port", "2"], "1")], [7777, 1, 2]);
    assert.equal(read(["--port=3"]), 3);
  });

  const wrong: [what: string, args: string[], environment: object, error: string][] = [
    ["an unknown flag", ["--turbo"], {}, "unknown option '--turbo'"],
    ["a word too many", ["now"], {}, "too many arguments. Expected 0 arguments but got 1"],
    ["no value", ["--port"], {}, "option '--port <PORT>' argument missing"],
    [
      "a wrong value",
      ["--port", "x"],
      {},
      '--port is "x", but takes a whole number from 0 to 65535',
    ],
    [
      "a wrong variable",
      [],
      { BOUT_RATE_LIMITS: "yes" },
      'BOUT_RATE_LIMITS is "yes", but takes one of auto, on, off',
    ],
    [
      "a wrong switch",
      [],
      { BOUT_ANONYMOUS: "yes" },
      'BOUT_ANONYMOUS is "yes", but takes on or off',
    ],
  ];
  for (const [what, args, environment, error] of wrong)
    it(`refuse ${what} in one line`, () => {
      assert.deepEqual(readServeOptions(args, environment as Record<string, string>), { error });
    });

  it("have other defaults in a demo, and the same flags", () => {
    const [ours, demo] = (["serve", "demo"] as const).map((name) => readServeOptions([], {}, name));
    assert.deepEqual({ ...ours, data: "./data/demo", anonymous: true, autoconfirm: true }, demo);
    const flags = (text: string) => text.match(/^ {2}--[\w-]+/gm);
    assert.deepEqual(flags(serveHelp("demo")), flags(serveHelp("serve")));
    assert.match(serveHelp("demo"), /^Usage: bout demo \[flags\]\n[^]*default \.\/data\/demo\)/);
  });
});

it("treats a switch that begins with no- as off until it is given", () => {
  const copies = (args: string[], environment = {}) => {
    const options = readServeOptions(args, environment);
    assert.ok(!("error" in options));
    return options["no-upgrade-copy"];
  };
  assert.equal(copies([]), false);
  assert.equal(copies(["--no-upgrade-copy"]), true);
  assert.equal(copies([], { BOUT_NO_UPGRADE_COPY: "on" }), true);
});

describe("--admin-email", () => {
  const read = (args: string[], environment = {}) => {
    const options = readServeOptions(args, environment);
    return "error" in options ? options.error : options["admin-email"];
  };

  it("takes addresses in a list, repeated or from the environment, in any letter case", () => {
    assert.deepEqual(read([]), []);
    assert.deepEqual(read(["--admin-email", "Ada@x.org,eve@x.org"]), ["ada@x.org", "eve@x.org"]);
    assert.deepEqual(read(["--admin-email", "Ada@EXÄMPLE。org"]), ["ada@xn--exmple-cua.org"]);
    const twice = ["--admin-email", "ada@x.org", "--admin-email", "eve@x.org"];
    assert.deepEqual(read(twice), ["ada@x.org", "eve@x.org"]);
    assert.deepEqual(read([], { BOUT_ADMIN_EMAIL: "ada@x.org" }), ["ada@x.org"]);
  });

  it("takes nothing else", () => {
    for (const value of ["", "ada", "@x.org", "ada@", "a b@x.org", "ada@x.org,", "ada@x..org"])
      assert.match(String(read(["--admin-email", value])), /takes addresses such as/, value);
  });
});

describe("flags about mail", () => {
  const read = (args: string[], environment = {}) => {
    const options = readServeOptions(args, environment);
    return "error" in options
      ? options.error
      : [options.smtp, options["mail-from"], options.contact];
  };

  it("are off without a value, and read once", () => {
    assert.deepEqual(read([]), [null, null, null]);
    const args = ["--mail-from", "The Ladder <bout@x.org>", "--contact", "ask in #bout, or @ada"];
    assert.deepEqual(read(args, { BOUT_SMTP: "smtp://127.0.0.1:25" }), [
      { host: "127.0.0.1", port: 25, isSecure: false, login: null },
      { name: "The Ladder", address: "bout@x.org" },
      "ask in #bout, or @ada",
    ]);
  });

  it("refuse what they do not understand, without a word of a password", () => {
    const wrong = [
      ["--smtp", "smtp://ada:hidden@x/path"],
      ["--mail-from", "ada"],
      ["--contact", "two\nlines"],
      ["--contact", "x".repeat(201)],
    ] as const;
    for (const [flag, value] of wrong) {
      const told = JSON.stringify(read([flag, value])).slice(1);
      assert.ok(told.startsWith(flag) && told.includes(" takes "), told);
      assert.ok(!told.includes("hidden"), told);
    }
  });
});
