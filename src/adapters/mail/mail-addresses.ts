import { isEmail } from "#core/accounts/email-address.ts";

export type Mailbox = { name: string; address: string };

const DEFAULT_NAME = "Bout";
/** A display name matching this pattern needs no quotes in a header. */
const NAMED_MAILBOX = /^(?<name>[^<>"\p{C}]{0,100})<(?<address>[^<>]{1,320})>$/u;

/** Parses `bout@example.org` or `Name <bout@example.org>`. Returns null for any other text. */
export function parseMailbox(text: string): Mailbox | null {
  if (isEmail(text)) return { name: DEFAULT_NAME, address: text };
  const { name = "", address = "" } = NAMED_MAILBOX.exec(text.trim())?.groups ?? {};
  return isEmail(address) ? { name: name.trim() || DEFAULT_NAME, address } : null;
}

export function mailHost(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  if (hostname.startsWith("[")) return `[IPv6:${hostname.slice(1)}`;
  return /^[\d.]+$/.test(hostname) ? `[${hostname}]` : hostname;
}

export function defaultMailbox(baseUrl: string): Mailbox {
  return { name: DEFAULT_NAME, address: `bout@${mailHost(baseUrl)}` };
}

export type SmtpServer = {
  host: string;
  port: number;
  /** TLS from the start of the connection, as opposed to STARTTLS. */
  isSecure: boolean;
  login: { user: string; password: string } | null;
};

const SUBMISSION_PORT = 587;
const SECURE_PORT = 465;

/** Parses `smtp://user:password@host:port` or `smtps://…`. Returns null for any other text. */
export function parseSmtpUrl(text: string): SmtpServer | null {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "") return null;
  if (!["", "/"].includes(url.pathname) || url.search !== "" || url.hash !== "") return null;
  const isSecure = url.protocol === "smtps:";
  const port = url.port === "" ? (isSecure ? SECURE_PORT : SUBMISSION_PORT) : Number(url.port);
  const login = loginOf(url);
  if (port === 0 || login === undefined) return null;
  return { host: url.hostname.replace(/^\[(.*)\]$/, "$1"), port, isSecure, login };
}

/** Returns undefined if the user or password is missing or not correctly percent-encoded. */
function loginOf({ username, password }: URL): SmtpServer["login"] | undefined {
  if (username === "" && password === "") return null;
  if (username === "" || password === "") return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}
