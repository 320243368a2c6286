// Account churn while bots play. Accounts create, rename, delete and retire bots and rotate tokens.
// Operators suspend, ban and reinstate accounts and bots. All draws come from one seed.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

import { assertDefined } from "#base/util/assert-defined.ts";
import { randomFromState, nextState } from "#core/engine/random.ts";

import { createAccountClient } from "./account-client.ts";
import type { AccountClient } from "./account-client.ts";
import { QuickBot } from "./quick-bot.ts";
import type { ReceivedMatchEnd } from "./quick-bot.ts";

export const CHURN_SERVER_FLAGS = [
  "--accounts",
  "embedded",
  "--autoconfirm",
  "--admin-email",
  "root@x.org",
];

type ChurnPlan = { seed: number; durationMs: number; holderCount: number };

export type ChurnReport = {
  /** Number of responses, by `action result`. */
  answers: Record<string, number>;
  unexpectedAnswers: string[];
  matchEnds: ReceivedMatchEnd[];
  deletedIds: Set<string>;
};

type AccountOwner = { handle: string; token: string };
type ChurnBot = { name: string; owner: AccountOwner };

type ChurnState = {
  client: AccountClient;
  baseUrl: string;
  admin: string;
  owners: AccountOwner[];
  bots: ChurnBot[];
  createdCount: number;
  pick: (count: number) => number;
  report: ChurnReport;
};

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
  // 404 is possible because the handle may have changed in the meantime.
  banAccount: ["200", "404"],
  unbanAccount: ["200", "404"],
  handle: ["200", "409 handle_taken", "403 account_banned"],
};

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

/** Runs until the time is up. The report includes the messages that bots received. */
export async function runChurn(baseUrl: string, plan: ChurnPlan): Promise<ChurnReport> {
  const state = await createChurn(baseUrl, plan);
  const end = performance.now() + plan.durationMs;
  while (performance.now() < end) {
    await Promise.all([1, 2, 3].map(() => runAction(state)));
    await sleep(state.pick(40));
  }
  return state.report;
}

async function createChurn(baseUrl: string, { seed, holderCount }: ChurnPlan): Promise<ChurnState> {
  const client = await createAccountClient(baseUrl);
  const admin = await client.signUp("root@x.org");
  const owners: AccountOwner[] = [];
  for (let number = 0; number < holderCount; number += 1)
    owners.push(await createOwner(client, number));
  const report = {
    answers: {},
    unexpectedAnswers: [],
    matchEnds: [],
    deletedIds: new Set<string>(),
  };
  const pick = createPicker(seed);
  return { client, baseUrl, admin, owners, bots: [], createdCount: 0, pick, report };
}

async function createOwner(client: AccountClient, number: number): Promise<AccountOwner> {
  const token = await client.signUp(`holder-${number}@x.org`);
  const handle = `holder-${number}`;
  await client.requestLadder("PUT", "/api/account/handle", { token, body: { handle } });
  return { handle, token };
}

function createPicker(seed: number): (count: number) => number {
  let state = seed | 0;
  return (count) => {
    state = nextState(state);
    return randomFromState(state) % count;
  };
}

async function runAction(state: ChurnState): Promise<void> {
  const action = assertDefined(ACTIONS[state.pick(ACTIONS.length)], "action");
  const bot = state.bots[state.pick(Math.max(1, state.bots.length))];
  const owner = assertDefined(state.owners[state.pick(state.owners.length)], "holder");
  const result = await runOne(state, action, bot, owner);
  if (result === null) return;
  const { answers, unexpectedAnswers } = state.report;
  const key = `${action} ${result}`;
  answers[key] = (answers[key] ?? 0) + 1;
  if (!assertDefined(ALLOWED[action], action).includes(result)) unexpectedAnswers.push(key);
}

type ApiResult = { status: number; body: Record<string, unknown> };

