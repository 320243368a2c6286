import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { toFormRefusal } from "#site/sign-in/account-api.ts";
import type { AccountRefusal } from "#site/sign-in/account-api.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";
import { Form } from "#site/ui/form.tsx";
import type { FormValues, FormField, FormRefusal } from "#site/ui/form.tsx";

type Method = "POST" | "PUT" | "DELETE";

type ActionRequest = { method: Method; path: string; body?: object };

type ActionFormProps = {
  auth: AuthContext;
  label: string;
  title: string;
  confirmLabel: string;
  busyLabel: string;
  cancelLabel?: string;
  children: ComponentChildren;
  /** Use "row" for an action in a table row, which looks like a link. */
  variant?: "button" | "row";
  fields?: readonly FormField[];
  /** Text that the operator must type to confirm an irreversible action. */
  confirmationText?: string;
  /** Returns the requests to send in order, or the field to correct. */
  requestFor: (values: FormValues) => ActionRequest | readonly ActionRequest[] | FormRefusal;
  doneMessage: (response: unknown) => string;
  onDone?: (response: unknown) => void | Promise<void>;
  /** Returns true if the page handles the error itself. The dialog then closes. */
  handlesRefusal?: (refusal: AccountRefusal) => boolean;
};

const CONFIRMATION_FIELD = "typed";
const HEADING_SELECTOR = ".console-part h1";

export const ActionBar = ({ children }: { children: ComponentChildren }) => (
  <div class="console-acts">{children}</div>
);

/**
 * An operator action: a button that opens a dialog, which sends the requests. Errors use the API's
 * wording.
 */
export function ActionForm(props: ActionFormProps) {
  const [isOpen, setOpen] = useState(false);
  const openButton = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    // A reload may have removed the button.
    setTimeout(() =>
      (openButton.current ?? document.querySelector<HTMLElement>(HEADING_SELECTOR))?.focus(),
    );
  };
  return (
    <>
      <button
        ref={openButton}
        type="button"
        class={props.variant === "row" ? "link-button" : "button quiet"}
        aria-label={props.variant === "row" ? props.title : undefined}
        onClick={() => setOpen(true)}
      >
        {props.label}
      </button>
      {isOpen && <ActionDialog {...props} onClose={close} />}
    </>
  );
}

function ActionDialog({ onClose, ...props }: ActionFormProps & { onClose: () => void }) {
  const {
    title,
    confirmLabel,
    busyLabel,
    cancelLabel = "Cancel",
    children,
    fields = [],
    confirmationText,
  } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const allFields =
    confirmationText === undefined ? fields : [...fields, confirmationField(confirmationText)];
  return (
    <dialog ref={dialog} class="console-dialog" aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      <div class="console-dialog-words">{children}</div>
      <Form
        id="act"
        fields={allFields}
        submitLabel={confirmLabel}
        busyLabel={busyLabel}
        autoFocuses={allFields.length > 0}
        onSubmit={async (values) => {
          const refusal = await runAction(props, values);
          if (refusal === null) onClose();
          return refusal;
        }}
      >
        <button type="button" class="button quiet" onClick={onClose}>
          {cancelLabel}
        </button>
      </Form>
    </dialog>
  );
}

const confirmationField = (confirmationText: string): FormField => ({
  name: CONFIRMATION_FIELD,
  label: `Type ${confirmationText} to confirm`,
  hint: "This cannot be undone.",
});

async function runAction(props: ActionFormProps, values: FormValues): Promise<FormRefusal | null> {
  const { auth, confirmationText, requestFor, doneMessage, onDone } = props;
  if (confirmationText !== undefined && values[CONFIRMATION_FIELD] !== confirmationText)
    return { field: CONFIRMATION_FIELD, text: `Type ${confirmationText} exactly.` };
  const request = requestFor(values);
  if ("text" in request) return request;
  if (!("method" in request)) return runAllRequests(props, request);
  const { method, path, body } = request;
  const response = await auth.sendRequest<unknown>(method, path, body);
  if ("refusal" in response)
    return props.handlesRefusal?.(response.refusal) === true
      ? null
      : toFormRefusal(response.refusal);
  await onDone?.(response.value);
  auth.showStatusMessage(doneMessage(response.value));
  return null;
}

/** Sends every request, even after an error. Returns the first error. */
async function runAllRequests(
  { auth, doneMessage, onDone }: ActionFormProps,
  requests: readonly ActionRequest[],
): Promise<FormRefusal | null> {
  let refusal: AccountRefusal | null = null;
  for (const { method, path, body } of requests) {
    const response = await auth.sendRequest<unknown>(method, path, body);
    if ("refusal" in response) refusal ??= response.refusal;
  }
  await onDone?.(null);
  if (refusal !== null) return toFormRefusal(refusal);
  auth.showStatusMessage(doneMessage(null));
  return null;
}
