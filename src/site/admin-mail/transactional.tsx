import type { Emails } from "#core/api/admin-emails.ts";
import { AdminTime } from "#site/admin/admin-time.tsx";
import { Fact, FactList } from "#site/admin/fact-list.tsx";
import { Section } from "#site/ui/section.tsx";

type Transactional = Emails["transactional"];

const GROUPED_FORMAT = new Intl.NumberFormat("en");

const COUNT_LABELS = [
  ["Waiting", "waiting"],
  ["Retrying", "retrying"],
  ["Sent", "sent"],
  ["Failed", "failed"],
  ["Gave up", "given_up"],
  ["Rate limited", "rate_limited"],
] as const;

/** Shows counts of account emails. The server keeps them in memory only. */
export function TransactionalMail(email: Transactional) {
  const { last_sent: lastSent, last_failure: lastFailure } = email;
  return (
    <Section
      id="mail-transactional"
      title="Transactional email"
      note="Sign-up, recovery and security emails since the server started. Failed ones are retried for about 85 minutes."
    >
      <FactList>
        {COUNT_LABELS.map(([title, count]) => (
          <Fact key={count} title={title}>
            {GROUPED_FORMAT.format(email[count])}
          </Fact>
        ))}
        <Fact title="Last sent">
          {lastSent === null ? "None yet" : <AdminTime instant={lastSent} />}
        </Fact>
        <Fact title="Last failure">
          {lastFailure === null ? "None" : <LastFailure {...lastFailure} />}
        </Fact>
      </FactList>
    </Section>
  );
}

function LastFailure({ at: instant, code, response }: NonNullable<Transactional["last_failure"]>) {
  return (
    <>
      {code}
      {response === null ? "" : ` ${response}`}, <AdminTime instant={instant} />
    </>
  );
}
