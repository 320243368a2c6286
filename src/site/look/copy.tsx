import { useEffect, useState } from "preact/hooks";

const SHOWN_MS = 2000;

type CopyProps = {
  text: string;
  /** What is copied, for those who do not see where the button is. */
  label: string;
};

type Copied = "waiting" | "ready" | "done" | "failed";

/** A button that copies a text. It is there only where a script runs it. */
export function Copy({ text, label }: CopyProps) {
  const [state, setState] = useState<Copied>("waiting");
  useEffect(() => setState("ready"), []);
  useEffect(() => {
    if (state !== "done" && state !== "failed") return undefined;
    const timer = setTimeout(() => setState("ready"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => setState((await put(text)) ? "done" : "failed");
  const onClick = () => void copy();
  return (
    <span class={`copy ${state}`}>
      <button type="button" class="copy-button" onClick={onClick}>
        {COPY_WORDS[state]}
        <span class="visually-hidden"> {label}</span>
      </button>
      <span class="visually-hidden" role="status">
        {state === "done" || state === "failed" ? COPY_WORDS[state] : ""}
      </span>
    </span>
  );
}

const COPY_WORDS: Record<Copied, string> = {
  waiting: "Copy",
  ready: "Copy",
  done: "Copied",
  failed: "Copy by hand",
};

/** Browsers give a clipboard to secure origins alone. */
async function put(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
