import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { archivedAt, publishedAt, reworded } from "./announcement.ts";
import type { OperatorAnnouncement } from "./announcement.ts";

const at = (minute: number) => `2026-01-05T12:${String(minute).padStart(2, "0")}:00.000Z`;
const letter = { subject: "Old", text: "old", html: "<p>old</p>" };
const draft: OperatorAnnouncement = {
  id: "one",
  title: "Old",
  body: "old",
  created: at(0),
  publishBy: at(30),
  inGame: true,
  email: letter,
  audience: { accounts: 3, subscribed: 2, unsubscribed: 1, suppressed: 0 },
  state: "draft",
  published: null,
  archived: null,
};
const published: OperatorAnnouncement = { ...draft, state: "published", published: at(5) };
const archived: OperatorAnnouncement = {
  ...draft,
  state: "archived",
  published: at(5),
  archived: at(6),
};
const discarded: OperatorAnnouncement = { ...archived, published: null };

describe("an announcement", () => {
  it("is published until its hour is over, and stays as it was published", () => {
    for (const minute of [0, 29, 30])
      assert.deepEqual(publishedAt(draft, at(minute)), {
        ...draft,
        state: "published",
        published: at(minute),
      });
    assert.equal(publishedAt(draft, at(31)), "preview_expired");
    assert.equal(publishedAt(published, at(59)), published);
    for (const one of [archived, discarded])
      assert.equal(publishedAt(one, at(1)), "announcement_archived");
  });

  it("is archived once, whether it was published or not", () => {
    assert.deepEqual(archivedAt(draft, at(6)), { ...discarded });
    assert.deepEqual(archivedAt(published, at(6)), archived);
    for (const one of [archived, discarded]) assert.equal(archivedAt(one, at(9)), one);
  });

  it("changes its mail only as a draft, keeps its hour, and is left alone in the archive", () => {
    const text = { title: "New", body: "new" };
    const renewed = { subject: "New", text: "new", html: "<p>new</p>" };
    assert.deepEqual(reworded(draft, text, renewed), { ...draft, ...text, email: renewed });
    assert.deepEqual(reworded(published, text, renewed), { ...published, ...text });
    const bare = { ...draft, email: null };
    assert.deepEqual(reworded(bare, text, renewed), { ...bare, ...text });
    for (const one of [archived, discarded])
      assert.equal(reworded(one, text, renewed), "announcement_archived");
  });
});
