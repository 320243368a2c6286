/** Says how to appeal a moderation decision. `contact` is the operator's own text. */
export function AppealContact({ contact }: { contact: string | null }) {
  return (
    <>
      If you think this is a mistake, contact the operator
      {contact === null ? (
        " of this server."
      ) : (
        <>
          : <bdi>{contact}</bdi>
        </>
      )}
    </>
  );
}
