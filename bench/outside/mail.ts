// node bench/outside/mail.ts: letters of both lanes to a mail server as people run one, Debian's
// Exim, which it starts on a loopback port and ends again. Each letter is sent by the ladder's own
// code and read where the server put it.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import { newId, systemClock } from "#base/clock/clock.ts";
import { DAY_MS, SECOND_MS } from "#base/units/time.ts";
import { DEFAULT_MAIL } from "#core/accounts/account.ts";
import type { MailChoice } from "#core/accounts/account.ts";
import type { WriteLetter } from "#core/accounts/letter.ts";
import { deliveryOf } from "#core/mail/due-letter.ts";
import type { MailNotice, WriteNotice } from "#core/mail/notice.ts";
import type { DeliveryRecord } from "#data/store/delivery.ts";
import type { Store } from "#data/store/store.ts";
import { openPostOffice } from "#outside/mail/post-office.ts";
import { openSecondLane } from "#outside/mail/second-lane.ts";
import { smtpCarrier } from "#outside/mail/smtp.ts";
import { openStore } from "#server/composition/open-store.ts";
import { LETTERS } from "#testing/fixtures/letters.ts";
import { NOTICES } from "#testing/fixtures/notices.ts";
import { BUILD } from "#testing/fixtures/project.ts";
import { entry, sampleAccount } from "#testing/store-cases/store-account-cases.ts";

import { eximProblem, openExim } from "./exim.ts";
import type { Exim } from "./exim.ts";

const HOST = "ladder.example";
const SENDER = { baseUrl: `https://${HOST}`, contact: "the moderators" };
const FROM = { name: "Bout ümlaut", address: `bout@${HOST}` };
const LINK = `${SENDER.baseUrl}/api/email/unsubscribe?token=x`;
const WAIT_MS = 60 * SECOND_MS;
const LOOK_MS = 200;
/** More than the server takes in one letter. */
const TOO_LARGE = "long ".repeat(20_000);

type Writers = { writeLetter: WriteLetter; writeNotice: WriteNotice };

let failures = 0;
function report(name: string, isRight: boolean, text = ""): void {
  if (!isRight) failures += 1;
  console.log(`${isRight ? "passed" : "FAILED"}  ${name}${isRight ? "" : `: ${text}`}`);
}

/** Asks again until it is so. */
async function until(isSo: () => Promise<boolean>): Promise<boolean> {
  for (let waited = 0; waited < WAIT_MS; waited += LOOK_MS) {
    if (await isSo()) return true;
    await pause(LOOK_MS);
  }
  return false;
}

const carrierTo = (exim: Exim, from = FROM) =>
  smtpCarrier({ host: "127.0.0.1", port: exim.port, isSecure: false, login: null }, from, HOST);

async function firstLane(exim: Exim, write: WriteLetter): Promise<void> {
  const faults: unknown[] = [];
  const log = { warn: (facts: object) => void faults.push(facts), error: () => {} };
  const around = { write, sender: SENDER, clock: systemClock, newId, log };
  const outages = { onOutage: () => {}, onRecovery: () => {} };
  const office = openPostOffice({ ...around, ...outages, carry: carrierTo(exim) });
  const letters = Object.values(LETTERS);
  for (const letter of letters) office.send("ada@reader.example", letter);
  const isThere = await until(async () => (await exim.delivered()).length >= letters.length);
  await office.stop();
  const mails = await exim.delivered();
  report(`${letters.length} letters that nobody can refuse`, isThere, JSON.stringify(faults));
  report(
    "they have one line of headers for each name, and no link to refuse them",
    mails.every((mail) => !/^(?:Bcc|List-Unsubscribe):/im.test(headersOf(mail))),
  );
}

const headersOf = (mail: string): string => mail.split(/\r?\n\r?\n/, 1)[0] ?? "";

/** Person and letter. */
type Case = { to: string; notice: MailNotice; from?: typeof FROM };

async function sent(
  store: Store,
  exim: Exim,
  write: WriteNotice,
  cases: readonly Case[],
): Promise<DeliveryRecord[]> {
  const at = new Date().toISOString();
  const ids: string[] = [];
  for (const { to, notice } of cases) {
    const accountId = newId();
    const mail = withMail("weekly_digest");
    const who = { id: accountId, subject: accountId, email: to, emailConfirmedAt: at, mail };
    await store.accounts.add(sampleAccount(1, who), entry({ id: newId() }));
    const row = deliveryOf({ accountId, subject: "bench", notice, due: at }, at, newId);
    ids.push(row.id);
    await store.deliveries.queue([row], []);
  }
  const log = { warn: () => {}, error: (facts: object) => console.error(facts) };
  const lane = openSecondLane({
    store,
    write,
    sender: SENDER,
    carry: carrierTo(exim, cases[0]?.from),
    host: HOST,
    linkOf: () => LINK,
    ends: new Map(),
    clock: systemClock,
    newId,
    log,
  });
  const own = async () => (await store.deliveries.list(999)).filter(({ id }) => ids.includes(id));
  await until(async () => (await own()).every(({ ended }) => ended !== null));
  await lane.stop();
  return own();
}

/** As many choices as there are, and this one too. */
const withMail = (name: keyof typeof DEFAULT_MAIL.preferences): MailChoice => ({
  ...DEFAULT_MAIL,
  preferences: { ...DEFAULT_MAIL.preferences, [name]: true },
});

