import type { Account } from "#core/resources/account.ts";
import { Form } from "#site/look/form.tsx";
import type { FormAnswers, FormQuestion } from "#site/look/form.tsx";
import { userPath } from "#site/look/links.ts";
import { Section } from "#site/look/parts.tsx";
import type { Desk } from "#site/sign-in/desk.ts";
import { inForm } from "#site/sign-in/ladder.ts";
import { Step } from "#site/sign-in/step.tsx";

import type { AccountData } from "./data.ts";

type HandleProps = { data: AccountData; desk: Desk; account: Account };

/**
 * What has to be there before anything else: the name that the bots are shown with. Its heading has
 * the focus: a key that was meant for the step before takes no name that nobody has read.
 */
export function FirstHandle({ data, desk, account }: HandleProps) {
  const given = account.suggested_handle ?? "";
  return (
    <Step title="Choose a handle">
      <p class="lead">
        Everybody sees it: it stands with your bots and names your public page. It can be changed
        later.
      </p>
      <Form
        id="handle"
        questions={[question(data, given)]}
        action="Take it"
        waiting="Taking it…"
        send={(answers) => choose(desk, answers)}
      />
    </Step>
  );
}

export function Handle({ data, desk, handle }: HandleProps & { handle: string }) {
  const { former_names_days: days } = data;
  return (
    <Section id="handle" title="Handle">
      <p class="sub">
        Your bots and <a href={userPath(handle)}>your public page</a> follow a new handle at once,
        and the old address leads there. The old handle stays yours for {days} days.
      </p>
      <Form
        key={handle}
        id="new-handle"
        questions={[question(data, handle)]}
        action="Change it"
        waiting="Changing it…"
        send={(answers) => choose(desk, answers)}
      />
    </Section>
  );
}

const question = ({ handle_length: [least, most] }: AccountData, given: string): FormQuestion => ({
  name: "handle",
  label: "Handle",
  given,
  hint: `${least}–${most} of A–Z a–z 0–9 . _ -, beginning with a letter or digit.`,
});

async function choose({ ask, show, say }: Desk, { handle = "" }: FormAnswers) {
  const answer = await ask<Account>("PUT", "/api/account/handle", { handle });
  if ("refusal" in answer)
    return inForm(answer.refusal, { invalid_handle: "handle", handle_taken: "handle" });
  say(`Your handle is ${handle}.`);
  show({ at: "in", account: answer.value });
  return null;
}
