import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { readServeOptions, serveHelp } from "./flags.ts";

describe("server flags", () => {
  it("override environment variables, which override defaults", () => {
    const read = (args: string[], port?: string) => {
      const options = readServeOptions(args, port === undefined ? {} : { BOUT_PORT: port });
      assert.ok(!("error" in options));
      return options.port;
    };
    assert.deepEqual([read([]), read([], "1"), read(["--port", "2"], "1")], [7777, 1, 2]);
    assert.equal(read(["--port=3"]), 3);
  });

  const invalidCases: [what: string, args: string[], environment: object, error: string][] = [
    ["an unknown flag", ["--turbo"], {}, "unknown option '--turbo'"],
    ["an extra argument", ["now"], {}, "too many arguments. Expected 0 arguments but got 1"],
    ["a missing value", ["--port"], {}, "option '--port <PORT>' argument missing"],
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
  for (const [title, args, environment, error] of invalidCases)
    it(`reject ${title} with a one-line error`, () => {
      assert.deepEqual(readServeOptions(args, environment as Record<string, string>), { error });
    });

  it("have different defaults in a demo", () => {
    const [serveDefaults, demoDefaults] = (["serve", "demo"] as const).map((name) =>
      readServeOptions([], {}, name),
    );
    assert.deepEqual(
      { ...serveDefaults, data: "./data/demo", anonymous: true, autoconfirm: true },
      demoDefaults,
    );
    const flags = (text: string) => text.match(/^ {2}--[\w-]+/gm);
    assert.deepEqual(flags(serveHelp("demo")), flags(serveHelp("serve")));
    assert.match(serveHelp("demo"), /^Usage: bout demo \[flags\]\n[^]*default \.\/data\/demo\)/);
  });
});

it("leaves a switch with the prefix no- off by default", () => {
  const skipsUpgradeCopy = (args: string[], environment = {}) => {
    const options = readServeOptions(args, environment);
    assert.ok(!("error" in options));
    return options["no-upgrade-copy"];
  };
  assert.equal(skipsUpgradeCopy([]), false);
  assert.equal(skipsUpgradeCopy(["--no-upgrade-copy"]), true);
  assert.equal(skipsUpgradeCopy([], { BOUT_NO_UPGRADE_COPY: "on" }), true);
});

describe("--admin-email", () => {
  const read = (args: string[], environment = {}) => {
    const options = readServeOptions(args, environment);
    return "error" in options ? options.error : options["admin-email"];
  };

  it("accepts lists and repeated values in any letter case, from flags or the environment", () => {
    assert.deepEqual(read([]), []);
    assert.deepEqual(read(["--admin-email", "Ada@x.org,eve@x.org"]), ["ada@x.org", "eve@x.org"]);
    assert.deepEqual(read(["--admin-email", "Ada@EXÄMPLE。org"]), ["ada@xn--exmple-cua.org"]);
    const twice = ["--admin-email", "ada@x.org", "--admin-email", "eve@x.org"];
    assert.deepEqual(read(twice), ["ada@x.org", "eve@x.org"]);
    assert.deepEqual(read([], { BOUT_ADMIN_EMAIL: "ada@x.org" }), ["ada@x.org"]);
  });

  it("rejects invalid addresses", () => {
    for (const value of ["", "ada", "@x.org", "ada@", "a b@x.org", "ada@x.org,", "ada@x..org"])
      assert.match(
        String(read(["--admin-email", value])),
        /takes comma-separated email addresses/,
        value,
      );
  });
});

describe("mail flags", () => {
  const read = (args: string[], environment = {}) => {
    const options = readServeOptions(args, environment);
    return "error" in options
      ? options.error
      : [options.smtp, options["mail-from"], options.contact];
  };

  it("are off by default", () => {
    assert.deepEqual(read([]), [null, null, null]);
    const args = ["--mail-from", "The Ladder <bout@x.org>", "--contact", "ask in #bout, or @ada"];
    assert.deepEqual(read(args, { BOUT_SMTP: "smtp://127.0.0.1:25" }), [
      { host: "127.0.0.1", port: 25, isSecure: false, login: null },
      { name: "The Ladder", address: "bout@x.org" },
      "ask in #bout, or @ada",
    ]);
  });

  it("reject invalid values without repeating the password", () => {
    const invalidCases = [
      ["--smtp", "smtp://ada:hidden@x/path"],
      ["--mail-from", "ada"],
      ["--contact", "two\nlines"],
      ["--contact", "x".repeat(201)],
    ] as const;
    for (const [flag, value] of invalidCases) {
      const errorText = JSON.stringify(read([flag, value])).slice(1);
      assert.ok(errorText.startsWith(flag) && errorText.includes(" takes "), errorText);
      assert.ok(!errorText.includes("hidden"), errorText);
    }
  });
});
