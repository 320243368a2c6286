// Letters to people: how they are written, and where they go.

import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { Clock } from "#base/clock/clock.ts";
import type { WriteLetter } from "#core/accounts/letter.ts";
import type { MailSide } from "#core/mail/mail-side.ts";
import type { WriteNotice } from "#core/mail/notice.ts";
import { UNSUBSCRIBE_PATH } from "#core/mail/unsubscribe.ts";
import type { Unsubscribing } from "#core/mail/unsubscribe.ts";
import type { Store } from "#data/store/store.ts";
import type { Log } from "#live/arena/deps.ts";
import type { Carrier } from "#outside/mail/carrier.ts";
import { faultOf } from "#outside/mail/fault.ts";
import { openOutageRecorder } from "#outside/mail/outage-recorder.ts";
import { outboxCarrier } from "#outside/mail/outbox.ts";
import { openPostOffice } from "#outside/mail/post-office.ts";
import type { PostOffice } from "#outside/mail/post-office.ts";
import { openSecondLane } from "#outside/mail/second-lane.ts";
import { defaultMailbox, mailHost } from "#outside/mail/sender.ts";
import type { Mailbox } from "#outside/mail/sender.ts";
import { readUnsubscribeToken, unsubscribeToken } from "#outside/mail/unsubscribe-link.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import { openLetterRounds } from "#server/jobs/letters.ts";
import type { LetterDeps, LetterRounds } from "#server/jobs/letters.ts";
import type { Build } from "#web/docs/build.ts";
import type { AccountSide, ApiSettings } from "#web/http/deps.ts";

import { isLocal, sendsMail } from "./address.ts";

export type MailDeps = {
  options: Pick<ServeOptions, "data" | "host" | "base-url" | "smtp" | "mail-from" | "contact">;
  place: Pick<ApiSettings, "baseUrl">;
  build: Pick<Build, "folder" | "letters">;
  store: Pick<Store, "deliveries" | "incidents">;
  /** Signs links that refuse mail. */
  key: Buffer;
  clock: Clock;
  /** Returns a UUID. */
  newId: () => string;
  log: Log;
  /** Says something to the person who started the server, on stdout. */
  tell: (line: string) => void;
};

/** Both lanes of mail. */
export type MailParts = PostOffice & { side: MailSide };

export async function openMail(deps: MailDeps): Promise<MailParts> {
  const { options, place, build, clock, newId, log, store, key } = deps;
  void tryMail(deps);
  const { writeLetter, writeNotice } = await readLetters(build);
  const sender = { baseUrl: place.baseUrl, contact: options.contact };
  const carry = await carrierOf(deps);
  const outages = openOutageRecorder({ store, clock, newId, log });
  const { onOutage, onRecovery } = outages;
  const outgoing = { write: writeLetter, sender, carry, clock, newId, onOutage, onRecovery, log };
  const first = openPostOffice(outgoing);
  const nowMs = () => clock.wall().getTime();
  const side: MailSide = {
    transport: options.smtp === null ? "outbox" : "smtp",
    from: options.smtp === null ? null : senderOf(deps).address,
    isOn: sendsMail(options),
    transactional: first.report,
    optionalEnds: new Map(),
    write: (notice) => writeNotice(notice, sender, null),
    readUnsubscribe: (token) => readUnsubscribeToken(key, token, nowMs()),
  };
  const linkOf = (meant: Unsubscribing) =>
    `${place.baseUrl}${UNSUBSCRIBE_PATH}?token=${unsubscribeToken(key, meant, nowMs())}`;
  const host = mailHost(place.baseUrl);
  const ends = side.optionalEnds;
  const lane = { store, write: writeNotice, sender, carry, host, linkOf, ends, clock, newId, log };
  const second = side.isOn ? openSecondLane(lane) : null;
  if (second === null) void endOld(deps);
  const stop = async () => {
    await Promise.all([first.stop(), second?.stop()]);
    await outages.stop();
  };
  return { ...first, stop, side };
}

/** What an earlier start was sending, with a mail server that is gone now, stays unknown. */
async function endOld({ store, clock, log }: MailDeps): Promise<void> {
  try {
    await store.deliveries.interrupt(clock.wall().toISOString());
  } catch (error) {
    log.warn({ error }, "letters of an earlier start are still said to be on their way");
  }
}

/** What makes letters that people may refuse; null on a server that sends none. */
export const lettersOf = (
  deps: Omit<LetterDeps, "adminEmails" | "sendLetter">,
  side: AccountSide | null,
): LetterRounds | null =>
  side?.mail.isOn === true
    ? openLetterRounds({ ...deps, adminEmails: side.adminEmails, sendLetter: side.sendLetter })
    : null;

const senderOf = ({ options, place }: MailDeps): Mailbox =>
  options["mail-from"] ?? defaultMailbox(place.baseUrl);

/** What speaks SMTP takes a while to load, so it is loaded where it is spoken. */
async function carrierOf(deps: MailDeps): Promise<Carrier> {
  const { options, place, log, tell } = deps;
  const { data, smtp } = options;
  if (smtp !== null) {
    const { smtpCarrier } = await import("#outside/mail/smtp.ts");
    return smtpCarrier(smtp, senderOf(deps), mailHost(place.baseUrl));
  }
  if (isLocal(options)) return outboxCarrier(data, tell);
  log.warn({}, "there is no mail server: letters to people wait in the outbox");
  return outboxCarrier(data, null);
}

/** A wrong password is told at the start, not by the first person who gets no letter. */
async function tryMail({ options: { smtp }, place, log }: MailDeps): Promise<void> {
  if (smtp === null) return;
  try {
    const { tryServer } = await import("#outside/mail/smtp.ts");
    await tryServer(smtp, mailHost(place.baseUrl));
  } catch (error) {
    const { code, response } = faultOf(error);
    log.warn({ code, response }, "the mail server was tried, and does not take our letters");
  }
}

type Writers = { writeLetter: WriteLetter; writeNotice: WriteNotice };

async function readLetters({ folder, letters }: MailDeps["build"]): Promise<Writers> {
  if (letters === null) throw new Error("the letters are not built: run `npm run build`");
  return (await import(pathToFileURL(join(folder, letters)).href)) as Writers;
}
