import type { RegisteredBot } from "#core/resources/bot.ts";
import { Form } from "#site/look/form.tsx";
import type { FormAnswers, FormQuestion } from "#site/look/form.tsx";

import { register } from "./create-request.ts";
import type { CreateData } from "./data.ts";

type CreateFormProps = { data: CreateData; onBot: (bot: RegisteredBot) => void };

/** Asks for a name and registers it, for nobody's account. */
export function CreateForm({ data, onBot }: CreateFormProps) {
  const send = async (wish: FormAnswers) => {
    const outcome = await register(wish);
    if (outcome.kind === "refused") return outcome;
    onBot(outcome.bot);
    return null;
  };
  const questions = [nameQuestion(data), ownerQuestion(data)];
  return (
    <Form
      id="new"
      questions={data.registration_key_needed ? [...questions, KEY_QUESTION] : questions}
      action="Register"
      waiting="Registering…"
      send={send}
    />
  );
}

export const nameQuestion = ({ name_length: [least, most] }: CreateData): FormQuestion => ({
  name: "name",
  label: "Name",
  hint: `${least}–${most} of A–Z a–z 0–9 _ -, unique whatever the letter case.`,
});

const ownerQuestion = ({ owner_length }: CreateData): FormQuestion => ({
  name: "owner",
  label: "Owner",
  hint: `Optional, shown with the bot: up to ${owner_length} characters.`,
  isOptional: true,
});

const KEY_QUESTION: FormQuestion = {
  name: "key",
  label: "Registration key",
  kind: "secret",
  hint: "This ladder registers bots with its own key. Its operator hands it out.",
  isOptional: true,
};