/** A reminder of what is over does not go out. */
function stillAhead(notice: MailNotice): MailNotice {
  if (notice.kind !== "event_opens" && notice.kind !== "event_closes") return notice;
  const at = new Date(Date.now() + DAY_MS).toISOString();
  return { kind: notice.kind, data: { ...notice.data, at } };
}

async function secondLane(exim: Exim, store: Store, write: WriteNotice): Promise<void> {
  const before = (await exim.delivered()).length;
  const notices = Object.values<MailNotice>(NOTICES).map(stillAhead);
  const cases = notices.map((notice, at) => ({ to: `reader-${at}@reader.example`, notice }));
  const rows = await sent(store, exim, write, cases);
  await until(async () => (await exim.delivered()).length >= before + notices.length);
  const mails = (await exim.delivered()).map((mail) => ({ mail, headers: headersOf(mail) }));
  const own = rows.map(({ messageId }) =>
    mails.filter(({ headers }) => headers.includes(messageId ?? "none")),
  );
  report(
    `${notices.length} letters that people may refuse, each once`,
    own.every(({ length }) => length === 1) && rows.every(({ state }) => state === "accepted"),
    rows.map(({ state, error }) => `${state} ${error}`).join(),
  );
  report(
    "each has the headers of a refusal by one click",
    own
      .flat()
      .every(
        ({ headers }) =>
          headers.replaceAll(/\r?\n\s+/g, " ").includes(`List-Unsubscribe: <${LINK}>`) &&
          headers.includes("List-Unsubscribe-Post: List-Unsubscribe=One-Click"),
      ),
  );
  const starts = rows.map(({ started }) => Date.parse(started ?? "")).toSorted((a, b) => a - b);
  const gaps = starts.slice(1).map((start, at) => start - (starts[at] ?? 0));
  report("one a second", Math.min(...gaps) >= SECOND_MS - LOOK_MS / 2, gaps.join());
}

const news = (title: string, body = "News."): MailNotice => ({
  kind: "announcement",
  data: { title, body },
});

/** What the server answers, and what becomes of the letter. */
async function refusals(exim: Exim, store: Store, write: WriteNotice): Promise<void> {
  const other = { name: "", address: "bout@refused.example" };
  const cases: [string, Case, string, string | null][] = [
    ["no such mailbox", { to: "refused@reader.example", notice: news("x") }, "failed 550", null],
    ["not now", { to: "later@reader.example", notice: news("x") }, "failed 451", null],
    [
      "not this text",
      { to: "a@reader.example", notice: news("x", "not taken") },
      "failed 550",
      null,
    ],
    ["too large", { to: "b@reader.example", notice: news("x", TOO_LARGE) }, "failed 552", null],
    [
      "not this sender",
      { to: "c@reader.example", notice: news("x"), from: other },
      "failed 550",
      "announcements",
    ],
  ];
  for (const [name, one, expected, scope] of cases) {
    const before = (await exim.delivered()).length;
    const [row] = await sent(store, exim, write, [one]);
    const told = `${row?.state} ${row?.responseCode}`;
    const open = (await store.incidents.list(9)).filter(({ resolved }) => resolved === null);
    const scopes = open.map((incident) => incident.scope).join() || null;
    const isQuiet = (await exim.delivered()).length === before;
    const isRight = told === expected && scopes === scope && isQuiet;
    report(`${name}: ${expected}`, isRight, `${told}, incident ${scopes}`);
    if (scope !== null)
      await store.incidents.resolve("announcements", null, entry({ id: newId(), reason: "bench" }));
  }
}

async function outage(exim: Exim, store: Store, write: WriteNotice): Promise<void> {
  await exim.kill();
  const [lost] = await sent(store, exim, write, [{ to: "d@reader.example", notice: news("away") }]);
  await exim.start();
  const [next] = await sent(store, exim, write, [{ to: "e@reader.example", notice: news("back") }]);
  report("a server that is away: unknown, and not sent again", lost?.state === "unknown");
  report("a server that is back takes the next one", next?.state === "accepted");
  await until(async () => (await exim.delivered()).some((mail) => /^Subject: back/m.test(mail)));
  const subjects = (await exim.delivered()).join("\n");
  report("nothing of the first arrived", !/^Subject: away/m.test(subjects));
}

async function main(): Promise<void> {
  const problem = eximProblem();
  if (problem !== null) {
    console.error(problem);
    process.exitCode = 2;
    return;
  }
  if (BUILD.letters === null) throw new Error("the letters are not built: run `npm run build`");
  const built = pathToFileURL(join(BUILD.folder, BUILD.letters)).href;
  const { writeLetter, writeNotice } = (await import(built)) as Writers;
  const data = await mkdtemp(join(tmpdir(), "bout-bench-mail-"));
  const store = await openStore({ data });
  const exim = await openExim();
  try {
    await firstLane(exim, writeLetter);
    await secondLane(exim, store, writeNotice);
    await refusals(exim, store, writeNotice);
    await outage(exim, store, writeNotice);
  } finally {
    await exim.close();
    await store.close();
    await rm(data, { recursive: true });
  }
  console.log(failures === 0 ? "all as it should be" : `${failures} failed`);
  if (failures > 0) process.exitCode = 1;
}

await main();
