import type { ComponentChildren } from "preact";

/** What the ground of the arena means that its drawing does not say. */
export function Legend() {
  return (
    <ul class="play-legend sub">
      <li>
        <Tile>
          <rect class="legend-shade" width="10" height="10" />
        </Tile>
        shaded: out of your sight
      </li>
      <li>
        <Tile>
          <rect class="map-low" x="1" y="1" width="8" height="8" rx="1" />
        </Tile>
        low wall: stops steps, not attacks
      </li>
    </ul>
  );
}

function Tile({ children }: { children: ComponentChildren }) {
  return (
    <svg class="legend-tile" viewBox="0 0 10 10" aria-hidden="true">
      <rect class="map-floor" width="10" height="10" />
      {children}
    </svg>
  );
}
