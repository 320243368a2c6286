import type { ComponentChildren } from "preact";

export const FactList = ({ children }: { children: ComponentChildren }) => (
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

type DetailHeadProps = { title: string; backPath: string; backLabel: string };

export function DetailHead({ title, backPath, backLabel }: DetailHeadProps) {
  return (
    <div class="console-detail-head">
      <p>
        <a href={backPath}>← {backLabel}</a>
      </p>
      <h2>
        <bdi>{title}</bdi>
      </h2>
    </div>
  );
}
