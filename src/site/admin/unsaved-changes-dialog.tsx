import { useEffect, useRef } from "preact/hooks";

type UnsavedChangesDialogProps = {
  /** A sentence that says what would be lost. */
  warning: string;
  onLeave: () => void;
  onStay: () => void;
};

export function UnsavedChangesDialog({ warning, onLeave, onStay }: UnsavedChangesDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="console-dialog" aria-label="Unsaved changes" onClose={onStay}>
      <h2>Leave this page?</h2>
      <p>{warning}</p>
      <div class="console-acts">
        <button type="button" class="button" onClick={onStay}>
          Stay
        </button>
        <button type="button" class="button quiet" onClick={onLeave}>
          Leave without saving
        </button>
      </div>
    </dialog>
  );
}
