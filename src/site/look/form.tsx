import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { localOf } from "./when-words.ts";

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
  number: { type: "text", autocomplete: "off", inputmode: "decimal" },
  // In the reader's own zone; its answer is UTC.
  instant: { type: "datetime-local", autocomplete: "off", step: 1 },
  day: { type: "date", autocomplete: "off" },
} as const;

type FormChoice = { value: string; words: string };

/** What a form asks for. */
export type FormQuestion = {
  name: string;
  label: string;
  /** Several lines are `paragraphs`. */
  kind?: keyof typeof KINDS | "paragraphs";
  hint?: ComponentChildren;
  /** What stands in it at first. */
  given?: string;
  isOptional?: boolean;
  /** Most characters. */
  most?: number;
  /** The only answers there are. */
  choices?: readonly FormChoice[];
  /** Whether any number of the choices is one answer: their values with a space between. */
  isSeveral?: boolean;
  /** Questions next to each other with the same group are one group, with this as its heading. */
  group?: string;
  /** Asked only while the choice of another question is one of `values`; else answered with "". */
  onlyIf?: { name: string; values: readonly string[] };
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
  const { id, action, waiting, children } = props;
  const { questions, onChoice } = useShown(props.questions);
  const { form, isReady, isSending, refusal, submit } = useSending({ ...props, questions });
  const onInput = ({ target }: Event) => {
    onChoice(target as HTMLElement);
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
      {groupsOf(questions).map(({ group, members }) => {
        const fields = members.map((question) => (
          <Field
            key={question.name}
            id={`${id}-${question.name}`}
            {...{ question }}
            refusal={refusal?.field === question.name ? refusal.text : null}
          />
        ));
        return group === undefined ? (
          fields
        ) : (
          <fieldset key={group} class="question-group">
            <legend>{group}</legend>
            {fields}
          </fieldset>
        );
      })}
      <p class="form-send">
        <button
          class="button"
          type="submit"
          {...(isReady ? { "aria-disabled": isSending } : { disabled: true })}
        >
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

type QuestionGroup = { group: string | undefined; members: FormQuestion[] };

function groupsOf(questions: readonly FormQuestion[]): QuestionGroup[] {
  const groups: QuestionGroup[] = [];
  for (const question of questions) {
    const { group } = question;
    const last = groups.at(-1);
    if (last !== undefined && last.group === group) last.members.push(question);
    else groups.push({ group, members: [question] });
  }
  return groups;
}

/** The questions that the present choices leave. */
function useShown(all: readonly FormQuestion[]) {
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const choiceOf = (name: string): string => {
    const question = all.find((one) => one.name === name);
    return chosen[name] ?? question?.given ?? question?.choices?.[0]?.value ?? "";
  };
  return {
    questions: all.filter(
      ({ onlyIf }) => onlyIf === undefined || onlyIf.values.includes(choiceOf(onlyIf.name)),
    ),
    onChoice: (target: HTMLElement) => {
      if (target instanceof HTMLSelectElement)
        setChosen((before) => ({ ...before, [target.name]: target.value }));
    },
  };
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
  const answers = questions.map((question): [string, string] => {
    const { name, kind = "text", isSeveral = false } = question;
    const text = data
      .getAll(isSeveral ? manyOf(name) : name)
      .filter((given) => typeof given === "string")
      .join(" ");
    if (kind === "instant") return [name, instantIn(text, question.given)];
    return [name, kind.endsWith("password") ? text : text.trim()];
  });
  return Object.fromEntries(answers);
}

/** The brackets say that several fields have one name. */
const manyOf = (name: string) => `${name}[]`;

/** What was not touched stays as it was, to the millisecond. */
function instantIn(text: string, given: string = ""): string {
  if (text === "") return "";
  // Browsers leave out seconds of 0.
  const [written, shown] = [new Date(text), new Date(localOf(given))];
  return written.getTime() === shown.getTime() ? given : written.toISOString();
}

type FieldProps = { id: string; question: FormQuestion; refusal: string | null };

function Field({ id, question, refusal }: FieldProps) {
  const { label, hint, isSeveral = false } = question;
  const described = [
    ...(refusal === null ? [] : [`${id}-refusal`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ];
  const told = {
    "aria-invalid": refusal !== null,
    "aria-describedby": described.length > 0 ? described.join(" ") : undefined,
  };
  return (
    <div class={refusal === null ? "question" : "question refused"}>
      {isSeveral ? (
        <Several {...{ id, question }} describedBy={told["aria-describedby"]} />
      ) : (
        <>
          <label for={id}>{label}</label>
          <Control {...{ id, question, told }} />
        </>
      )}
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

type ControlProps = { id: string; question: FormQuestion; told: object };

function Control({ id, question, told }: ControlProps) {
  const { name, kind = "text", given, isOptional = false, most, choices } = question;
  const shared = { id, name, required: !isOptional, ...told };
  if (choices !== undefined)
    return (
      <select {...shared}>
        {choices.map(({ value, words }) => (
          <option key={value} value={value} selected={value === given}>
            {words}
          </option>
        ))}
      </select>
    );
  const length = most === undefined ? {} : { maxLength: most };
  if (kind === "paragraphs")
    return <textarea {...shared} {...length} rows={5} defaultValue={given} spellcheck={false} />;
  const shown = kind === "instant" && given !== undefined ? localOf(given) : given;
  return <input {...shared} {...KINDS[kind]} {...length} defaultValue={shown} spellcheck={false} />;
}

type SeveralProps = { id: string; question: FormQuestion; describedBy: string | undefined };

/** Boxes to tick; the first of them has the id by which the question is found. */
function Several({ id, question, describedBy }: SeveralProps) {
  const { name, label, given = "", choices = [] } = question;
  const ticked = given.split(" ");
  return (
    <fieldset class="several" aria-describedby={describedBy}>
      <legend>{label}</legend>
      {choices.map(({ value, words }, at) => (
        <label key={value}>
          <input
            id={at === 0 ? id : undefined}
            type="checkbox"
            name={manyOf(name)}
            value={value}
            defaultChecked={ticked.includes(value)}
          />{" "}
          {words}
        </label>
      ))}
    </fieldset>
  );
}
