import { attentionItems } from "#core/operator/attention.ts";
import type { HealthView } from "#core/operator/health.ts";
import type { Attention } from "#core/resources/admin.ts";
import { urgentNotes, verdictOn } from "#site/admin-figures/verdict.ts";

import { consolePath } from "./place.ts";

type NeedsAttentionProps = { attention: Attention; health: HealthView | null };

/** Items that need an operator's attention, each with a link to its part of the console. */
export function NeedsAttention({ attention, health }: NeedsAttentionProps) {
  const items = [
    ...(health === null ? [] : healthItems(verdictOn(health).troubles, true)),
    ...attentionItems(attention),
    ...(health === null ? [] : healthItems(urgentNotes(health), false)),
  ];
  if (items.length === 0) return <p class="notice attention calm">Nothing needs attention.</p>;
  const isUrgent = items.some((item) => item.isUrgent);
  return (
    <div class={isUrgent ? "notice attention bad" : "notice attention"}>
      <p class="attention-title">Needs attention</p>
      <ul>
        {items.map(({ text, part, of }) => (
          <li key={text}>
            <a href={consolePath(part, of)}>{text}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

const healthItems = (texts: readonly string[], isUrgent: boolean) =>
  texts.map((text) => ({ text, part: "health", of: null, isUrgent }));
