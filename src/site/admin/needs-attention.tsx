import type { Attention } from "#core/api/admin.ts";
import { attentionItems } from "#core/api/attention.ts";
import type { HealthView } from "#core/api/server-health.ts";
import { urgentNotes, assessHealth } from "#site/admin-metrics/health-verdict.ts";

import { adminPath } from "./console-location.ts";

type NeedsAttentionProps = { attention: Attention; health: HealthView | null };

export function NeedsAttention({ attention, health }: NeedsAttentionProps) {
  const items = [
    ...(health === null ? [] : healthAttentionItems(assessHealth(health).problems, true)),
    ...attentionItems(attention),
    ...(health === null ? [] : healthAttentionItems(urgentNotes(health), false)),
  ];
  if (items.length === 0) return <p class="notice attention calm">Nothing needs attention.</p>;
  const isUrgent = items.some((item) => item.isUrgent);
  return (
    <div class={isUrgent ? "notice attention bad" : "notice attention"}>
      <p class="attention-title">Needs attention</p>
      <ul>
        {items.map(({ text, part, itemId: selectedId }) => (
          <li key={text}>
            <a href={adminPath(part, selectedId)}>{text}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

const healthAttentionItems = (messages: readonly string[], isUrgent: boolean) =>
  messages.map((text) => ({ text, part: "health", itemId: null, isUrgent }));
