import type { ComponentChildren } from "preact";

/** A titled part of a page. */
export function Section(props: {
  id: string;
  title: string;
  note?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="section" id={props.id} aria-labelledby={`${props.id}-title`}>
      <div class="section-head">
        <h2 id={`${props.id}-title`}>{props.title}</h2>
        {props.note !== undefined && <div class="section-note">{props.note}</div>}
      </div>
      {props.children}
    </section>
  );
}

/** A bar whose filled share is `value / max`; `label` says it in words. */
export function Bar(props: { value: number; max: number; label: string; tone?: string }) {
  const share = Math.max(0, Math.min(100, (props.value / props.max) * 100));
  return (
    <svg
      class={`bar ${props.tone ?? ""}`}
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      role="img"
      aria-label={props.label}
    >
      <rect class="bar-back" width="100" height="6" />
      <rect class="bar-fill" width={share.toFixed(2)} height="6" />
    </svg>
  );
}
