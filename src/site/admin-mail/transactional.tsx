import type { Emails } from "#core/operator/email.ts";
import { Fact, Facts } from "#site/admin/facts.tsx";
import { Moment } from "#site/admin/moment.tsx";
import { Section } from "#site/look/parts.tsx";

type Transactional = Emails["transactional"];

const GROUPED = new Intl.NumberFormat("en");

const COUNTS = [
  ["Waiting", "waiting"],
  ["Being retried", "retrying"],
  ["Sent", "sent"],
  ["Failed", "failed"],
  ["Given up", "given_up"],
  ["Rate limited", "rate_limited"],
] as const;

/** Email about accounts, which is counted in memory only. */
export function TransactionalMail(email: Transactional) {
  const { last_sent: sent, last_failure: failure } = email;
  return (
    <Section
      id="mail-transactional"
      title="Transactional email"
      note="Sign-up, recovery and security emails since the server started. Failed ones are retried for about 85 minutes."
    >
      <Facts>
        {COUNTS.map(([title, count]) => (
          <Fact key={count} title={title}>
            {GROUPED.format(email[count])}
          </Fact>
        ))}
        <Fact title="Last sent">{sent === null ? "None yet" : <Moment at={sent} />}</Fact>
        <Fact title="Last failure">{failure === null ? "None" : <Failure {...failure} />}</Fact>
      </Facts>
    </Section>
  );
}

function Failure({ at, code, response }: NonNullable<Transactional["last_failure"]>) {
  return (
    <>
      {code}
      {response === null ? "" : ` ${response}`}, <Moment at={at} />
    </>
  );
}
