// People who change their minds while their bots play: bots are made, renamed, deleted, retired and
// get new tokens, operators suspend, ban and pardon, at random from one seed.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

import { sure } from "#base/units/sure.ts";
import { drawnFrom, nextState } from "#core/engine/random.ts";

import { personAt } from "./account-client.ts";
import type { AccountClient } from "./account-client.ts";
import { QuickBot } from "./quick-bot.ts";
import type { ToldEnd } from "./quick-bot.ts";

export const CHURN_FLAGS = [
  "--accounts",
  "embedded",
  "--autoconfirm",
  "--admin-email",
  "root@x.org",
];

type ChurnPlan = { seed: number; forMs: number; people: number };

export type ChurnReport = {
  /** By `action answer`. */
  answers: Record<string, number>;
  /** What no table of the contract allows. */
  odd: string[];
  ends: ToldEnd[];
  /** Ids of bots that were deleted. */
  deleted: Set<string>;
};

type Holder = { handle: string; token: string };
type Bot = { name: string; holder: Holder };

type Churn = {
  client: AccountClient;
  baseUrl: string;
  admin: string;
  holders: Holder[];
  bots: Bot[];
  made: number;
  pick: (count: number) => number;
  report: ChurnReport;
};

/** What each action may be answered with, whatever else happens. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  create: ["201", "409 bot_limit", "403 account_banned"],
  rename: [
    "200",
    "400 invalid_bot",
    "409 bot_in_match",
    "409 bot_moderated",
    "409 bot_retired",
    "404 no_such_bot",
    "403 account_banned",
  ],
  rotate: ["200", "409 bot_moderated", "409 bot_retired", "404 no_such_bot", "403 account_banned"],
  remove: ["200", "409 bot_in_match", "409 bot_moderated", "404 no_such_bot", "403 account_banned"],
  suspend: ["200", "409 bot_moderated", "409 bot_retired", "404 no_such_bot"],
  activate: ["200", "409 bot_moderated", "409 bot_retired", "404 no_such_bot"],
  ban: ["200", "409 bot_moderated", "409 bot_retired", "404 no_such_bot"],
  // A handle may change on the way.
  banAccount: ["200", "404"],
  unbanAccount: ["200", "404"],
  handle: ["200", "409 handle_taken", "403 account_banned"],
};

/** The more often it stands here, the more often it is done. */
const ACTIONS = [
  "create",
  "create",
  "create",
  "rename",
  "rename",
  "rotate",
  "rotate",
  "remove",
  "remove",
  "suspend",
  "activate",
  "activate",
  "ban",
  "banAccount",
  "unbanAccount",
  "unbanAccount",
  "handle",
] as const;
type Action = (typeof ACTIONS)[number];

/** Runs until the time is over; what the bots were told is in the report. */
export async function churn(baseUrl: string, plan: ChurnPlan): Promise<ChurnReport> {
  const state = await openChurn(baseUrl, plan);
  const end = performance.now() + plan.forMs;
  while (performance.now() < end) {
    // A few at once, so that they meet each other.
    await Promise.all([1, 2, 3].map(() => act(state)));
    await sleep(state.pick(40));
  }
  return state.report;
}

async function openChurn(baseUrl: string, { seed, people }: ChurnPlan): Promise<Churn> {
  const client = await personAt(baseUrl);
  const admin = await client.enter("root@x.org");
  const holders: Holder[] = [];
  for (let number = 0; number < people; number += 1) holders.push(await newHolder(client, number));
  const report = { answers: {}, odd: [], ends: [], deleted: new Set<string>() };
  const pick = pickerFrom(seed);
  return { client, baseUrl, admin, holders, bots: [], made: 0, pick, report };
}

async function newHolder(client: AccountClient, number: number): Promise<Holder> {
  const token = await client.enter(`holder-${number}@x.org`);
  const handle = `holder-${number}`;
  await client.ladder("PUT", "/api/account/handle", { token, body: { handle } });
  return { handle, token };
}

function pickerFrom(seed: number): (count: number) => number {
  let state = seed | 0;
  return (count) => {
    state = nextState(state);
    return drawnFrom(state) % count;
  };
}

