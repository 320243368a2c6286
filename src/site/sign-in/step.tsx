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
    <div class="way-in">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}

type LookingProps = {
  title: string;
  /** What is being found out. */
  words: string;
  /** What to do without a script, which alone can find it out. */
  children: ComponentChildren;
};

/** Until it is known who is here. */
export function Looking({ title, words, children }: LookingProps) {
  return (
    <div class="way-in">
      <h1>{title}</h1>
      <noscript>
        <p class="notice">{children}</p>
      </noscript>
      <p class="sub looking">{words}</p>
    </div>
  );
}
