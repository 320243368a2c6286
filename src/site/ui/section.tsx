import type { ComponentChildren } from "preact";

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

/** A bar filled to `value / max`. `label` is the text alternative. */
export function Bar(props: { value: number; max: number; label: string; tone?: string }) {
  const percent = Math.max(0, Math.min(100, (props.value / props.max) * 100));
  return (
    <svg
      class={`bar ${props.tone ?? ""}`}
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      role="img"
      aria-label={props.label}
    >
      <rect class="bar-back" width="100" height="6" />
      <rect class="bar-fill" width={percent.toFixed(2)} height="6" />
    </svg>
  );
}
