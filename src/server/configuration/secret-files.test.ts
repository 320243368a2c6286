import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { resolveLocation } from "#tools/backup/location-flags.ts";

import { readServeOptions } from "./flags.ts";

const KEY = "s3cret-key";
const DATABASE = "postgres://bout:pass@localhost/bout";

describe("secret files", () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), "bout-secrets-"))));
  after(() => rmSync(folder, { recursive: true }));

  const fileWith = (content: string, mode = 0o600): string => {
    const path = join(folder, "secret");
    writeFileSync(path, content);
    chmodSync(path, mode);
    return path;
  };
  const errorOf = (args: string[], environment: Record<string, string> = {}): string => {
    const options = readServeOptions(args, environment);
    return "error" in options ? options.error : assert.fail("no error");
  };

  it("are read without the byte order mark or the final newline", () => {
    for (const content of [KEY, `${KEY}\n`, `\ufeff${KEY}\r\n`]) {
      const args = ["--registration-key-file", fileWith(content)];
      const options = readServeOptions(args, {});
      assert.ok(!("error" in options), JSON.stringify(options));
      assert.equal(options["registration-key"], KEY);
    }
  });

  it("can be set by environment variables for the mail server and the database", () => {
    const [smtp, database] = ["smtps://user:pass@mail.example", DATABASE].map((value, at) => {
      const path = join(folder, String(at));
      writeFileSync(path, value, { mode: 0o600 });
      return path;
    });
    const variables = { BOUT_SMTP_FILE: smtp!, BOUT_DATABASE_FILE: database! };
    const options = readServeOptions([], variables);
    assert.ok(!("error" in options), JSON.stringify(options));
    assert.equal(options.database, DATABASE);
    assert.notEqual(options.smtp, null);
  });

  it("are rejected if the value itself is also set, by flag or variable", () => {
    const path = fileWith(KEY);
    const problem = /^--registration-key and --registration-key-file are both given/;
    const args = ["--registration-key-file", path];
    assert.match(errorOf([...args, "--registration-key", "other"]), problem);
    assert.match(errorOf(args, { BOUT_REGISTRATION_KEY: "other" }), problem);
  });

  it("are rejected if other users can read them, if they are missing or if the value is invalid", () => {
    const args = (path: string) => ["--registration-key-file", path];
    assert.match(errorOf(args(fileWith(KEY, 0o644))), /other users can read it: chmod 600/);
    assert.match(errorOf(args(join(folder, "none"))), /cannot be read \(ENOENT\)/);
    const error = errorOf(args(fileWith("two words")));
    assert.match(error, /^--registration-key-file .* takes 1 to 256 printable/);
    assert.ok(!error.includes("two words"));
  });

  it("may be group-readable only in the systemd credentials folder", () => {
    const args = ["--registration-key-file", fileWith(KEY, 0o440)];
    assert.match(errorOf(args), /other users can read it/);
    process.env["CREDENTIALS_DIRECTORY"] = folder;
    try {
      assert.ok(!("error" in readServeOptions(args, {})));
      fileWith(KEY, 0o444);
      assert.match(errorOf(args), /other users can read it/);
    } finally {
      delete process.env["CREDENTIALS_DIRECTORY"];
    }
  });

  it("are supported for the backup commands' database URL", () => {
    assert.equal(resolveLocation({ databaseFile: fileWith(`${DATABASE}\n`) }).database, DATABASE);
    assert.throws(
      () => resolveLocation({ database: DATABASE, databaseFile: fileWith(DATABASE) }),
      /both given/,
    );
  });
});
