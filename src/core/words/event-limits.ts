// The limits of events. Part of the one table, in limits.ts.

import { fixed } from "./limit-row.ts";

export const EVENT_LIMITS = {
  image_bytes: fixed("event", 5 * 1024 * 1024, "bytes of an event's picture, as it is sent"),
  image_pixels: fixed("event", 40_000_000, "pixels of an event's picture, as it is sent"),
  image_width_max: fixed("event", 1600, "pixels; a wider picture is made smaller"),
  image_height_max: fixed("event", 900, "pixels; a higher picture is made smaller"),
  image_decode_s: fixed("event", 15, "seconds to decode a picture"),
  image_alt_max: fixed("event", 300, "characters of the text in place of a picture"),
  event_name_max: fixed("event", 60, "characters of the name of an event or an achievement"),
  event_description_max: fixed("event", 1000, "characters of an event's description"),
  event_about_max: fixed(
    "event",
    500,
    "characters of an achievement's description, and of each text about an event's purpose",
  ),
  event_instructions_max: fixed("event", 4000, "characters of how to hand something in"),
  event_url_max: fixed("event", 2000, "characters of the address where it is handed in"),
  condition_most: fixed("event", 10_000, "the largest number in a condition of an achievement"),
  opponent_request_every_s: fixed(
    "event",
    300,
    "seconds between the starts of two games that an account asked for in an event",
  ),
  evidence_shown: fixed("event", 10, "matches shown as evidence of an achievement"),
};
