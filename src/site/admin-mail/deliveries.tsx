import type { DeliveryCounts } from "#core/mail/delivery.ts";
import { Fact, Facts } from "#site/admin/facts.tsx";
import { Bar } from "#site/look/parts.tsx";

import { DELIVERY_ORDER, sentWords, STATE_TITLES, totalOf } from "./mail-words.ts";

const GROUPED = new Intl.NumberFormat("en");

type DeliveriesProps = { counts: DeliveryCounts; scheduled?: number };

/** Emails by state, and how many of them the mail server accepted. */
export function Deliveries({ counts, scheduled = 0 }: DeliveriesProps) {
  const all = totalOf(counts);
  const words = sentWords(counts);
  return (
    <>
      <Facts>
        {DELIVERY_ORDER.map((state) => (
          <Fact key={state} title={STATE_TITLES[state]}>
            {GROUPED.format(counts[state])}
          </Fact>
        ))}
        {scheduled > 0 && <Fact title="Scheduled for later">{GROUPED.format(scheduled)}</Fact>}
      </Facts>
      {all > 0 && (
        <div class="deliveries-way">
          <Bar value={counts.accepted} max={all} label={words} tone="gold" />
          <p class="sub">
            {words} Unknown emails may have arrived and are never sent again. Skipped ones weren’t
            sent: the account opted out, was banned or is suppressed.
          </p>
        </div>
      )}
    </>
  );
}
