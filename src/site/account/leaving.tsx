import { useState } from "preact/hooks";

import type { Account } from "#core/resources/account.ts";
import { Form } from "#site/look/form.tsx";
import type { FormAnswers } from "#site/look/form.tsx";
import { Section } from "#site/look/parts.tsx";
import { OUT } from "#site/sign-in/desk.ts";
import type { Desk } from "#site/sign-in/desk.ts";
import { inForm } from "#site/sign-in/ladder.ts";

import type { AccountData } from "./data.ts";
import { SignInAgain } from "./sign-in-again.tsx";

type LeavingProps = { data: AccountData; desk: Desk; account: Account };

/** Taking along what the ladder knows, and leaving. */
export function Leaving(props: LeavingProps) {
  return (
    <Section id="your-data" title="Your data">
      <Export desk={props.desk} />
      <Leave {...props} />
    </Section>
  );
}

function Export({ desk }: { desk: Desk }) {
  const [refusal, setRefusal] = useState("");
  const save = async () => {
    const answer = await desk.ask<object>("GET", "/api/account/export");
    if ("refusal" in answer) return setRefusal(answer.refusal.text);
    setRefusal("");
    download("account.json", JSON.stringify(answer.value, null, 2));
  };
  return (
    <div class="account-form">
      <p class="sub">Everything that this ladder knows of you, as one file of JSON:</p>
      <p>
        <button type="button" class="button quiet" onClick={() => void save()}>
          Download
        </button>
      </p>
      <p class="refusal" role="alert">
        {refusal}
      </p>
    </div>
  );
}

function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function Leave(props: LeavingProps) {
  const { data, desk, account } = props;
  const [isTooLate, setTooLate] = useState(false);
  return (
    <details class="leaving">
      <summary>Leave for good</summary>
      <div class="leaving-body">
        <p>
          Your sign-in, keys, programs and choices are deleted. Bots that never played are deleted
          too; the others retire, and their matches stay without your name. Your handle is kept for{" "}
          {data.former_names_days} days, then it is anybody's. Nobody can undo this.
        </p>
        {isTooLate ? (
          <SignInAgain
            {...{ data, desk, account }}
            so="so that nobody else leaves in your name"
            onDone={() => setTooLate(false)}
          />
        ) : (
          <Form
            id="leave"
            questions={[
              {
                name: "handle",
                label: "Type your handle to leave",
                hint: `It is ${account.handle}.`,
              },
            ]}
            action="Leave for good"
            waiting="Leaving…"
            send={(answers) => leave(desk, answers, () => setTooLate(true))}
          />
        )}
      </div>
    </details>
  );
}

type Left = { deleted_bots: string[]; retired_bots: string[]; identity: "deleted" | "kept" };

async function leave(desk: Desk, { handle }: FormAnswers, onTooLate: () => void) {
  const answer = await desk.ask<Left>("DELETE", "/api/account", { handle });
  if ("refusal" in answer) {
    const { refusal } = answer;
    if (refusal.code === "recent_sign_in_required") onTooLate();
    return { ...inForm(refusal), ...(refusal.code === undefined && { field: "handle" }) };
  }
  await desk.identity.signOut("local");
  desk.show({ ...OUT, notice: leftWords(answer.value) });
  return null;
}

function leftWords({ deleted_bots: deleted, retired_bots: retired, identity }: Left): string {
  const bots = [
    ...(deleted.length > 0 ? [`Deleted: ${deleted.join(", ")}.`] : []),
    ...(retired.length > 0 ? [`Retired: ${retired.join(", ")}.`] : []),
  ];
  const rest =
    identity === "kept"
      ? ["The identity provider of this ladder still knows you: ask there to be forgotten."]
      : [];
  return ["Your account is gone.", ...bots, ...rest].join(" ");
}
