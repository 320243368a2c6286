// Reads the file to which a server without a mail server writes its emails.

import { readFile } from "node:fs/promises";

type OutboxFields = { to?: unknown; type?: unknown; code?: unknown };

/**
 * Returns the 6-digit code from the latest confirmation email to an address. Returns null if there
 * is no such email or no file.
 */
export async function findOutboxCode(path: string, email: string): Promise<string | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    return null;
  }
  const codes = text.split("\n").map((line) => parseOutboxCode(line, email.toLowerCase()));
  return codes.findLast((code) => code !== null) ?? null;
}

/** The file's last line may be incomplete. */
function parseOutboxCode(line: string, email: string): string | null {
  try {
    const { to, type, code } = JSON.parse(line) as OutboxFields;
    if (type !== "signup" || typeof to !== "string" || typeof code !== "string") return null;
    return to.toLowerCase() === email ? code : null;
  } catch {
    return null;
  }
}
