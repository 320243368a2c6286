// How a fight stands, in a sentence or two.
import type { FightState } from "./fight-state.ts";

export function standing({ seen, foe, news }: FightState): string {
  if (seen === null) return "";
  const [other] = seen.fighters;
  const [last] = news.slice(-1);
  const place =
    other === undefined || "alive" in other
      ? ""
      : other.visible
        ? ` ${awayWords(other.x - seen.self.x, other.y - seen.self.y)}`
        : " out of sight";
  return `You ${seen.self.hp}, ${foe} ${other?.hp ?? 0} hp${place}. ${last?.text ?? ""}`;
}

/** Where something is from here, in tiles. */
function awayWords(x: number, y: number): string {
  const parts = [
    y === 0 ? "" : `${Math.abs(y)} ${y < 0 ? "north" : "south"}`,
    x === 0 ? "" : `${Math.abs(x)} ${x < 0 ? "west" : "east"}`,
  ].filter((part) => part !== "");
  return parts.join(", ");
}
