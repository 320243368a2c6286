import { useEffect, useState } from "preact/hooks";

const FEEDBACK_MS = 2000;

type CopyButtonProps = {
  text: string;
  /** Names the copied content for screen readers. */
  label: string;
};

type CopyState = "waiting" | "ready" | "done" | "failed";

/** Hidden without JavaScript. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const [state, setState] = useState<CopyState>("waiting");
  useEffect(() => setState("ready"), []);
  useEffect(() => {
    if (state !== "done" && state !== "failed") return undefined;
    const timer = setTimeout(() => setState("ready"), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => setState((await writeToClipboard(text)) ? "done" : "failed");
  const onClick = () => void copy();
  return (
    <span class={`copy ${state}`}>
      <button type="button" class="copy-button" onClick={onClick}>
        {COPY_LABELS[state]}
        <span class="visually-hidden"> {label}</span>
      </button>
      <span class="visually-hidden" role="status">
        {state === "done" || state === "failed" ? COPY_LABELS[state] : ""}
      </span>
    </span>
  );
}

const COPY_LABELS: Record<CopyState, string> = {
  waiting: "Copy",
  ready: "Copy",
  done: "Copied",
  failed: "Copy manually",
};

/** Browsers provide the clipboard only to secure origins. */
async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
