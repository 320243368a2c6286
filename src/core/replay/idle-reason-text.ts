import type { IdleReason } from "#core/engine/types.ts";

export const IDLE_REASON_TEXT: Readonly<Record<IdleReason, string>> = {
  timeout: "no answer in time",
  malformed_json: "the answer was not JSON",
  schema: "the answer did not match the schema",
  disconnected: "no connection",
};
