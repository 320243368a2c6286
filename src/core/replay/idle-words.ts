// Why a fighter's turn failed, as people read it.

import type { IdleReason } from "#core/engine/types.ts";

export const IDLE_WORDS: Readonly<Record<IdleReason, string>> = {
  timeout: "no answer in time",
  malformed_json: "the answer was no JSON",
  schema: "the answer had the wrong shape",
  disconnected: "no connection",
};
