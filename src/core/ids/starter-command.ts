/**
 * Returns shell commands that start the TypeScript starter. They check for TypeScript support
 * first, because older versions of Node would fail with ERR_UNKNOWN_FILE_EXTENSION and a stack
 * trace.
 */
export const starterShellCommand = (flags: string): string =>
  `node -e 'if (!process.features.typescript) {
  console.error("starter.ts needs Node 22.18 or newer: https://nodejs.org");
  process.exit(1);
}' && node starter.ts ${flags}`;
