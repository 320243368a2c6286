// The one table of limits: what is enforced is read from here, and `GET /api` reports the same.

/** Units are part of the names: ms, s (seconds), bytes; the rest are counts. */
export const LIMITS = {
  match_interval_s: 0.3,
  max_concurrent: 320,
  owner_concurrency: 40,
  hourly_quota: 10_000,
  owner_daily_quota: 50_000,
  bots_per_owner: 5,
  versions_per_day: 1000,
  messages_per_tick: 5,
  messages_per_second: 50,
  message_bytes: 16 * 1024,
  rematch_hold_s: 10,
  rating_window_start: 400,
  rating_window_per_s: 20,
  rating_window_cap: 1200,
  priority_wait_s: 60,
  qualifying_games: 30,
  failed_ticks_to_disqualify: 10,
  quota_notice_every_s: 300,
  startup_s: 10,
  tick_s: 1,
  budget_s: 300,
  reconnect_grace_s: 10,
  drain_timeout_s: 600,
  ping_interval_s: 25,
  stall_ms: 250,
  send_buffer_bytes: 256 * 1024,
  wave_every_s: 2,
  bot_name_min: 2,
  bot_name_max: 24,
  version_label_max: 32,
  version_notes_max: 2000,
  matches_list_max: 500,
  matches_list_default: 50,
  recent_matches: 20,
  health_window_matches: 500,
  history_points: 1000,
  replays_per_bot: 200,
  replay_trim_every_s: 600,
  json_body_bytes: 64 * 1024,
  sockets_total: 12_000,
  sockets_waiting_for_token: 1000,
} as const;

export type LimitName = keyof typeof LIMITS;
export type Limits = Record<LimitName, number>;

/** The defaults with an operator's changes laid over them. */
export function limitsWith(changes: Partial<Limits>): Limits {
  return { ...LIMITS, ...changes };
}
