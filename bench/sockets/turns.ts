export type SwarmObservation = {
  tick: number;
  self: { x: number; y: number };
  moves: readonly string[];
};

const ATTACKS = ["bolt", "strike", "repulse", "hook"];
const DIRECTIONS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];

export const nextRandom = (random: number): number =>
  (Math.imul(random, 1664525) + 1013904223) >>> 0;

/**
 * Walks to the middle, out of the zone, and attacks at random. This gives matches a typical length.
 */
export function createTurn(
  observation: SwarmObservation,
  center: readonly [number, number],
  random: number,
): string {
  const { tick, self, moves } = observation;
  const inwardMove = directionTo(center[0] - self.x, center[1] - self.y);
  const randomMove = moves[random % moves.length] ?? "n";
  const move = random % 4 !== 0 && moves.includes(inwardMove) ? inwardMove : randomMove;
  const name = ATTACKS[(random >>> 8) % ATTACKS.length];
  const target = DIRECTIONS[(random >>> 12) % DIRECTIONS.length];
  const attack = random % 5 === 0 ? `,"attack":{"name":"${name}","target":"${target}"}` : "";
  return `{"type":"turn","tick":${tick},"move":"${move}"${attack}}`;
}

function directionTo(dx: number, dy: number): string {
  const vertical = dy < 0 ? "n" : dy > 0 ? "s" : "";
  return vertical + (dx < 0 ? "w" : dx > 0 ? "e" : "");
}
