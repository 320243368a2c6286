// Landing page for unsubscribe links. Works without JavaScript.

import type { UnsubscribeData } from "./data.ts";

const CATEGORY_SUBJECTS: Readonly<Record<NonNullable<UnsubscribeData["category"]>, string>> = {
  announcements: "announcements",
  onboarding: "getting started",
  achievements: "achievements",
  bot_health: "bot health",
  event_reminders: "event reminders",
  weekly_digest: "weekly summaries",
  admin_warnings: "server warnings",
};

export function UnsubscribePage({ data }: { data: UnsubscribeData }) {
  const { category, action } = data;
  if (category === null) return <InvalidUnsubscribeLink />;
  const subject = CATEGORY_SUBJECTS[category];
  return (
    <section class="section unsubscribe">
      <h1>{action === null ? "You're unsubscribed" : "Unsubscribe?"}</h1>
      <p>
        {action === null
          ? `You won't get any more emails about ${subject}.`
          : `You'll no longer get emails about ${subject}. Other emails aren't affected.`}
      </p>
      {action !== null && (
        <form method="post" action={action}>
          <button class="button" type="submit">
            Unsubscribe from {subject}
          </button>
        </form>
      )}
      <p>
        <a href="/account">Your account</a> lets you change your email preferences at any time.
      </p>
    </section>
  );
}

function InvalidUnsubscribeLink() {
  return (
    <section class="section unsubscribe">
      <h1>This link isn't valid</h1>
      <p>
        It has expired or is incomplete. <a href="/account">Your account</a> lets you change your
        email preferences.
      </p>
    </section>
  );
}
