import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

type StepProps = {
  title: string;
  /** Something in it takes the focus instead of its heading. */
  hasFocus?: boolean;
  children: ComponentChildren;
};

/** A step of its own: its heading is read out as it appears. */
export function Step({ title, hasFocus = false, children }: StepProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!hasFocus) heading.current?.focus();
  }, [title]);
  return (
    <div class="step">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}
