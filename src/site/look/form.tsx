import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** What fields are for, so that password managers and keyboards of phones know it too. */
const KINDS = {
  text: { type: "text", autocomplete: "off", autocapitalize: "none" },
  address: { type: "email", autocomplete: "username" },
  "new address": { type: "email", autocomplete: "email" },
  password: { type: "password", autocomplete: "current-password" },
  "new password": { type: "password", autocomplete: "new-password" },
  // So that no password of somebody's is filled in.
  secret: { type: "password", autocomplete: "new-password" },
  digits: { type: "text", autocomplete: "one-time-code", inputmode: "numeric", maxLength: 6 },
} as const;

/** What a form asks for. */
export type FormQuestion = {
  name: string;
  label: string;
  kind?: keyof typeof KINDS;
  hint?: ComponentChildren;
  /** What stands in it at first. */
  given?: string;
  isOptional?: boolean;
};

/** By the names of the questions, without space at the ends; passwords are as they were typed. */
export type FormAnswers = Readonly<Record<string, string>>;

/** `field` is null if no field is to blame. */
export type FormRefusal = {
  field: string | null;
  text: string;
  /** As the other side calls it, where a page does something about it. */
  code?: string;
};

type FormProps = {
  /** Begins the ids of its fields. */
  id: string;
  questions: readonly FormQuestion[];
  /** What the button says, and what it says while the answer is awaited. */
  action: string;
  waiting: string;
  /** Null if it went well. */
  send: (answers: FormAnswers) => Promise<FormRefusal | null>;
  /** The first field gets the focus as the form appears. */
  isFocused?: boolean;
  /** Sends as soon as the last digit is typed. */
  sendsItself?: boolean;
  /** Next to the button. */
  children?: ComponentChildren;
};

/** Asks, and says what is refused at the field to blame. */
export function Form(props: FormProps) {
  const { id, questions, action, waiting, children } = props;
  const { form, isReady, isSending, refusal, submit } = useSending(props);
  const onInput = ({ target }: Event) => {
    if (props.sendsItself === true && (target as HTMLInputElement).value.length === DIGITS)
      void submit();
  };
  return (
    <form
      ref={form}
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onInput={onInput}
      noValidate
    >
      {questions.map((question) => (
        <Field
          key={question.name}
          id={`${id}-${question.name}`}
          {...{ question }}
          refusal={refusal?.field === question.name ? refusal.text : null}
        />
      ))}
      <p class="form-send">
        <button class="button" type="submit" disabled={!isReady} aria-disabled={isSending}>
          {isSending ? waiting : action}
        </button>
        {children}
      </p>
      <p class="refusal" role="alert">
        {refusal?.field === null ? refusal.text : ""}
      </p>
    </form>
  );
}

const DIGITS = KINDS.digits.maxLength;

function useSending({ id, questions, send, isFocused = false }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const isUnderWay = useRef(false);
  const [isReady, setReady] = useState(false);
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<FormRefusal | null>(null);
  const focus = (field: string | undefined) =>
    form.current?.querySelector<HTMLElement>(`[id="${id}-${field}"]`)?.focus();
  useEffect(() => {
    setReady(true);
    if (isFocused) focus(questions[0]?.name);
  }, []);
  useEffect(() => {
    if (refusal?.field) focus(refusal.field);
  }, [refusal]);
  const submit = async () => {
    if (form.current === null || isUnderWay.current) return;
    const answers = answersIn(form.current, questions);
    const missing = questions.find(({ name, isOptional }) => !isOptional && answers[name] === "");
    if (missing !== undefined)
      return setRefusal({ field: missing.name, text: `${missing.label}: please fill this in.` });
    isUnderWay.current = true;
    setSending(true);
    setRefusal(null);
    const refused = await send(answers);
    isUnderWay.current = false;
    setSending(false);
    setRefusal(refused);
  };
  return { form, isReady, isSending, refusal, submit };
}

function answersIn(form: HTMLFormElement, questions: readonly FormQuestion[]): FormAnswers {
  const data = new FormData(form);
  const answers = questions.map(({ name, kind = "text" }): [string, string] => {
    const given = data.get(name);
    const text = typeof given === "string" ? given : "";
    return [name, kind.endsWith("password") ? text : text.trim()];
  });
  return Object.fromEntries(answers);
}

type FieldProps = { id: string; question: FormQuestion; refusal: string | null };

function Field({ id, question, refusal }: FieldProps) {
  const { name, label, kind = "text", hint, given, isOptional = false } = question;
  const described = [
    ...(refusal === null ? [] : [`${id}-refusal`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ];
  return (
    <div class={refusal === null ? "question" : "question refused"}>
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        {...KINDS[kind]}
        defaultValue={given}
        required={!isOptional}
        spellcheck={false}
        aria-invalid={refusal !== null}
        aria-describedby={described.length > 0 ? described.join(" ") : undefined}
      />
      <p class="refusal" id={`${id}-refusal`}>
        {refusal}
      </p>
      {hint !== undefined && (
        <p class="sub" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
