/** Returns why this Node can't run TypeScript files; null if it can. */
export function typescriptProblem(): string | null {
  // Undefined before Node 22.10.
  const { typescript } = process.features as { typescript?: string | false };
  return typescript ? null : `TypeScript needs Node 22.18 or newer; this is ${process.version}`;
}
