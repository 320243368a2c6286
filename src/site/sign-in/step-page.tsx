import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

type StepPageProps = {
  title: string;
  /** Whether an element inside takes focus instead of the heading. */
  hasFocus?: boolean;
  children: ComponentChildren;
};

/** A step with a heading that is focused and read out on mount. */
export function StepPage({ title, hasFocus = false, children }: StepPageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!hasFocus) heading.current?.focus();
  }, [title]);
  return (
    <div class="way-in">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}

type LoadingStepProps = {
  title: string;
  /** Text of the loading state. */
  text: string;
  /** What to do without JavaScript. */
  children: ComponentChildren;
};

/** Loading state until the session is known. */
export function LoadingStep({ title, text, children }: LoadingStepProps) {
  return (
    <div class="way-in">
      <h1>{title}</h1>
      <noscript>
        <p class="notice">{children}</p>
      </noscript>
      <p class="sub looking">{text}</p>
    </div>
  );
}
