import { Copy } from "./copy.tsx";

type CodeProps = {
  text: string;
  /** What it is, with its article: "the command that starts it". */
  label: string;
};

/** Lines to copy. A long one is wrapped. */
export function Code({ text, label }: CodeProps) {
  return (
    <div class="code">
      <pre role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
      <Copy text={text} label={label} />
    </div>
  );
}
