import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";

import { openOutbox } from "./outbox.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "bout-outbox-"));
});
after(() => rm(folder, { recursive: true }));

const lineTo = (to: string) => {
  const text = "x".repeat(10_000);
  return { to, type: "signup", subject: "Hello", link: "http://localhost/x", code: "123456", text };
};

it("keeps mails that come at once as whole lines in their order", async () => {
  const path = join(folder, "outbox.jsonl");
  const outbox = openOutbox(path);
  const people = Array.from({ length: 50 }, (_, number) => `${number}@example.org`);
  await Promise.all(people.map((to) => outbox.add(lineTo(to))));
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line) as object),
    people.map(lineTo),
  );
});

it("is for its owner alone, even after a copy opened it to others", async () => {
  const path = join(folder, "copied.jsonl");
  const outbox = openOutbox(path);
  const modes = [];
  for (const to of ["a@example.org", "b@example.org"]) {
    await outbox.add(lineTo(to));
    modes.push((await stat(path)).mode & 0o777);
    await chmod(path, 0o644);
  }
  assert.deepEqual(modes, [0o600, 0o600]);
});

it("says when a line cannot be written, and goes on", async () => {
  const outbox = openOutbox(folder);
  await assert.rejects(outbox.add(lineTo("a@example.org")), { code: "EISDIR" });
  await assert.rejects(outbox.add(lineTo("b@example.org")), { code: "EISDIR" });
});
