import type { RegisteredBot } from "#core/api/bot.ts";
import { Form } from "#site/ui/form.tsx";
import type { FormValues, FormField } from "#site/ui/form.tsx";

import type { CreateData } from "./data.ts";
import { submitRegistration } from "./register-bot-request.ts";

type RegisterBotFormProps = { data: CreateData; onRegistered: (bot: RegisteredBot) => void };

export function RegisterBotForm({ data, onRegistered }: RegisterBotFormProps) {
  const submit = async (values: FormValues) => {
    const result = await submitRegistration(values);
    if (result.kind === "refused") return result;
    onRegistered(result.bot);
    return null;
  };
  const fields = [botNameField(data), ownerField(data)];
  return (
    <Form
      id="new"
      fields={data.registration_key_needed ? [...fields, REGISTRATION_KEY_FIELD] : fields}
      submitLabel="Register"
      busyLabel="Registering…"
      onSubmit={submit}
    />
  );
}

export const botNameField = ({ name_length: [minLength, maxLength] }: CreateData): FormField => ({
  name: "name",
  label: "Name",
  hint: `${minLength}–${maxLength} letters, digits, - or _ (case-insensitive).`,
});

const ownerField = ({ owner_length }: CreateData): FormField => ({
  name: "owner",
  label: "Owner",
  hint: `Optional. Shown with the bot; up to ${owner_length} characters.`,
  isOptional: true,
});

const REGISTRATION_KEY_FIELD: FormField = {
  name: "key",
  label: "Registration key",
  kind: "secret",
  hint: "This ladder requires a registration key. Ask its operator for it.",
  isOptional: true,
};
