import { fixedLimit } from "./limit-row.ts";

export const EVENT_LIMITS = {
  image_bytes: fixedLimit("event", 5 * 1024 * 1024, "bytes per uploaded event image"),
  image_pixels: fixedLimit("event", 40_000_000, "pixels per uploaded event image"),
  image_width_max: fixedLimit("event", 1600, "pixels; wider images are scaled down"),
  image_height_max: fixedLimit("event", 900, "pixels; taller images are scaled down"),
  image_decode_s: fixedLimit("event", 15, "seconds to decode an image"),
  image_alt_max: fixedLimit("event", 300, "characters in an image's alternative text"),
  event_name_max: fixedLimit("event", 60, "characters in the name of an event or achievement"),
  event_description_max: fixedLimit("event", 1000, "characters in an event's description"),
  event_about_max: fixedLimit(
    "event",
    500,
    "characters in an achievement's description, and in each text about an event's purpose",
  ),
  event_instructions_max: fixedLimit("event", 4000, "characters in submission instructions"),
  event_url_max: fixedLimit("event", 2000, "characters in the submission URL"),
  condition_most: fixedLimit(
    "event",
    10_000,
    "maximum value of a number in an achievement's condition",
  ),
  opponent_request_every_s: fixedLimit(
    "event",
    300,
    "seconds between the starts of an account's requested games in an event",
  ),
  evidence_shown: fixedLimit("event", 10, "matches shown as evidence of an achievement"),
};
