import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { toLocalInputValue } from "./time-format.ts";

/** Input attributes by field kind. Password managers and mobile keyboards depend on them. */
const FIELD_KINDS = {
  text: { type: "text", autocomplete: "off", autocapitalize: "none" },
  address: { type: "email", autocomplete: "username" },
  "new address": { type: "email", autocomplete: "email" },
  password: { type: "password", autocomplete: "current-password" },
  "new password": { type: "password", autocomplete: "new-password" },
  // Keeps password managers from filling in a saved password.
  secret: { type: "password", autocomplete: "new-password" },
  digits: { type: "text", autocomplete: "one-time-code", inputmode: "numeric", maxLength: 6 },
  number: { type: "text", autocomplete: "off", inputmode: "decimal" },
  // Displayed in the viewer's time zone and submitted as UTC.
  instant: { type: "datetime-local", autocomplete: "off", step: 1 },
  day: { type: "date", autocomplete: "off" },
} as const;

type FormFieldOption = { value: string; text: string };

export type FormField = {
  name: string;
  label: string;
  /** `paragraphs` is a multi-line text field. */
  kind?: keyof typeof FIELD_KINDS | "paragraphs";
  hint?: ComponentChildren;
  initialValue?: string;
  isOptional?: boolean;
  maxLength?: number;
  options?: readonly FormFieldOption[];
  /** Whether several options can be selected. The value is then a space-separated list. */
  allowsMultiple?: boolean;
  /** Consecutive fields with the same group share a fieldset. The group is its legend. */
  group?: string;
  /**
   * Shows the field only while another field has one of `values`. A hidden field is submitted as
   * "".
   */
  visibleWhen?: { name: string; values: readonly string[] };
};

/** Values by field name. All values except passwords are trimmed. */
export type FormValues = Readonly<Record<string, string>>;

/** `field` is null if the error belongs to no field. */
export type FormRefusal = {
  field: string | null;
  text: string;
  /** API error code, for pages that handle specific errors. */
  code?: string;
};

type FormProps = {
  id: string;
  fields: readonly FormField[];
  /** `busyLabel` replaces `submitLabel` while the form is submitting. */
  submitLabel: string;
  busyLabel: string;
  /** Returns null on success. */
  onSubmit: (values: FormValues) => Promise<FormRefusal | null>;
  autoFocuses?: boolean;
  /** Submits as soon as the last digit is typed. */
  submitsOnLastDigit?: boolean;
  children?: ComponentChildren;
};

/** A form that shows each error at the field it belongs to. */
export function Form(props: FormProps) {
  const { id, submitLabel, busyLabel, children } = props;
  const { questions: fields, onChoice } = useVisibleFields(props.fields);
  const { form, isReady, isSending, refusal, submit } = useSubmission({ ...props, fields });
  const onInput = ({ target }: Event) => {
    onChoice(target as HTMLElement);
    if (props.submitsOnLastDigit === true && (target as HTMLInputElement).value.length === DIGITS)
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
      {groupFields(fields).map(({ group, groupedFields }) => {
        const groupElements = groupedFields.map((question) => (
          <Field
            key={question.name}
            id={`${id}-${question.name}`}
            {...{ question }}
            refusal={refusal?.field === question.name ? refusal.text : null}
          />
        ));
        return group === undefined ? (
          groupElements
        ) : (
          <fieldset key={group} class="question-group">
            <legend>{group}</legend>
            {groupElements}
          </fieldset>
        );
      })}
      <p class="form-send">
        <button
          class="button"
          type="submit"
          {...(isReady ? { "aria-disabled": isSending } : { disabled: true })}
        >
          {isSending ? busyLabel : submitLabel}
        </button>
        {children}
      </p>
      <p class="refusal" role="alert">
        {refusal?.field === null ? refusal.text : ""}
      </p>
    </form>
  );
}

type FieldGroup = { group: string | undefined; groupedFields: FormField[] };

function groupFields(fields: readonly FormField[]): FieldGroup[] {
  const groups: FieldGroup[] = [];
  for (const groupedField of fields) {
    const { group } = groupedField;
    const last = groups.at(-1);
    if (last !== undefined && last.group === group) last.groupedFields.push(groupedField);
    else groups.push({ group, groupedFields: [groupedField] });
  }
  return groups;
}

function useVisibleFields(allFields: readonly FormField[]) {
  const [selectedValues, setSelectedValues] = useState<Readonly<Record<string, string>>>({});
  const selectedValueOf = (name: string): string => {
    const question = allFields.find((candidate) => candidate.name === name);
    return selectedValues[name] ?? question?.initialValue ?? question?.options?.[0]?.value ?? "";
  };
  return {
    questions: allFields.filter(
      ({ visibleWhen }) =>
        visibleWhen === undefined || visibleWhen.values.includes(selectedValueOf(visibleWhen.name)),
    ),
    onChoice: (target: HTMLElement) => {
      if (target instanceof HTMLSelectElement)
        setSelectedValues((before) => ({ ...before, [target.name]: target.value }));
    },
  };
}

const DIGITS = FIELD_KINDS.digits.maxLength;

