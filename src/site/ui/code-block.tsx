import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { CopyButton } from "./copy-button.tsx";

type CodeBlockProps = {
  text: string;
  /** Describes the content, with an article: "the command that starts it". */
  label: string;
};

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
  /** Heading that says what happened. */
  title: ComponentChildren;
  text: string;
  /** Describes the secret, with an article: "the token". */
  label: string;
  /** Whether the secret was used or saved. If so, leaving the page loses nothing. */
  isStored: boolean;
  /** Says what the secret is for and how to store it. */
  children: ComponentChildren;
};

/** Shows a token or key that can't be displayed again. */
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
