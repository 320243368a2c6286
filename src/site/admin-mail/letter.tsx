import { LetterFrame } from "./letter-frame.tsx";

export type ShownLetter = { subject: string; html: string; text: string };

/** A letter, both ways in which it goes out. */
export function Letter({ subject, html, text }: ShownLetter) {
  return (
    <div class="letter">
      <p>
        <span class="sub">Subject</span> <bdi class="letter-subject">{subject}</bdi>
      </p>
      <LetterFrame {...{ subject, html }} />
      <details>
        <summary>The same as text</summary>
        <pre class="letter-text" tabIndex={0} dir="auto">
          {text}
        </pre>
      </details>
    </div>
  );
}
