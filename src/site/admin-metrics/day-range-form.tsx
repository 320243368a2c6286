import type { DaySpan } from "#core/api/analytics.ts";
import { Form } from "#site/ui/form.tsx";

import { formatDayRange } from "./day-range.ts";

type DayRangeFormProps = {
  /** Null for the default range. */
  requestedRange: DaySpan | null;
  /** The range that the server applied, or null until loaded. */
  appliedRange: DaySpan | null;
  onSelect: (range: string | null) => void;
};

export function DayRangeForm({ requestedRange, appliedRange, onSelect }: DayRangeFormProps) {
  const shownRange = requestedRange ?? appliedRange;
  return (
    <div class="span-form">
      <Form
        // Remounts the form once the first response reveals the default range.
        key={shownRange === null ? "" : formatDayRange(shownRange)}
        id="span"
        fields={[
          { name: "from", label: "From", kind: "day", initialValue: shownRange?.from ?? "" },
          { name: "to", label: "To (UTC)", kind: "day", initialValue: shownRange?.to ?? "" },
        ]}
        submitLabel="Show days"
        busyLabel="Working…"
        onSubmit={async ({ from = "", to = "" }) => {
          onSelect(formatDayRange({ from, to }));
          return null;
        }}
      >
        {requestedRange !== null && (
          <button type="button" class="button quiet" onClick={() => onSelect(null)}>
            Latest days
          </button>
        )}
      </Form>
    </div>
  );
}