const formatResult = ({ status, body: { code } }: ApiResult): string =>
  typeof code === "string" ? `${status} ${code}` : String(status);

/** Returns null if the action has no target. */
async function runOne(
  state: ChurnState,
  action: Action,
  bot: ChurnBot | undefined,
  owner: AccountOwner,
): Promise<string | null> {
  const { client, admin } = state;
  if (action === "create") return createBot(state, owner);
  if (action === "handle") return changeHandle(state, owner);
  if (action === "banAccount" || action === "unbanAccount") {
    const verb = action === "banAccount" ? "ban" : "unban";
    const url = `/api/admin/accounts/${owner.handle}/${verb}`;
    return formatResult(await client.requestLadder("POST", url, { token: admin }));
  }
  return bot === undefined ? null : runOnBot(state, action, bot);
}

type BotAction = Exclude<Action, "create" | "handle" | "banAccount" | "unbanAccount">;

async function runOnBot(state: ChurnState, action: BotAction, bot: ChurnBot): Promise<string> {
  const { client, admin } = state;
  const { token } = bot.owner;
  const botUrl = `/api/account/bots/${bot.name}`;
  switch (action) {
    case "rename": {
      const name = nextBotName(state);
      const result = await client.requestLadder("PUT", `${botUrl}/name`, { token, body: { name } });
      if (result.status === 200) bot.name = name;
      return formatResult(result);
    }
    case "rotate": {
      const result = await client.requestLadder("POST", `${botUrl}/token`, { token });
      if (result.status === 200) startPlaying(state, bot.name, result.body["token"]);
      return formatResult(result);
    }
    case "remove":
      return deleteBot(state, bot);
    case "suspend":
    case "activate":
    case "ban":
      return formatResult(
        await client.requestLadder("POST", `/api/admin/bots/${bot.name}/${action}`, {
          token: admin,
        }),
      );
  }
}

const nextBotName = (state: ChurnState): string => `churn-${(state.createdCount += 1)}`;

async function createBot(state: ChurnState, owner: AccountOwner): Promise<string> {
  const name = nextBotName(state);
  const options = { token: owner.token, body: { name } };
  const result = await state.client.requestLadder("POST", "/api/account/bots", options);
  if (result.status === 201) {
    state.bots.push({ name, owner });
    startPlaying(state, name, result.body["token"]);
  }
  // Banned bots count towards the limit, so an account at its limit is replaced with a new one.
  const index = state.owners.indexOf(owner);
  if (result.body["code"] === "bot_limit" && index >= 0)
    state.owners[index] = await createOwner(state.client, 1000 + (state.createdCount += 1));
  return formatResult(result);
}

async function changeHandle(state: ChurnState, owner: AccountOwner): Promise<string> {
  const handle = `${owner.handle.split("-").slice(0, 2).join("-")}-${state.pick(4)}`;
  const options = { token: owner.token, body: { handle } };
  const result = await state.client.requestLadder("PUT", "/api/account/handle", options);
  if (result.status === 200) owner.handle = handle;
  return formatResult(result);
}

async function deleteBot(state: ChurnState, bot: ChurnBot): Promise<string> {
  const { client, report } = state;
  const page = await client.requestLadder("GET", `/api/bots/${bot.name}`);
  const options = { token: bot.owner.token };
  const result = await client.requestLadder("DELETE", `/api/account/bots/${bot.name}`, options);
  if (result.body["outcome"] === "deleted") report.deletedIds.add(String(page.body["id"]));
  if (result.status === 200) state.bots = state.bots.filter((other) => other !== bot);
  return formatResult(result);
}

function startPlaying({ baseUrl, report }: ChurnState, name: string, token: unknown): void {
  assert.ok(typeof token === "string");
  const onEnd = (end: ReceivedMatchEnd) => void report.matchEnds.push(end);
  new QuickBot(name, token, { thinkMs: 5, onEnd }).play(baseUrl).catch(() => {});
}
