// Email links are untrusted, so parsing keeps known parameters only.

const EMAIL_STEP_PURPOSES = ["signup", "recovery", "email_change"] as const;

export type EmailStep = {
  purpose: (typeof EMAIL_STEP_PURPOSES)[number];
  path: string;
};

/**
 * Parses the fragment of an email link. `root` is the provider's base path. Returns null if the
 * token or the purpose is missing. Ignores unknown parameters.
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