function useSubmission({ id, fields, onSubmit, autoFocuses = false }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const isInFlight = useRef(false);
  const [isReady, setReady] = useState(false);
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<FormRefusal | null>(null);
  const focus = (field: string | undefined) =>
    form.current?.querySelector<HTMLElement>(`[id="${id}-${field}"]`)?.focus();
  useEffect(() => {
    setReady(true);
    if (autoFocuses) focus(fields[0]?.name);
  }, []);
  useEffect(() => {
    if (refusal?.field) focus(refusal.field);
  }, [refusal]);
  const submit = async () => {
    if (form.current === null || isInFlight.current) return;
    const values = readFormValues(form.current, fields);
    const emptyField = fields.find(({ name, isOptional }) => !isOptional && values[name] === "");
    if (emptyField !== undefined)
      return setRefusal({
        field: emptyField.name,
        text: `${emptyField.label}: please fill this in.`,
      });
    isInFlight.current = true;
    setSending(true);
    setRefusal(null);
    const submitError = await onSubmit(values);
    isInFlight.current = false;
    setSending(false);
    setRefusal(submitError);
  };
  return { form, isReady, isSending, refusal, submit };
}

function readFormValues(form: HTMLFormElement, fields: readonly FormField[]): FormValues {
  const formData = new FormData(form);
  const values = fields.map((question): [string, string] => {
    const { name, kind = "text", allowsMultiple = false } = question;
    const text = formData
      .getAll(allowsMultiple ? multipleFieldName(name) : name)
      .filter((entry) => typeof entry === "string")
      .join(" ");
    if (kind === "instant") return [name, readInstant(text, question.initialValue)];
    return [name, kind.endsWith("password") ? text : text.trim()];
  });
  return Object.fromEntries(values);
}

/** Brackets mark a field name shared by several inputs. */
const multipleFieldName = (name: string) => `${name}[]`;

/**
 * Returns the time as UTC. An unchanged input returns its initial value, which keeps the
 * milliseconds.
 */
function readInstant(text: string, initialValue: string = ""): string {
  if (text === "") return "";
  // Browsers omit the seconds if they are 0.
  const [typedInstant, initialInstant] = [
    new Date(text),
    new Date(toLocalInputValue(initialValue)),
  ];
  return typedInstant.getTime() === initialInstant.getTime()
    ? initialValue
    : typedInstant.toISOString();
}

type FieldProps = { id: string; question: FormField; refusal: string | null };

function Field({ id, question, refusal }: FieldProps) {
  const { label, hint, allowsMultiple = false } = question;
  const describedByIds = [
    ...(refusal === null ? [] : [`${id}-refusal`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ];
  const ariaAttributes = {
    "aria-invalid": refusal !== null,
    "aria-describedby": describedByIds.length > 0 ? describedByIds.join(" ") : undefined,
  };
  return (
    <div class={refusal === null ? "question" : "question refused"}>
      {allowsMultiple ? (
        <CheckboxGroup {...{ id, question }} describedBy={ariaAttributes["aria-describedby"]} />
      ) : (
        <>
          <label for={id}>{label}</label>
          <Control {...{ id, question, ariaAttributes }} />
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

type ControlProps = { id: string; question: FormField; ariaAttributes: object };

function Control({ id, question, ariaAttributes }: ControlProps) {
  const { name, kind = "text", initialValue, isOptional = false, maxLength, options } = question;
  const sharedAttributes = { id, name, required: !isOptional, ...ariaAttributes };
  if (options !== undefined)
    return (
      <select {...sharedAttributes}>
        {options.map(({ value, text }) => (
          <option key={value} value={value} selected={value === initialValue}>
            {text}
          </option>
        ))}
      </select>
    );
  const lengthAttributes = maxLength === undefined ? {} : { maxLength: maxLength };
  if (kind === "paragraphs")
    return (
      <textarea
        {...sharedAttributes}
        {...lengthAttributes}
        rows={5}
        defaultValue={initialValue}
        spellcheck={false}
      />
    );
  const inputValue =
    kind === "instant" && initialValue !== undefined
      ? toLocalInputValue(initialValue)
      : initialValue;
  return (
    <input
      {...sharedAttributes}
      {...FIELD_KINDS[kind]}
      {...lengthAttributes}
      defaultValue={inputValue}
      spellcheck={false}
    />
  );
}

type CheckboxGroupProps = { id: string; question: FormField; describedBy: string | undefined };

/** The first checkbox has the field's ID. */
function CheckboxGroup({ id, question, describedBy }: CheckboxGroupProps) {
  const { name, label, initialValue = "", options = [] } = question;
  const checkedValues = initialValue.split(" ");
  return (
    <fieldset class="several" aria-describedby={describedBy}>
      <legend>{label}</legend>
      {options.map(({ value, text }, index) => (
        <label key={value}>
          <input
            id={index === 0 ? id : undefined}
            type="checkbox"
            name={multipleFieldName(name)}
            value={value}
            defaultChecked={checkedValues.includes(value)}
          />{" "}
          {text}
        </label>
      ))}
    </fieldset>
  );
}
