/** Editors and agents whose scheme has no dot. */
const KNOWN_APP_SCHEMES: ReadonlySet<string> = new Set([
  "claude:",
  "cursor:",
  "goose:",
  "jetbrains:",
  "vscode:",
  "vscode-insiders:",
  "vscodium:",
  "windsurf:",
  "zed:",
]);

/** A reversed domain name such as `com.example.app:` (RFC 8252, section 7.1). */
const REVERSED_DOMAIN = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;

/**
 * Returns whether an OAuth client may use a private URL scheme, given as `URL.protocol`. Other
 * schemes, such as `ms-msdt:` or `smb:`, could start a program other than the client.
 */
export const isAppScheme = (protocol: string): boolean =>
  KNOWN_APP_SCHEMES.has(protocol) || REVERSED_DOMAIN.test(protocol);
