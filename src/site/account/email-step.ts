// The action an email link asks for. Links are untrusted, so only known parameters are used.

const EMAIL_STEP_PURPOSES = ["signup", "recovery", "email_change"] as const;

export type EmailStep = {
  purpose: (typeof EMAIL_STEP_PURPOSES)[number];
  /** URL of the provider that performs it. */
  path: string;
};

/**
 * Parses the fragment of a link. `root` is the path of the provider. Returns null without a token
 * and a purpose; ignores unknown parameters.
 */
export function parseEmailStep(fragment: string, root: string): EmailStep | null {
  const parameters = new URLSearchParams(fragment.slice(1));
  const token = parameters.get("token");
  const purpose = EMAIL_STEP_PURPOSES.find(
    (knownPurpose) => knownPurpose === parameters.get("type"),
  );
  if (!token || purpose === undefined) return null;
  const query = new URLSearchParams({ token, type: purpose });
  const redirectUrl = parameters.get("redirect_to");
  if (redirectUrl !== null) query.set("redirect_to", redirectUrl);
  return { purpose, path: `${root}/verify?${query.toString()}` };
}
