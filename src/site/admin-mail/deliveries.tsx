import type { DeliveryCounts } from "#core/mail/delivery.ts";
import { Fact, FactList } from "#site/admin/fact-list.tsx";
import { Bar } from "#site/ui/section.tsx";

import {
  ORDERED_DELIVERY_STATES,
  describeDeliveries,
  DELIVERY_STATE_TITLES,
  totalDeliveries,
} from "./mail-labels.ts";

const GROUPED_FORMAT = new Intl.NumberFormat("en");

type DeliveryCountsViewProps = { counts: DeliveryCounts; scheduled?: number };

export function DeliveryCountsView({ counts, scheduled = 0 }: DeliveryCountsViewProps) {
  const total = totalDeliveries(counts);
  const text = describeDeliveries(counts);
  return (
    <>
      <FactList>
        {ORDERED_DELIVERY_STATES.map((state) => (
          <Fact key={state} title={DELIVERY_STATE_TITLES[state]}>
            {GROUPED_FORMAT.format(counts[state])}
          </Fact>
        ))}
        {scheduled > 0 && (
          <Fact title="Scheduled for later">{GROUPED_FORMAT.format(scheduled)}</Fact>
        )}
      </FactList>
      {total > 0 && (
        <div class="deliveries-way">
          <Bar value={counts.accepted} max={total} label={text} tone="gold" />
          <p class="sub">
            {text} Emails with an unknown outcome may have arrived and are never sent again. Skipped
            emails weren't sent because the account opted out, was banned or is suppressed.
          </p>
        </div>
      )}
    </>
  );
}
