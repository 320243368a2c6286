import { useState } from "preact/hooks";

import { EMAIL_PREFERENCES } from "#core/accounts/account.ts";
import type { Account } from "#core/api/account.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";
import { Section } from "#site/ui/section.tsx";

type PreferenceName = "email_announcements" | (typeof EMAIL_PREFERENCES)[number];

const PREFERENCE_LABELS: Readonly<Record<PreferenceName, string>> = {
  email_announcements: "Announcements from the operator",
  onboarding: "Getting started, until your first rated game",
  achievements: "New achievements",
  bot_health: "When one of your bots has problems, and when it recovers",
  event_reminders: "A day before an event opens or closes",
  weekly_digest: "Weekly summary of your bots, on Mondays",
  admin_warnings: "Server warnings for operators",
};

type EmailPreferencesProps = { auth: AuthContext; account: Account };

export function EmailPreferencesSection({ auth, account }: EmailPreferencesProps) {
  const visiblePreferences = EMAIL_PREFERENCES.filter(
    (name) => name !== "admin_warnings" || account.admin,
  );
  return (
    <Section id="mail" title="Email">
      <p class="sub">
        You always get email about your sign-in, agent keys and connected apps, and about operator
        actions on your bots and account.
      </p>
      <p class="sub">
        All other email is optional. You can also unsubscribe with the link in each email:
      </p>
      <ul class="choices-of-mail">
        {(["email_announcements", ...visiblePreferences] as const).map((name) => (
          <PreferenceCheckbox key={name} {...{ auth, account, name }} />
        ))}
      </ul>
    </Section>
  );
}

function PreferenceCheckbox({
  auth,
  account,
  name,
}: EmailPreferencesProps & { name: PreferenceName }) {
  const isSaved =
    name === "email_announcements" ? account.email_announcements : account.email_preferences[name];
  const [isOn, setOn] = useState(isSaved);
  const savePreference = async (isEnabled: boolean) => {
    setOn(isEnabled);
    const change =
      name === "email_announcements"
        ? { email_announcements: isEnabled }
        : { email_preferences: { [name]: isEnabled } };
    const response = await auth.sendRequest<Account>("PUT", "/api/account/notifications", change);
    if ("refusal" in response) {
      setOn(!isEnabled);
      return auth.showStatusMessage(response.refusal.text);
    }
    auth.showStatusMessage(
      isEnabled ? "Saved. You'll get these emails." : "Saved. You won't get these emails.",
    );
    auth.setAuthState({ status: "in", account: response.value });
  };
  return (
    <li>
      <label class="choice-of-mail">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget }) => void savePreference(currentTarget.checked)}
        />
        {PREFERENCE_LABELS[name]}
      </label>
    </li>
  );
}
