// Avatars of the house bots, on a gym theme.

import { discPath, starPath } from "./avatar-shape.ts";
import type { AvatarDrawing } from "./avatar-shape.ts";

/** By bot name. */
export const HOUSE_AVATARS = {
  // A kite, because it keeps its distance.
  "house-kiter": [
    ["gold", "M19.1 31h1.8v5h-1.8zM20 35.2l-5.5-2.7v5.4zM20 35.2l5.5-2.7v5.4z"],
    ["pale", "M20 4l13.5 13L20 32 6.5 17z"],
    ["tint", "M20 4l13.5 13H20zM20 17v15L6.5 17z"],
    ["line", "M20 4.5v27M7 17h26"],
    ["dark", discPath(15.2, 13.6, 1.9), "twin"],
    ["dark", "M15.6 20.5c2.8 1.2 6 1.2 8.8 0-1 4.2-7.8 4.2-8.8 0z"],
  ],
  // A head guard behind two gloves, because it closes in.
  "house-brawler": [
    [
      "tint",
      "M20 3.5c9 0 13.5 5.5 13.5 13.5 0 9.5-5.5 16-13.5 16S6.5 26.5 6.5 17" +
        "C6.5 9 11 3.5 20 3.5z",
    ],
    ["dark", "M12 13c5-2.6 11-2.6 16 0l1.2 5.5-2.2 4.5v6.5c-4 2.6-10 2.6-14 0V23l-2.2-4.5z"],
    [
      "pale",
      "M13.2 13.9c4.3-2 9.3-2 13.6 0l1 4.4-2.1 4.3-.2 6c-3.2 1.9-7.8 1.9-11 0l-.2-6-2.1-4.3z",
    ],
    ["dark", "M13.8 16.6l5 1.5v1.7c-2.6.7-4.6-.3-5-3.2z", "twin"],
    ["gold", "M17 21.8l6-1.4.5 1.9-6 1.4z"],
    ["dark", "M16 26h8v1.9h-8z"],
    ["line", "M10.5 9.5c6-2.3 13-2.3 19 0M20 4v4.5"],
    [
      "gold",
      "M6.5 32c0-3.4 2.5-5.5 5.5-5.5s5.1 2 5.3 4.8c1.3.2 2 1.2 2 2.6V41H8" +
        "c0-3.5-1.5-5.5-1.5-9z",
      "twin",
    ],
    [
      "line",
      "M6.5 32c0-3.4 2.5-5.5 5.5-5.5s5.1 2 5.3 4.8c1.3.2 2 1.2 2 2.6V41H8" +
        "c0-3.5-1.5-5.5-1.5-9zM8 36.5h11M13.5 31.5c1.3-.6 2.3-.4 3.3.3",
      "twin",
    ],
  ],
  // A training dummy of sackcloth on a post.
  "house-ts-starter": [
    ["tint", "M17 30h6v11h-6zM6 35h28v3.5H6z"],
    ["gold", "M16 8.5L11.5 4 17.5 5.5 20 1.5l2.5 4L28.5 4 24 8.5z"],
    ["pale", "M20 6.5c7.5 0 11.5 4.5 11.5 12S27.5 33 20 33 8.5 26 8.5 18.5s4-12 11.5-12z"],
    ["tint", "M12 29.3h16l-1.5 3.5h-13z"],
    ["dark", discPath(14.6, 19.5, 2.7), "twin"],
    ["pale", "M13.3 19.1h2.6v.8h-2.6zM14.2 18.2h.8v2.6h-.8z", "twin"],
    ["line", "M12.5 24.3q7.5 4.7 15 0M15.3 24.3l-.6 2.6M20 25.4v2.6M24.7 24.3l.6 2.6"],
    ["gold", discPath(20, 12, 3)],
    ["dark", discPath(20, 12, 1.3)],
  ],
  // A mask with laurels.
  "house-champion": [
    [
      "gold",
      "M14.5 36.5c-4 .3-7-1-9-4 3-.6 5.5 0 7.5 1.6-3.6-1.4-6-4-7-7.6 3-.2 5.2 1 6.7" +
        " 3.3C10 27 9.3 23.7 10 20c2.5 1.6 3.6 4 3.3 7z",
      "twin",
    ],
    [
      "gold",
      "M4.6 26.5c-1.6-3.2-1.5-6.4.2-9.4 2.2 2.2 2.8 4.7 1.8 7.5zM6 18.5" +
        "c-.6-3.4.4-6.3 3-8.7 1.4 2.8 1.2 5.3-.6 7.6zM10 11.5" +
        "c.6-3.4 2.6-5.6 6-6.6.4 3-.7 5.2-3.4 6.6z",
      "twin",
    ],
    ["pale", "M20 7.5c6.5 0 9.5 5 9.5 11.5S26 34.5 20 34.5 10.5 25.5 10.5 19 13.5 7.5 20 7.5z"],
    ["tint", "M11 16.5l7.7 2.3.6 6 .7 1.2.7-1.2.6-6 7.7-2.3v-2.3L20 16l-9-1.8z"],
    ["dark", "M12.3 18.7l5.6 1.7c-.6 2.3-4.6 2.5-5.6-1.7z", "twin"],
    ["dark", "M16 28.5c2.6-.9 5.4-.9 8 0l-4 1.3z"],
    ["gold", starPath(5, [20, 11.3], 3.4, 1.4)],
  ],
} as const satisfies Record<string, AvatarDrawing>;
