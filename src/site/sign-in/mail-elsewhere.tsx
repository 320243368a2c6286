import type { MailPlace } from "#site/account/data.ts";

/** Without a mail server, mails lie where the ladder runs. */
export function MailElsewhere({ mail }: { mail: MailPlace }) {
  if (mail === "sent") return null;
  return (
    <p class="notice">
      {mail === "terminal" ? (
        <>
          This ladder has no mail server. The link is on the terminal on which it runs, and the mail
          with its digits in the file <code>outbox.jsonl</code> of its data folder.
        </>
      ) : (
        "This ladder has no mail server. Its operator passes the link or the digits on."
      )}
    </p>
  );
}
