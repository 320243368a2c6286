import { useEffect, useRef } from "preact/hooks";

type LeavingProps = {
  /** What would be lost, as a sentence. */
  loss: string;
  leave: () => void;
  stay: () => void;
};

/** Asks before what was typed is lost. */
export function Leaving({ loss, leave, stay }: LeavingProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="console-dialog" aria-label="Leave this part" onClose={stay}>
      <h2>Leave this part?</h2>
      <p>{loss}</p>
      <div class="console-acts">
        <button type="button" class="button" onClick={stay}>
          Stay here
        </button>
        <button type="button" class="button quiet" onClick={leave}>
          Leave and lose it
        </button>
      </div>
    </dialog>
  );
}
