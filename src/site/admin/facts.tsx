import type { ComponentChildren } from "preact";

/** A few figures or words, each with its name. */
export const Facts = ({ children }: { children: ComponentChildren }) => (
  <dl class="console-facts">{children}</dl>
);

export function Fact({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

type DetailHeadProps = { title: string; back: string; backWords: string };

/** Above one of the things that a part lists. */
export function DetailHead({ title, back, backWords }: DetailHeadProps) {
  return (
    <div class="console-detail-head">
      <p>
        <a href={back}>← {backWords}</a>
      </p>
      <h2>
        <bdi>{title}</bdi>
      </h2>
    </div>
  );
}
