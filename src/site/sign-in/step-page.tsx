import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

type StepPageProps = {
  title: string;
  /** Whether an element inside the step takes focus instead of the heading. */
  hasFocus?: boolean;
  children: ComponentChildren;
};

/** A sign-in step. Its heading takes focus on mount, so screen readers announce the step. */
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
  text: string;
  /** Shown without JavaScript. */
  children: ComponentChildren;
};

/** Shown until the session is known. */
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
