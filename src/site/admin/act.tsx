import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { Form } from "#site/look/form.tsx";
import type { FormAnswers, FormQuestion, FormRefusal } from "#site/look/form.tsx";
import type { Desk } from "#site/sign-in/desk.ts";
import { inForm } from "#site/sign-in/ladder.ts";
import type { AccountRefusal } from "#site/sign-in/ladder.ts";

type Method = "POST" | "PUT" | "DELETE";

type AskedRoute = { method: Method; path: string; body?: object };

type ActProps = {
  desk: Desk;
  /** On the button that opens the question. */
  ask: string;
  /** Of what: "Suspend Rex". Names the dialog. */
  title: string;
  /** On the button that does it, and what it says meanwhile. */
  yes: string;
  waiting: string;
  /** On the button that does nothing. */
  no?: string;
  /** What happens then. */
  children: ComponentChildren;
  /** A button of its own, or one among the words of a row. */
  look?: "button" | "row";
  questions?: readonly FormQuestion[];
  /** What has to be typed first, for what cannot be undone. */
  typed?: string;
  /** The requests that do it, in order; or what is wrong with an answer. */
  route: (answers: FormAnswers) => AskedRoute | readonly AskedRoute[] | FormRefusal;
  /** Said when it is done; also gets the answer to see to what the page should show now. */
  done: (answer: unknown) => string;
  onDone?: (answer: unknown) => void | Promise<void>;
  /** Whether the page itself sees to a refusal: then the question is closed. */
  isTaken?: (refusal: AccountRefusal) => boolean;
};

const TYPED = "typed";
const HEADING = ".console-part h1";

/** What may be done, side by side. */
export const Acts = ({ children }: { children: ComponentChildren }) => (
  <div class="console-acts">{children}</div>
);

/** Something that an operator does: asked in a dialog, done by a route, in the route's own words. */
export function Act(props: ActProps) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    // What the button was about may be gone once the part is drawn again.
    setTimeout(() => (opener.current ?? document.querySelector<HTMLElement>(HEADING))?.focus());
  };
  return (
    <>
      <button
        ref={opener}
        type="button"
        class={props.look === "row" ? "link-button" : "button quiet"}
        aria-label={props.look === "row" ? props.title : undefined}
        onClick={() => setOpen(true)}
      >
        {props.ask}
      </button>
      {isOpen && <Question {...props} onClose={close} />}
    </>
  );
}

function Question({ onClose, ...props }: ActProps & { onClose: () => void }) {
  const { title, yes, waiting, no = "Leave it as it is", children, questions = [], typed } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const all = typed === undefined ? questions : [...questions, typedQuestion(typed)];
  return (
    <dialog ref={dialog} class="console-dialog" aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      <div class="console-dialog-words">{children}</div>
      <Form
        id="act"
        questions={all}
        action={yes}
        waiting={waiting}
        isFocused={all.length > 0}
        send={async (answers) => {
          const refusal = await perform(props, answers);
          if (refusal === null) onClose();
          return refusal;
        }}
      >
        <button type="button" class="button quiet" onClick={onClose}>
          {no}
        </button>
      </Form>
    </dialog>
  );
}

const typedQuestion = (typed: string): FormQuestion => ({
  name: TYPED,
  label: `Type ${typed} to go on`,
  hint: "This cannot be undone.",
});

async function perform(props: ActProps, answers: FormAnswers): Promise<FormRefusal | null> {
  const { desk, typed, route, done, onDone } = props;
  if (typed !== undefined && answers[TYPED] !== typed)
    return { field: TYPED, text: `That is not ${typed}.` };
  const asked = route(answers);
  if ("text" in asked) return asked;
  if (!("method" in asked)) return performAll(props, asked);
  const { method, path, body } = asked;
  const answer = await desk.ask<unknown>(method, path, body);
  if ("refusal" in answer)
    return props.isTaken?.(answer.refusal) === true ? null : inForm(answer.refusal);
  await onDone?.(answer.value);
  desk.say(done(answer.value));
  return null;
}

/** Sends every request, even after one is refused, and returns the first refusal. */
async function performAll(
  { desk, done, onDone }: ActProps,
  asked: readonly AskedRoute[],
): Promise<FormRefusal | null> {
  let refusal: AccountRefusal | null = null;
  for (const { method, path, body } of asked) {
    const answer = await desk.ask<unknown>(method, path, body);
    if ("refusal" in answer) refusal ??= answer.refusal;
  }
  await onDone?.(null);
  if (refusal !== null) return inForm(refusal);
  desk.say(done(null));
  return null;
}
