import type { DaySpan } from "#core/operator/analytics.ts";
import { Form } from "#site/look/form.tsx";

import { spanText } from "./span.ts";

type SpanFormProps = {
  /** Null for the usual days. */
  asked: DaySpan | null;
  /** What the server made of it; null until it has answered. */
  answered: DaySpan | null;
  look: (of: string | null) => void;
};

/** Which days. The server says what is wrong with them. */
export function SpanForm({ asked, answered, look }: SpanFormProps) {
  const shown = asked ?? answered;
  return (
    <div class="span-form">
      <Form
        // The usual days are known once the server has said them.
        key={shown === null ? "" : spanText(shown)}
        id="span"
        questions={[
          { name: "from", label: "From", kind: "day", given: shown?.from ?? "" },
          { name: "to", label: "To, in UTC", kind: "day", given: shown?.to ?? "" },
        ]}
        action="Show these days"
        waiting="Asking…"
        send={async ({ from = "", to = "" }) => {
          look(spanText({ from, to }));
          return null;
        }}
      >
        {asked !== null && (
          <button type="button" class="button quiet" onClick={() => look(null)}>
            Latest days
          </button>
        )}
      </Form>
    </div>
  );
}
