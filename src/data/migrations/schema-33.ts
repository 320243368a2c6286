import type { ColumnTypes, Migration } from "#data/queries/database-backend.ts";

/**
 * Adds optional email: deliveries, incidents that stop them, and suppressed mailboxes. An account
 * gets at most one delivery per subject (see `deliveries_once`).
 */
export const SCHEMA_33: Migration = {
  number: 33,
  name: "mail",
  statements: ({ text, whole, heap }: ColumnTypes) => [
    `create table deliveries (
      id ${text} primary key,
      account_id ${text} not null references accounts (id) on delete cascade,
      category ${text} not null,
      subject ${text} not null,
      kind ${text} not null,
      data ${text} not null,
      announcement_id ${text},
      created ${text} not null,
      due ${text} not null,
      state ${text} not null,
      attempt ${whole} not null,
      started ${text},
      ended ${text},
      response_code ${whole},
      error ${text},
      message_id ${text}
    ) ${heap}`,
    "create unique index deliveries_once on deliveries (account_id, category, subject)",
    "create index deliveries_by_state on deliveries (state, due, id)",
    "create index deliveries_by_age on deliveries (created, id)",
    "create index deliveries_by_announcement on deliveries (announcement_id, state)",
    "create index deliveries_by_end on deliveries (ended, id)",
    `create table mail_incidents (
      id ${text} primary key,
      scope ${text} not null,
      opened ${text} not null,
      cause ${text} not null,
      resolved ${text},
      resolved_by ${text},
      resolution ${text}
    ) ${heap}`,
    "create unique index mail_incidents_open on mail_incidents (scope) where resolved is null",
    "create index mail_incidents_by_age on mail_incidents (opened, id)",
    `create table mail_refusals (
      account_id ${text} primary key references accounts (id) on delete cascade,
      confirmed_at ${text} not null,
      count ${whole} not null
    ) ${heap}`,
    `create table mail_marks (
      name ${text} primary key,
      value ${text} not null
    ) ${heap}`,
  ],
};
