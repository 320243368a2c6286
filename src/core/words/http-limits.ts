// The limits of requests and of what answers hold. Part of the one table, in limits.ts.

import { fixed } from "./limit-row.ts";

export const HTTP_LIMITS = {
  pipelined_requests: fixed(
    "http",
    64,
    "requests of a connection that wait for the answer to an earlier one",
  ),
  event_network_factor: fixed(
    "http",
    50,
    "times the limits of one address for those in an event network",
  ),
  connections_total: fixed("http", 20_000, "connections of all kinds"),
  headers_s: fixed("http", 10, "seconds for the headers of a request to arrive"),
  request_s: fixed("http", 30, "seconds for a whole request to arrive"),
  unread_answer_s: fixed(
    "http",
    60,
    "seconds that an answer waits for a client that does not read it",
  ),
  header_bytes: fixed("http", 16 * 1024, "bytes of a request's address and headers together"),
  path_part_chars: fixed("http", 512, "characters of one part of an address"),
  json_body_bytes: fixed("http", 64 * 1024, "bytes of a request's body"),
  matches_list_default: fixed("http", 50, "matches in one answer, if not asked otherwise"),
  matches_list_max: fixed("http", 500, "matches in one answer"),
  recent_matches: fixed("http", 20, "matches in the answer about a bot"),
  versions_shown: fixed("http", 200, "versions in the answer about a bot"),
  versions_list_default: fixed(
    "http",
    100,
    "versions in one list of a bot's versions, if not asked otherwise",
  ),
  versions_list_max: fixed("http", 500, "versions in one list of a bot's versions"),
  history_points: fixed("http", 1000, "points of a rating history"),
  history_days_max: fixed(
    "http",
    36_525,
    "days that a rating history looks back; more is taken as this",
  ),
  standings_page_default: fixed("http", 50, "rows of a page of standings"),
  standings_page_max: fixed("http", 200, "rows of a page of standings, at most"),
  running_shown: fixed("http", 6, "running matches next to the standings"),
  coming_shown: fixed("http", 12, "bots without a rank next to the standings"),
  search_text_max: fixed("http", 39, "characters of a text that is searched for"),
  results_brief: fixed("http", 10, "places and styles in brief results"),
  opponents_shown: fixed("http", 100, "opponents in the record of a bot, those met last"),
  opponents_matches: fixed("http", 500, "newest matches that this record looks at"),
  lost_games: fixed("http", 500, "newest lost games that the losses of a version add up"),
  lost_games_among: fixed("http", 5000, "newest games of a version that they are looked for among"),
  search_results: fixed("http", 10, "bots, and owners, that a search finds"),
  rivalries_shown: fixed("http", 10, "rivalries in the results of a season or a ladder"),
  specialist_games: fixed(
    "http",
    10,
    "games that it takes to be a specialist of a map or an attack",
  ),
  matchups_shown_default: fixed(
    "http",
    5,
    "opponents in one list of matchups, if not asked otherwise",
  ),
  matchups_shown_max: fixed("http", 20, "opponents in one list of matchups"),
  matchups_minimum_default: fixed(
    "http",
    10,
    "games of two bots to be shown as a matchup, if not asked otherwise",
  ),
  mcp_matches_max: fixed("http", 50, "matches in one answer of an MCP tool"),
  matchups_minimum_max: fixed(
    "http",
    10_000,
    "games that an answer about matchups may demand at most",
  ),
} as const;
