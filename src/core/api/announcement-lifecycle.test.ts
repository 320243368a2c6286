import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  archiveAnnouncement,
  publishAnnouncement,
  updateAnnouncementText,
} from "./announcement-lifecycle.ts";
import type { OperatorAnnouncement } from "./announcement-lifecycle.ts";

const instantAtMinute = (minute: number) =>
  `2026-01-05T12:${String(minute).padStart(2, "0")}:00.000Z`;
const renderedEmail = { subject: "Old", text: "old", html: "<p>old</p>" };
const draft: OperatorAnnouncement = {
  id: "one",
  title: "Old",
  body: "old",
  created: instantAtMinute(0),
  publishBy: instantAtMinute(30),
  inGame: true,
  email: renderedEmail,
  audience: { accounts: 3, subscribed: 2, unsubscribed: 1, suppressed: 0 },
  state: "draft",
  published: null,
  archived: null,
};
const published: OperatorAnnouncement = {
  ...draft,
  state: "published",
  published: instantAtMinute(5),
};
const archived: OperatorAnnouncement = {
  ...draft,
  state: "archived",
  published: instantAtMinute(5),
  archived: instantAtMinute(6),
};
const discarded: OperatorAnnouncement = { ...archived, published: null };

describe("an announcement", () => {
  it("can be published until its deadline, and doesn't change when published again", () => {
    for (const minute of [0, 29, 30])
      assert.deepEqual(publishAnnouncement(draft, instantAtMinute(minute)), {
        ...draft,
        state: "published",
        published: instantAtMinute(minute),
      });
    assert.equal(publishAnnouncement(draft, instantAtMinute(31)), "preview_expired");
    assert.equal(publishAnnouncement(published, instantAtMinute(59)), published);
    for (const one of [archived, discarded])
      assert.equal(publishAnnouncement(one, instantAtMinute(1)), "announcement_archived");
  });

  it("can be archived once, whether published or not", () => {
    assert.deepEqual(archiveAnnouncement(draft, instantAtMinute(6)), { ...discarded });
    assert.deepEqual(archiveAnnouncement(published, instantAtMinute(6)), archived);
    for (const one of [archived, discarded])
      assert.equal(archiveAnnouncement(one, instantAtMinute(9)), one);
  });

  it("changes its email only as a draft, keeps its publishing time, and can't change once archived", () => {
    const text = { title: "New", body: "new" };
    const updated = { subject: "New", text: "new", html: "<p>new</p>" };
    assert.deepEqual(updateAnnouncementText(draft, text, updated), {
      ...draft,
      ...text,
      email: updated,
    });
    assert.deepEqual(updateAnnouncementText(published, text, updated), { ...published, ...text });
    const noticeOnly = { ...draft, email: null };
    assert.deepEqual(updateAnnouncementText(noticeOnly, text, updated), { ...noticeOnly, ...text });
    for (const one of [archived, discarded])
      assert.equal(updateAnnouncementText(one, text, updated), "announcement_archived");
  });
});