async function act(state: Churn): Promise<void> {
  const action = sure(ACTIONS[state.pick(ACTIONS.length)], "action");
  const bot = state.bots[state.pick(Math.max(1, state.bots.length))];
  const holder = sure(state.holders[state.pick(state.holders.length)], "holder");
  const told = await perform(state, action, bot, holder);
  if (told === null) return;
  const { answers, odd } = state.report;
  const what = `${action} ${told}`;
  answers[what] = (answers[what] ?? 0) + 1;
  if (!sure(ALLOWED[action], action).includes(told)) odd.push(what);
}

type Told = { status: number; body: Record<string, unknown> };

const toldBy = ({ status, body: { code } }: Told): string =>
  typeof code === "string" ? `${status} ${code}` : String(status);

/** Null if there is nothing to do it to. */
async function perform(
  state: Churn,
  action: Action,
  bot: Bot | undefined,
  holder: Holder,
): Promise<string | null> {
  const { client, admin } = state;
  if (action === "create") return create(state, holder);
  if (action === "handle") return changeHandle(state, holder);
  if (action === "banAccount" || action === "unbanAccount") {
    const verb = action === "banAccount" ? "ban" : "unban";
    const url = `/api/admin/accounts/${holder.handle}/${verb}`;
    return toldBy(await client.ladder("POST", url, { token: admin }));
  }
  return bot === undefined ? null : performOnBot(state, action, bot);
}

type BotAction = Exclude<Action, "create" | "handle" | "banAccount" | "unbanAccount">;

async function performOnBot(state: Churn, action: BotAction, bot: Bot): Promise<string> {
  const { client, admin } = state;
  const { token } = bot.holder;
  const own = `/api/account/bots/${bot.name}`;
  switch (action) {
    case "rename": {
      const name = nextName(state);
      const told = await client.ladder("PUT", `${own}/name`, { token, body: { name } });
      if (told.status === 200) bot.name = name;
      return toldBy(told);
    }
    case "rotate": {
      const told = await client.ladder("POST", `${own}/token`, { token });
      if (told.status === 200) play(state, bot.name, told.body["token"]);
      return toldBy(told);
    }
    case "remove":
      return remove(state, bot);
    case "suspend":
    case "activate":
    case "ban":
      return toldBy(
        await client.ladder("POST", `/api/admin/bots/${bot.name}/${action}`, { token: admin }),
      );
  }
}

const nextName = (state: Churn): string => `churn-${(state.made += 1)}`;

async function create(state: Churn, holder: Holder): Promise<string> {
  const name = nextName(state);
  const options = { token: holder.token, body: { name } };
  const told = await state.client.ladder("POST", "/api/account/bots", options);
  if (told.status === 201) {
    state.bots.push({ name, holder });
    play(state, name, told.body["token"]);
  }
  // Banned bots keep their places, so people whose places are all taken make room for others.
  const at = state.holders.indexOf(holder);
  if (told.body["code"] === "bot_limit" && at >= 0)
    state.holders[at] = await newHolder(state.client, 1000 + (state.made += 1));
  return toldBy(told);
}

async function changeHandle(state: Churn, holder: Holder): Promise<string> {
  const handle = `${holder.handle.split("-").slice(0, 2).join("-")}-${state.pick(4)}`;
  const options = { token: holder.token, body: { handle } };
  const told = await state.client.ladder("PUT", "/api/account/handle", options);
  if (told.status === 200) holder.handle = handle;
  return toldBy(told);
}

async function remove(state: Churn, bot: Bot): Promise<string> {
  const { client, report } = state;
  const page = await client.ladder("GET", `/api/bots/${bot.name}`);
  const options = { token: bot.holder.token };
  const told = await client.ladder("DELETE", `/api/account/bots/${bot.name}`, options);
  if (told.body["outcome"] === "deleted") report.deleted.add(String(page.body["id"]));
  if (told.status === 200) state.bots = state.bots.filter((one) => one !== bot);
  return toldBy(told);
}

/** Plays until the ladder sends it away. */
function play({ baseUrl, report }: Churn, name: string, token: unknown): void {
  assert.ok(typeof token === "string");
  const told = (end: ToldEnd) => void report.ends.push(end);
  new QuickBot(name, token, { thinkMs: 5, told }).play(baseUrl).catch(() => {});
}
