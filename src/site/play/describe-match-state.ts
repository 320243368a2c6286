import type { HumanMatchState } from "./match-state.ts";

export function describeMatchState({
  observation,
  opponentName,
  messages,
}: HumanMatchState): string {
  if (observation === null) return "";
  const [opponentView] = observation.fighters;
  const [lastMessage] = messages.slice(-1);
  const positionText =
    opponentView === undefined || "alive" in opponentView
      ? ""
      : opponentView.visible
        ? ` ${describeOffset(opponentView.x - observation.self.x, opponentView.y - observation.self.y)}`
        : " out of sight";
  return `You ${observation.self.hp}, ${opponentName} ${opponentView?.hp ?? 0} HP${positionText}. ${lastMessage?.text ?? ""}`;
}

/** Describes a relative position in tiles. */
function describeOffset(x: number, y: number): string {
  const parts = [
    y === 0 ? "" : `${Math.abs(y)} ${y < 0 ? "north" : "south"}`,
    x === 0 ? "" : `${Math.abs(x)} ${x < 0 ? "west" : "east"}`,
  ].filter((direction) => direction !== "");
  return parts.join(", ");
}
