import type { DeliveryState, MailCategory } from "#core/mail/delivery.ts";
import type { NotificationKind } from "#core/mail/email-notification.ts";
import type { IncidentCause, IncidentScope } from "#core/mail/incident.ts";
import type { Fixed } from "#data/identity/immutable-column.ts";

export type DeliveryTable = {
  id: Fixed<string>;
  account_id: Fixed<string>;
  category: Fixed<MailCategory>;
  subject: Fixed<string>;
  kind: Fixed<NotificationKind>;
  /** JSON. Empty after the content is deleted. */
  data: string;
  announcement_id: Fixed<string | null>;
  created: Fixed<string>;
  due: string;
  state: DeliveryState;
  attempt: number;
  started: string | null;
  ended: string | null;
  response_code: number | null;
  error: string | null;
  message_id: string | null;
};

export type IncidentTable = {
  id: Fixed<string>;
  scope: Fixed<IncidentScope>;
  opened: Fixed<string>;
  cause: Fixed<IncidentCause>;
  resolved: string | null;
  resolved_by: string | null;
  resolution: string | null;
};

type RefusalTable = {
  account_id: Fixed<string>;
  confirmed_at: string;
  count: number;
  in_row: number;
};

type MarkTable = { name: Fixed<string>; value: string };

export type MailTables = {
  deliveries: DeliveryTable;
  mail_incidents: IncidentTable;
  mail_refusals: RefusalTable;
  mail_marks: MarkTable;
};
