import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import type { FormRefusal } from "./form.tsx";

type ConfirmActionProps = {
  /** `label` is for the first button, `confirmLabel` for the confirmation. */
  label: string;
  confirmLabel: string;
  children: ComponentChildren;
  /** Returns null on success. */
  onConfirm: () => Promise<FormRefusal | null>;
};

/**
 * An irreversible action. The first button opens a confirmation, and a second button runs the
 * action.
 */
export function ConfirmAction({ label, confirmLabel, children, onConfirm }: ConfirmActionProps) {
  const [isConfirming, setConfirming] = useState(false);
  const [isPending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [openButton, cancelButton] = [
    useRef<HTMLButtonElement>(null),
    useRef<HTMLButtonElement>(null),
  ];
  const wasConfirming = useRef(false);
  useEffect(() => {
    if (isConfirming) cancelButton.current?.focus();
    else if (wasConfirming.current) openButton.current?.focus();
    wasConfirming.current = isConfirming;
  }, [isConfirming]);
  const confirm = async () => {
    if (isPending) return;
    setPending(true);
    const actionError = await onConfirm();
    setPending(false);
    setRefusal(actionError?.text ?? null);
    if (actionError === null) setConfirming(false);
  };
  if (!isConfirming)
    return (
      <button
        ref={openButton}
        type="button"
        class="button quiet"
        onClick={() => setConfirming(true)}
      >
        {label}
      </button>
    );
  return (
    <div class="grave" role="group" aria-label={label}>
      <p>{children}</p>
      <p class="actions">
        <button
          ref={cancelButton}
          type="button"
          class="button quiet"
          onClick={() => setConfirming(false)}
        >
          Cancel
        </button>
        <button
          type="button"
          class="button grave-yes"
          aria-disabled={isPending}
          onClick={() => void confirm()}
        >
          {confirmLabel}
        </button>
      </p>
      <p class="refusal" role="alert">
        {refusal}
      </p>
    </div>
  );
}
