import type { DeliveryCounts } from "#core/mail/delivery.ts";
import { Fact, Facts } from "#site/admin/facts.tsx";
import { Bar } from "#site/look/parts.tsx";

import { DELIVERY_ORDER, STATE_TITLES } from "./mail-words.ts";

const GROUPED = new Intl.NumberFormat("en");

/** How many letters are in which state, and how far they are together. */
export function Deliveries({ counts }: { counts: DeliveryCounts }) {
  const all = DELIVERY_ORDER.reduce((sum, state) => sum + counts[state], 0);
  const ended = all - counts.pending - counts.sending;
  const words = `${GROUPED.format(ended)} of ${GROUPED.format(all)} letters are through.`;
  return (
    <>
      <Facts>
        {DELIVERY_ORDER.map((state) => (
          <Fact key={state} title={STATE_TITLES[state]}>
            {GROUPED.format(counts[state])}
          </Fact>
        ))}
      </Facts>
      {all > 0 && (
        <div class="deliveries-way">
          <Bar value={ended} max={all} label={words} tone="gold" />
          <p class="sub">
            {words} Unknown ones may have arrived and are never sent again; skipped ones were not
            wanted any more.
          </p>
        </div>
      )}
    </>
  );
}
