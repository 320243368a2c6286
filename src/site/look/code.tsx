import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { Copy } from "./copy.tsx";

type CodeProps = {
  text: string;
  /** What it is, with its article: "the command that starts it". */
  label: string;
};

/** Lines to copy. A long one is wrapped. */
export function Code({ text, label }: CodeProps) {
  return (
    <div class="code-box">
      <pre role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
      <Copy text={text} label={label} />
    </div>
  );
}

type SecretProps = {
  /** What happened, as a heading. */
  title: ComponentChildren;
  text: string;
  /** What it is, with its article: "the token". */
  label: string;
  /** It is in use or put away, so leaving the page loses nothing. */
  isKept: boolean;
  /** What it is good for, and what to do with it. */
  children: ComponentChildren;
};

/** Shows a token or key this once. */
export function Secret({ title, text, label, isKept, children }: SecretProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    if (isKept) return undefined;
    const warn = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isKept]);
  return (
    <div class="secret">
      <h3 ref={heading} tabIndex={-1}>
        {title}
      </h3>
      <Code text={text} label={label} />
      {children}
    </div>
  );
}
