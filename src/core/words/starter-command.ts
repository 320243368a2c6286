// How the TypeScript starter is started from a shell.

/**
 * Shell commands that start the TypeScript starter. A Node that can't read TypeScript would answer
 * with ERR_UNKNOWN_FILE_EXTENSION and a stack.
 */
export const startTypeScript = (flags: string): string =>
  `node -e 'if (!process.features.typescript) {
  console.error("starter.ts needs Node 22.18 or newer: https://nodejs.org");
  process.exit(1);
}' && node starter.ts ${flags}`;
