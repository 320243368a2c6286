// What a link of a mail wants to have done. It comes from anybody, so only known parts are taken.

const PURPOSES = ["signup", "recovery", "email_change"] as const;

export type MailStep = {
  purpose: (typeof PURPOSES)[number];
  /** Where the provider does it. */
  path: string;
};

/**
 * Reads the fragment of a link. `root` is the path of the provider. Null unless the fragment has a
 * token and a purpose; parts of it that the provider does not ask for are left out.
 */
export function readMailStep(fragment: string, root: string): MailStep | null {
  const given = new URLSearchParams(fragment.slice(1));
  const token = given.get("token");
  const purpose = PURPOSES.find((known) => known === given.get("type"));
  if (!token || purpose === undefined) return null;
  const query = new URLSearchParams({ token, type: purpose });
  const back = given.get("redirect_to");
  if (back !== null) query.set("redirect_to", back);
  return { purpose, path: `${root}/verify?${query.toString()}` };
}
