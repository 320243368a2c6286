import type { MailDestination } from "#site/account/data.ts";

/** Says where to find emails if the server doesn't send them. */
export function EmailDestinationNotice({ destination }: { destination: MailDestination }) {
  if (destination === "sent") return null;
  return (
    <p class="notice">
      {destination === "terminal" ? (
        <>
          This server doesn't send email. The link is in the server's terminal, and the email with
          the code is in <code>outbox.jsonl</code> in its data folder.
        </>
      ) : (
        "This server doesn't send email. Ask its operator for the link or code."
      )}
    </p>
  );
}
