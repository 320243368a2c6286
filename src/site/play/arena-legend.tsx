import type { ComponentChildren } from "preact";

export function ArenaLegend() {
  return (
    <ul class="play-legend sub">
      <li>
        <LegendTile>
          <rect class="legend-shade" width="10" height="10" />
        </LegendTile>
        shaded: out of your sight
      </li>
      <li>
        <LegendTile>
          <rect class="map-low" x="1" y="1" width="8" height="8" rx="1" />
        </LegendTile>
        low wall: stops steps, not attacks
      </li>
    </ul>
  );
}

function LegendTile({ children }: { children: ComponentChildren }) {
  return (
    <svg class="legend-tile" viewBox="0 0 10 10" aria-hidden="true">
      <rect class="map-floor" width="10" height="10" />
      {children}
    </svg>
  );
}
