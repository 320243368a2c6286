// Generates the avatar of a bot whose owner chose none: a mask assembled from parts. The bot's name
// selects every part, so a bot always looks the same.

import { assertDefined } from "#base/util/assert-defined.ts";

import { discPath, starPath } from "./avatar-shape.ts";
import type { AvatarDrawing } from "./avatar-shape.ts";

type Shape = AvatarDrawing[number];
/** Returns one of the choices. Each call makes another choice for the same name. */
type Chooser = <T>(choices: readonly T[]) => T;

export function generatedAvatar(name: string): AvatarDrawing {
  const choose = chooserFor(name);
  const top = choose(TOPS);
  const side = choose(SIDES);
  const head: Shape = ["pale", headPath(choose)];
  return [...side, ...top, head, ...choose(MARKS), ...choose(EYES), ...choose(MOUTHS)];
}

/** Top, cheek and jaw are half widths around the middle at x = 20. */
function headPath(choose: Chooser): string {
  const top = choose([6, 8.5, 11, 13]);
  const cheek = choose([9, 11, 13]);
  const jaw = choose([2.5, 5.5, 8.5, 11]);
  const topY = choose([7, 10]);
  const cheekY = choose([16, 23]);
  const jawY = choose([33, 36]);
  const isRound = choose([true, false]);
  const corner = (x: number, y: number, controlX: number, controlY: number): string =>
    isRound ? `Q${controlX} ${controlY} ${x} ${y}` : `L${x} ${y}`;
  return [
    `M${20 - top} ${topY}H${20 + top}`,
    corner(20 + cheek, cheekY, 20 + cheek, topY + 2),
    corner(20 + jaw, jawY, 20 + cheek, jawY - 2),
    `H${20 - jaw}`,
    corner(20 - cheek, cheekY, 20 - cheek, jawY - 2),
    corner(20 - top, topY, 20 - cheek, topY + 2),
    "z",
  ].join("");
}

const TOPS: readonly (readonly Shape[])[] = [
  [
    ["line", "M15 10L11.5 4.5", "twin"],
    ["gold", discPath(11, 4, 2.2), "twin"],
  ],
  [["tint", "M14 13C6 12 4 7 5.5 2 8 6.5 12 7.5 18 8z", "twin"]],
  [["tint", "M16.5 14V1.5h7V14z"]],
  [["gold", "M8.5 13L7 3.5l6 4.5 7-7 7 7 6-4.5L31.5 13z"]],
  [["tint", "M9 14L8 2l10 8z", "twin"]],
  [["gold", "M15.5 12L20 0l4.5 12z"]],
  [["tint", `${discPath(13, 8, 4.5)}${discPath(20, 6, 5)}${discPath(27, 8, 4.5)}`]],
  [["dark", "M6.5 13C7 4.5 12 2 20 2s13 2.5 13.5 11z"]],
];

const SIDES: readonly (readonly Shape[])[] = [
  [],
  [["tint", discPath(7, 20, 4.5), "twin"]],
  [["tint", "M10 14L1.5 18l8.5 4-6 4 8 1z", "twin"]],
  [["gold", "M3.5 15.5h7v10h-7z", "twin"]],
  [["dark", "M10 10L3 32l9 5z", "twin"]],
  [["tint", "M11 34C5 33 2 36 1 41h15z", "twin"]],
];

const MARKS: readonly (readonly Shape[])[] = [
  [],
  [["gold", "M20 9l2.6 3.4L20 15.8l-2.6-3.4z"]],
  [["tint", "M17.8 8h4.4v26h-4.4z"]],
  [["tint", discPath(13, 25.5, 2), "twin"]],
  [["tint", "M10.5 25h19L25 35H15z"]],
  [["tint", "M20 8h9l2 9-2 10-4 7h-5z"]],
  [["gold", "M11 13.6h18v2.4H11z"]],
  [["gold", starPath(5, [20, 12.6], 3.6, 1.5)]],
];

const EYES: readonly (readonly Shape[])[] = [
  [["dark", discPath(15, 19.8, 2.5), "twin"]],
  [["dark", "M11.5 17.4l6.7 2.2v2.6c-4 .6-6.4-1.2-6.7-4.8z", "twin"]],
  [["dark", "M18.2 17.4l-6.7 2.2v2.6c4 .6 6.4-1.2 6.7-4.8z", "twin"]],
  [
    ["dark", "M10.5 17.4h19v5h-19z"],
    ["gold", "M12.5 18.9h5v2h-5z", "twin"],
  ],
  [
    ["dark", discPath(20, 20, 4.6)],
    ["gold", discPath(20, 20, 1.9)],
  ],
  [["line", "M12.8 17.6l4.6 4.6M17.4 17.6l-4.6 4.6", "twin"]],
  [["dark", "M12.4 17.2h5v5h-5z", "twin"]],
  [["line", "M12 21.4q2.9-4.4 5.8 0", "twin"]],
];

const MOUTHS: readonly (readonly Shape[])[] = [
  [["line", "M15.5 27q4.5 4.2 9 0"]],
  [["dark", "M15 27.2h10v1.9H15z"]],
  [["line", "M15.5 30q4.5-4.2 9 0"]],
  [
    ["dark", "M14.5 26h11v5h-11z"],
    ["pale", "M16.2 26h1.6v2.4h-1.6zM19.2 26h1.6v2.4h-1.6zM22.2 26h1.6v2.4h-1.6z"],
  ],
  [["dark", discPath(20, 28.6, 2.5)]],
  [["dark", "M14.8 26.4h10.4l-2 5-1.6-3h-3.2l-1.6 3z"]],
  [["line", "M14.6 29.2l2.7-2.6 2.7 2.6 2.7-2.6 2.7 2.6"]],
  [["line", "M16 26.4v4.4M20 26.4v5M24 26.4v4.4"]],
];

function chooserFor(name: string): Chooser {
  // FNV-1a, then the mixing steps of mulberry32 for each choice.
  let state = 0x81_1c_9d_c5;
  for (const character of name)
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93);
  return (choices) => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    const index = ((mixed ^ (mixed >>> 14)) >>> 0) % choices.length;
    return assertDefined(choices[index], "choice");
  };
}
