// Where the link in a letter leads that refuses letters like it. It works without scripts.

import type { UnsubscribeData } from "./data.ts";

/** What letters of a category are about, for their readers. */
const ABOUT: Readonly<Record<NonNullable<UnsubscribeData["category"]>, string>> = {
  announcements: "announcements",
  onboarding: "first steps on the ladder",
  achievements: "achievements",
  bot_health: "the health of your bots",
  event_reminders: "events that open and close",
  weekly_digest: "the week of your bots",
  admin_warnings: "trouble of the ladder",
};

export function UnsubscribePage({ data }: { data: UnsubscribeData }) {
  const { category, action } = data;
  if (category === null) return <Dead />;
  const about = ABOUT[category];
  return (
    <section class="section unsubscribe">
      <h1>{action === null ? "It is done" : "No more of this mail?"}</h1>
      <p>
        {action === null
          ? `You get no more mail about ${about}.`
          : `You will get no more mail about ${about}. Other mail stays as it is.`}
      </p>
      {action !== null && (
        <form method="post" action={action}>
          <button class="button" type="submit">
            No more mail about {about}
          </button>
        </form>
      )}
      <p>
        <a href="/account">Your account</a> says which mail you get, and takes this back.
      </p>
    </section>
  );
}

function Dead() {
  return (
    <section class="section unsubscribe">
      <h1>This link does nothing any more</h1>
      <p>
        It has run out, or part of it is missing. <a href="/account">Your account</a> says which
        mail you get.
      </p>
    </section>
  );
}
