import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { EMPTY_TRANSACTIONAL_REPORT } from "#core/mail/transactional.ts";

import type { Attention } from "./admin.ts";
import {
  attentionItems,
  formatByteSize,
  transactionalAttention,
  FULL_DISK_BYTES,
  LOW_DISK_BYTES,
} from "./attention.ts";

const NO_ATTENTION: Attention = {
  mail_incidents: 0,
  emails_not_sent: 0,
  transactional_retrying: 0,
  transactional_not_sent: 0,
  emails_waiting: 5,
  suppressed_accounts: 0,
  approvals: [],
  disk_free_bytes: LOW_DISK_BYTES,
};

const textsOf = (changes: Partial<Attention>) =>
  attentionItems({ ...NO_ATTENTION, ...changes }).map(({ text }) => text);

describe("attentionItems", () => {
  it("returns no items for a healthy server, even while emails are queued", () => {
    assert.deepEqual(attentionItems(NO_ATTENTION), []);
  });

  it("reports a full disk, a nearly full disk and an unreadable folder", () => {
    const [lowDisk] = textsOf({ disk_free_bytes: LOW_DISK_BYTES - 1 });
    assert.equal(lowDisk, "The disk is almost full: 2.0 GiB free.");
    const [fullDisk] = textsOf({ disk_free_bytes: FULL_DISK_BYTES - 1 });
    assert.equal(fullDisk, "The disk is full: 63 MiB free. No match can start.");
    assert.deepEqual(textsOf({ disk_free_bytes: null }), ["The data folder can't be read."]);
  });

  it("counts incidents, unsent emails, suppressed accounts and approvals", () => {
    const approvals = [{ ladder_id: "cup", name: "Cup", pending: 1 }];
    const changes = { mail_incidents: 1, emails_not_sent: 2, suppressed_accounts: 3, approvals };
    assert.deepEqual(textsOf(changes), [
      "1 open email incident.",
      "2 optional emails not sent in the last 24 hours.",
      "3 accounts without email: the mail server refused the address.",
      "1 membership waiting for approval on Cup.",
    ]);
    const approval = attentionItems({ ...NO_ATTENTION, approvals })[0];
    assert.deepEqual([approval?.part, approval?.itemId], ["ladders", "cup"]);
  });

  it("counts transactional emails that await a retry or were not sent", () => {
    assert.deepEqual(textsOf({ transactional_retrying: 1, transactional_not_sent: 2 }), [
      "1 email about accounts failed and will be retried: people may be unable to sign up.",
      "2 emails about accounts not sent: confirmations, password resets or sign-in codes.",
    ]);
  });

  it("marks only failures as urgent", () => {
    const approvals = [{ ladder_id: "cup", name: "Cup", pending: 1 }];
    const urgent = (changes: Partial<Attention>) =>
      attentionItems({ ...NO_ATTENTION, ...changes }).map(({ isUrgent }) => isUrgent);
    assert.deepEqual(urgent({ approvals, suppressed_accounts: 1 }), [false, false]);
    assert.deepEqual(urgent({ disk_free_bytes: null, mail_incidents: 1 }), [true, true]);
  });
});

describe("transactionalAttention", () => {
  const last_failure = { at: "2026-01-05T12:00:00.000Z", code: "ECONNREFUSED", response: null };
  const report = {
    ...EMPTY_TRANSACTIONAL_REPORT,
    waiting: 4,
    retrying: 3,
    failed: 1,
    given_up: 2,
    last_failure,
  };

  it("counts retries and unsent emails", () => {
    assert.deepEqual(transactionalAttention(report, last_failure.at), {
      transactional_retrying: 3,
      transactional_not_sent: 3,
    });
  });

  it("ignores old failures, and returns 0 without accounts", () => {
    const laterInstant = transactionalAttention(report, "2026-01-05T12:00:00.001Z");
    assert.equal(laterInstant.transactional_not_sent, 0);
    assert.equal(transactionalAttention(null, "").transactional_retrying, 0);
  });
});

describe("bytesText", () => {
  it("formats sizes in MiB below 1 GiB and in GiB above", () => {
    assert.deepEqual([0, 2 ** 30 - 1, 1.5 * 2 ** 30].map(formatByteSize), [
      "0 MiB",
      "1023 MiB",
      "1.5 GiB",
    ]);
  });
});
