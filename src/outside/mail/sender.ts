// Whom mail comes from, and by which server it goes.

import { isEmail } from "#core/accounts/email.ts";

/** A mailbox with the name that readers see. */
export type Mailbox = { name: string; address: string };

const NAME = "Bout";
/** A name needs no quotes in a header if it has only these. */
const NAMED = /^(?<name>[^<>"\p{C}]{0,100})<(?<address>[^<>]{1,320})>$/u;

/** Reads `bout@example.org` or `Name <bout@example.org>`; null if it is neither. */
export function readMailbox(text: string): Mailbox | null {
  if (isEmail(text)) return { name: NAME, address: text };
  const { name = "", address = "" } = NAMED.exec(text.trim())?.groups ?? {};
  return isEmail(address) ? { name: name.trim() || NAME, address } : null;
}

/** The host of the ladder's address, in the form that addresses of mailboxes have. */
export function mailHost(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  if (hostname.startsWith("[")) return `[IPv6:${hostname.slice(1)}`;
  return /^[\d.]+$/.test(hostname) ? `[${hostname}]` : hostname;
}

/** From whom mail comes unless the operator says otherwise. */
export function defaultMailbox(baseUrl: string): Mailbox {
  return { name: NAME, address: `bout@${mailHost(baseUrl)}` };
}

export type SmtpServer = {
  host: string;
  port: number;
  /** TLS from the first byte, rather than after STARTTLS. */
  isSecure: boolean;
  login: { user: string; password: string } | null;
};

const SUBMISSION_PORT = 587;
const SECURE_PORT = 465;

/** Reads `smtp://user:password@host:port` or `smtps://…`; null if it is neither. */
export function readSmtpUrl(text: string): SmtpServer | null {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "") return null;
  if (!["", "/"].includes(url.pathname) || url.search !== "" || url.hash !== "") return null;
  const isSecure = url.protocol === "smtps:";
  const port = url.port === "" ? (isSecure ? SECURE_PORT : SUBMISSION_PORT) : Number(url.port);
  const login = loginOf(url);
  if (port === 0 || login === undefined) return null;
  return { host: url.hostname.replace(/^\[(.*)\]$/, "$1"), port, isSecure, login };
}

/** Undefined if it is only half of a login, or not percent-encoded as it should be. */
function loginOf({ username, password }: URL): SmtpServer["login"] | undefined {
  if (username === "" && password === "") return null;
  if (username === "" || password === "") return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}
