// Letters about accounts: how they are written, and where they go.

import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { Clock } from "#base/clock/clock.ts";
import type { WriteLetter } from "#core/accounts/letter.ts";
import type { Log } from "#live/arena/deps.ts";
import type { Carrier } from "#outside/mail/carrier.ts";
import { outboxCarrier } from "#outside/mail/outbox.ts";
import { faultOf, openPostOffice } from "#outside/mail/post-office.ts";
import type { PostOffice } from "#outside/mail/post-office.ts";
import { defaultMailbox, mailHost } from "#outside/mail/sender.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import type { Build } from "#web/docs/build.ts";
import type { ApiSettings } from "#web/http/deps.ts";

import { isLocal } from "./address.ts";

export type MailDeps = {
  options: Pick<ServeOptions, "data" | "host" | "base-url" | "smtp" | "mail-from" | "contact">;
  place: Pick<ApiSettings, "baseUrl">;
  build: Pick<Build, "folder" | "letters">;
  clock: Pick<Clock, "wall" | "after">;
  /** Returns a UUID. */
  newId: () => string;
  log: Log;
  /** Says something to the person who started the server, on stdout. */
  tell: (line: string) => void;
};

export async function openMail(deps: MailDeps): Promise<PostOffice> {
  const { options, place, build, clock, newId, log } = deps;
  void tryMail(deps);
  return openPostOffice({
    write: await readLetters(build),
    sender: { baseUrl: place.baseUrl, contact: options.contact },
    carry: await carrierOf(deps),
    clock,
    newId,
    log,
  });
}

/** What speaks SMTP takes a while to load, so it is loaded where it is spoken. */
async function carrierOf(deps: MailDeps): Promise<Carrier> {
  const { options, place, log, tell } = deps;
  const { data, smtp, "mail-from": from } = options;
  if (smtp !== null) {
    const { smtpCarrier } = await import("#outside/mail/smtp.ts");
    return smtpCarrier(smtp, from ?? defaultMailbox(place.baseUrl), mailHost(place.baseUrl));
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

async function readLetters({ folder, letters }: MailDeps["build"]): Promise<WriteLetter> {
  if (letters === null) throw new Error("the letters are not built: run `npm run build`");
  const built = (await import(pathToFileURL(join(folder, letters)).href)) as {
    writeLetter: WriteLetter;
  };
  return built.writeLetter;
}
