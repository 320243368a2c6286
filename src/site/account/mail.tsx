import { useState } from "preact/hooks";

import { EMAIL_PREFERENCES } from "#core/accounts/account.ts";
import type { Account } from "#core/resources/account.ts";
import { Section } from "#site/look/parts.tsx";
import type { Desk } from "#site/sign-in/desk.ts";

type Choice = "email_announcements" | (typeof EMAIL_PREFERENCES)[number];

const WORDS: Readonly<Record<Choice, string>> = {
  email_announcements: "What the operator announces",
  onboarding: "First steps, until your first rated game",
  achievements: "When you earn an achievement",
  bot_health: "When a bot of yours is in trouble, and when it is well again",
  event_reminders: "A day before an event opens and closes",
  weekly_digest: "On Mondays, how your bots did",
  admin_warnings: "What an operator should know of the server",
};

type MailProps = { desk: Desk; account: Account };

/** Which mail the account wants more than what concerns its safety. */
export function Mail({ desk, account }: MailProps) {
  const shown = EMAIL_PREFERENCES.filter((name) => name !== "admin_warnings" || account.admin);
  return (
    <Section id="mail" title="Mail">
      <p class="sub">
        Mail about your sign-in, your keys and programs, and what an operator does with your bots
        and your account always comes.
      </p>
      <p class="sub">
        All other mail comes if you want it. You can also refuse it by the link in each letter:
      </p>
      <ul class="choices-of-mail">
        {(["email_announcements", ...shown] as const).map((name) => (
          <MailChoice key={name} {...{ desk, account, name }} />
        ))}
      </ul>
    </Section>
  );
}

function MailChoice({ desk, account, name }: MailProps & { name: Choice }) {
  const isKept =
    name === "email_announcements" ? account.email_announcements : account.email_preferences[name];
  const [isOn, setOn] = useState(isKept);
  const choose = async (isWanted: boolean) => {
    setOn(isWanted);
    const change =
      name === "email_announcements"
        ? { email_announcements: isWanted }
        : { email_preferences: { [name]: isWanted } };
    const answer = await desk.ask<Account>("PUT", "/api/account/notifications", change);
    if ("refusal" in answer) {
      setOn(!isWanted);
      return desk.say(answer.refusal.text);
    }
    desk.say(isWanted ? "Kept: you want this mail." : "Kept: you do not want this mail.");
    desk.show({ at: "in", account: answer.value });
  };
  return (
    <li>
      <label class="choice-of-mail">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget }) => void choose(currentTarget.checked)}
        />
        {WORDS[name]}
      </label>
    </li>
  );
}
