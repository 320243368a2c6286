import { useEffect, useRef, useState } from "preact/hooks";

import type { RegisteredBot } from "#core/resources/bot.ts";

import { register } from "./create-request.ts";
import type { FormField, FormRefusal, Wish } from "./create-request.ts";
import type { CreateData } from "./data.ts";

type CreateFormProps = { data: CreateData; onBot: (bot: RegisteredBot) => void };

/** Asks for a name and registers it. What is refused is said at the field to blame. */
export function CreateForm({ data, onBot }: CreateFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isReady, setReady] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<FormRefusal | null>(null);
  useEffect(() => setReady(true), []);
  useEffect(() => {
    if (refusal?.field) form.current?.querySelector<HTMLElement>(`#new-${refusal.field}`)?.focus();
  }, [refusal]);
  const submit = async (event: Event) => {
    event.preventDefault();
    setAsking(true);
    setRefusal(null);
    const outcome = await register(wishOf(event.currentTarget as HTMLFormElement));
    setAsking(false);
    if (outcome.kind === "registered") onBot(outcome.bot);
    else setRefusal(outcome);
  };
  const said = (field: FormField) => (refusal?.field === field ? refusal.text : null);
  return (
    <form
      ref={form}
      class="create-form"
      onSubmit={(event) => void submit(event)}
      autocomplete="off"
      noValidate
    >
      <Question field="name" label="Name" hint={nameHint(data)} refusal={said("name")} isRequired />
      <Question field="owner" label="Owner" hint={ownerHint(data)} refusal={said("owner")} />
      {data.registration_key_needed && (
        <Question field="key" label="Registration key" hint={KEY_HINT} refusal={said("key")} />
      )}
      <p class="create-send">
        <button class="button" type="submit" disabled={!isReady || isAsking}>
          {isAsking ? "Registering…" : "Register"}
        </button>
      </p>
      <p class="refusal" role="alert">
        {refusal?.field === null ? refusal.text : ""}
      </p>
    </form>
  );
}

const nameHint = ({ name_length: [least, most] }: CreateData): string =>
  `${least}–${most} of A–Z a–z 0–9 _ -, unique whatever the letter case.`;
const ownerHint = ({ owner_length }: CreateData): string =>
  `Optional, shown with the bot: up to ${owner_length} characters.`;
const KEY_HINT = "This ladder registers bots with its own key. Its operator hands it out.";

function wishOf(form: HTMLFormElement): Wish {
  const data = new FormData(form);
  const text = (field: FormField) => {
    const given = data.get(field);
    return typeof given === "string" ? given.trim() : "";
  };
  return { name: text("name"), owner: text("owner"), key: text("key") };
}

const SECRET = { type: "password" } as const;
const PLAIN = { type: "text" } as const;

type QuestionProps = {
  field: FormField;
  label: string;
  hint: string;
  refusal: string | null;
  isRequired?: boolean;
};

function Question({ field, label, hint, refusal, isRequired = false }: QuestionProps) {
  const id = `new-${field}`;
  return (
    <div class={refusal === null ? "question" : "question refused"}>
      <label for={id}>{label}</label>
      <input
        id={id}
        name={field}
        {...(field === "key" ? SECRET : PLAIN)}
        required={isRequired}
        spellcheck={false}
        autocapitalize="none"
        autocomplete="off"
        aria-invalid={refusal !== null}
        aria-describedby={refusal === null ? `${id}-hint` : `${id}-refusal ${id}-hint`}
      />
      <p class="refusal" id={`${id}-refusal`}>
        {refusal}
      </p>
      <p class="sub" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}
