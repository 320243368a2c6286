import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { CopyButton } from "./copy-button.tsx";

type CodeBlockProps = {
  text: string;
  /** What it is, with an article: "the command that starts it". */
  label: string;
};

/** A code block with a copy button. Long lines wrap. */
export function CodeBlock({ text, label }: CodeBlockProps) {
  return (
    <div class="code-box">
      <pre role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}

type SecretPanelProps = {
  /** Heading: what happened. */
  title: ComponentChildren;
  text: string;
  /** What it is, with an article: "the token". */
  label: string;
  /** Whether the secret was used or saved, so leaving the page loses nothing. */
  isStored: boolean;
  /** What it's for and how to store it. */
  children: ComponentChildren;
};

/** Shows a token or key that is displayed only once. */
export function SecretPanel({ title, text, label, isStored, children }: SecretPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    if (isStored) return undefined;
    const warn = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isStored]);
  return (
    <div class="secret">
      <h3 ref={heading} tabIndex={-1}>
        {title}
      </h3>
      <CodeBlock text={text} label={label} />
      {children}
    </div>
  );
}
