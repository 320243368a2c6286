import { useEffect, useState } from "preact/hooks";

const FEEDBACK_MS = 2000;

type CopyButtonProps = {
  text: string;
  /** Names the copied content for screen readers. */
  label: string;
  /** Shows an icon instead of text. */
  isIcon?: boolean;
};

type CopyState = "waiting" | "ready" | "done" | "failed";

/** Hidden without JavaScript. */
export function CopyButton({ text, label, isIcon = false }: CopyButtonProps) {
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
        {isIcon && <CopyIcon isDone={state === "done"} />}
        <span class={isIcon ? "visually-hidden" : undefined}>{COPY_LABELS[state]}</span>
        <span class="visually-hidden"> {label}</span>
      </button>
      <span class="visually-hidden" role="status">
        {state === "done" || state === "failed" ? COPY_LABELS[state] : ""}
      </span>
    </span>
  );
}

function CopyIcon({ isDone }: { isDone: boolean }) {
  const path = isDone ? "M3 8.5 6.5 12 13 4.5" : "M5.5 5.5h8v8h-8zM10.5 3v-.5h-8v8H3";
  return (
    <svg class="copy-icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={path} />
    </svg>
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
