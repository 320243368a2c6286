/** Editors and agents that register a scheme without a dot. */
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
 * Whether an OAuth client may use a URL scheme of its own, in the form of `URL.protocol`. Anything
 * else, such as `ms-msdt:` or `smb:`, could start a program that is not the client.
 */
export const isAppScheme = (protocol: string): boolean =>
  KNOWN_APP_SCHEMES.has(protocol) || REVERSED_DOMAIN.test(protocol);
