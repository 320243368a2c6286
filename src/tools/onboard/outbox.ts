// The file that a server without a mail server writes its mails to.

import { readFile } from "node:fs/promises";

type Line = { to?: unknown; type?: unknown; code?: unknown };

/**
 * The six digits of the last mail that confirms an address; null if there is none, or no such file.
 */
export async function codeInOutbox(path: string, email: string): Promise<string | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    return null;
  }
  const codes = text.split("\n").map((line) => codeIn(line, email.toLowerCase()));
  return codes.findLast((code) => code !== null) ?? null;
}

/** The last line may be half written. */
function codeIn(line: string, email: string): string | null {
  try {
    const { to, type, code } = JSON.parse(line) as Line;
    if (type !== "signup" || typeof to !== "string" || typeof code !== "string") return null;
    return to.toLowerCase() === email ? code : null;
  } catch {
    return null;
  }
}
