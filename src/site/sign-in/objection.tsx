/** Whom people tell that an operator was wrong about them. `contact` is the operator's own text. */
export function Objection({ contact }: { contact: string | null }) {
  return (
    <>
      If you think that this is wrong, tell the operator
      {contact === null ? (
        " of the ladder."
      ) : (
        <>
          : <bdi>{contact}</bdi>
        </>
      )}
    </>
  );
}
