// A ladder from its backup, in an empty data folder. Everything is made in a folder of its own there
// and moved up at the end, the database last: what is cut short is no ladder.

import { existsSync } from "node:fs";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { newId } from "#base/clock/clock.ts";
import { DAY_MS, SECOND_MS } from "#base/units/time.ts";
import { SYSTEM } from "#core/words/audit.ts";
import { FIXED } from "#core/words/limits.ts";
import { giveTo, makeFolder, ownerOf } from "#data/files/folder.ts";
import { LEFT_FILE, parseLeft, printLeft } from "#data/files/left.ts";
import type { LeftNote } from "#data/files/left.ts";
import { openReplays } from "#data/files/replays.ts";
import {
  latestOf,
  parseRevocations,
  printRevocations,
  REVOCATIONS_FILE,
} from "#data/files/revocations.ts";
import { FILE_MODE } from "#data/files/whole-file.ts";
import { NEWEST_SCHEMA } from "#data/migrations/migrations.ts";
import type { UpgradeOptions } from "#data/migrations/upgrade.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { lockServer } from "#server/composition/server-lock.ts";
import { CommandFailure, EXIT_FAILED, EXIT_USAGE } from "#tools/cli/command.ts";
import { aboutAccount, entryOf } from "#web/auth/entry.ts";

import { accessOf, revokeAllKeys, undoneRevocations } from "./access.ts";
import type { RestoredAccess } from "./access.ts";
import { assertFree, bytesIn, namesIn, SECRETS_FILE } from "./backup.ts";
import { isEmptyAt, loadDump } from "./dump.ts";
import { copied, placeFiles, syncFolder } from "./kept-files.ts";
import { DATABASE_FILES, faultsOf, readManifest } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";

export type RestorePlan = {
  folder: string;
  /** A later list of those who left; null without one. */
  left: string | null;
  /** The lost server's list of revocations; null without one. */
  revoked: string | null;
  /** Revokes all agent keys, app authorizations and sessions. */
  withoutKeys: boolean;
  data: string;
  database: string | null;
};

export type Restored = {
  manifest: Manifest;
  /** Ids of accounts that have left since, and are gone again. */
  left: string[];
  /** Lines of lists that could not be read, as `file:line`. */
  unreadable: string[];
  /** Accounts, keys and apps with access in the backup. */
  access: RestoredAccess;
  /** Revocations of the list that the restore undoes, a line each; null without a list. */
  undone: string[] | null;
  /** What is inconsistent in the database, a line each. */
  faults: string[];
  /** Matches whose replays should be there and are not. */
  replaysMissing: number;
};

type Tell = (news: string) => void;

const STAGE = "restoring";

/** Rejects with CommandFailure, BadBackup or LockHeld before it writes, if it cannot begin. */
export async function restoreBackup(
  plan: RestorePlan,
  wall: () => Date,
  tell: Tell,
): Promise<Restored> {
  const { folder, data, database } = plan;
  const manifest = await readManifest(folder);
  await assertTarget(plan, manifest);
  await assertSound(folder, manifest, tell);
  const lists = await readLists(plan);
  const owner = ownerOf(existsSync(data) ? data : folder);
  makeFolder(data);
  assertFree(data, bytesIn(manifest), "the restored ladder");
  await using _ = await lockServer({ data, database, waitMs: 0 }, () => {});
  const stage = join(data, STAGE);
  makeFolder(stage);
  const paths = manifest.files.map(({ path }) => path);
  const inFolders = paths.filter((path) => path.includes("/"));
  await placeFiles(folder, stage, inFolders, copied, tell);
  for (const name of [DATABASE_FILES.sqlite, SECRETS_FILE])
    if (paths.includes(name)) await copied(join(folder, name), join(stage, name));
  const list = printLeft(lists.notes);
  await writeFile(join(stage, LEFT_FILE), list, { flag: "wx", flush: true, mode: FILE_MODE });
  if (lists.revocations !== null) {
    const text = printRevocations(lists.revocations);
    await writeFile(join(stage, REVOCATIONS_FILE), text, {
      flag: "wx",
      flush: true,
      mode: FILE_MODE,
    });
  }
  tell("the database");
  const checked = await withDatabase(plan, stage, tell, async (store) => {
    const settled = await settle(store, lists.notes, join(stage, "replays"), wall);
    if (plan.withoutKeys) await revokeAllKeys(store, wall);
    const { revocations } = lists;
    const undone = revocations && (await undoneRevocations(store, revocations, manifest.made));
    return { ...settled, access: await accessOf(store), undone };
  });
  await moveUp(stage, data);
  giveTo(data, owner);
  return { manifest, unreadable: lists.unreadable, ...checked };
}

/** All who are on one of the lists: the backup's own, and one that is later. */
async function readLists({ folder, left, revoked }: RestorePlan) {
  const files = [join(folder, LEFT_FILE), ...(left === null ? [] : [left])];
  const notes = new Map<string, LeftNote>();
  const unreadable: string[] = [];
  for (const file of files) {
    const found = parseLeft(await readList(file));
    for (const note of found.items) notes.set(note.account, note);
    unreadable.push(...found.unreadable.map((line) => `${file}:${line}`));
  }
  if (revoked === null) return { notes: [...notes.values()], revocations: null, unreadable };
  const { items, unreadable: lines } = parseRevocations(await readList(revoked));
  unreadable.push(...lines.map((line) => `${revoked}:${line}`));
  return { notes: [...notes.values()], revocations: latestOf(items), unreadable };
}

async function readList(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandFailure(`${file} cannot be read (${code}).`, EXIT_USAGE);
  }
}

async function assertTarget({ data, database }: RestorePlan, manifest: Manifest): Promise<void> {
  const refuse = (problem: string) => new CommandFailure(problem, EXIT_USAGE);
  const found = await namesIn(data);
  if (found === null) throw refuse(`${data} is no folder.`);
  if (found.length > 0)
    throw refuse(`${data} is not empty: a ladder is restored into an empty folder.`);
  if (manifest.database === "postgres" && database === null)
    throw refuse("this backup is of a PostgreSQL database: say --database with an empty one.");
  if (manifest.database === "sqlite" && database !== null)
    throw refuse("this backup is of an SQLite database: it goes without --database.");
  if (manifest.schema > NEWEST_SCHEMA)
    throw refuse(
      `this backup has schema ${manifest.schema}, and this release knows up to ${NEWEST_SCHEMA}: ` +
        `take release ${manifest.release} or a later one.`,
    );
  if (database !== null && !(await isEmptyAt(database)))
    throw refuse("the database is not empty: a ladder is restored into an empty one.");
}

/** Lines of faults that are shown. */
const MOST_LINES = 20;

async function assertSound(folder: string, manifest: Manifest, tell: Tell): Promise<void> {
  const faults = await faultsOf(folder, manifest, tell);
  if (faults.length === 0) return;
  const more = faults.length - MOST_LINES;
  const lines = [...faults.slice(0, MOST_LINES), ...(more > 0 ? [`and ${more} more`] : [])];
  const text = `${folder} is not as it was made, and nothing was restored:\n${lines.join("\n")}`;
  throw new CommandFailure(text, EXIT_FAILED);
}

async function withDatabase<T>(
  { folder, database }: RestorePlan,
  stage: string,
  tell: Tell,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  if (database !== null) await loadDump(database, join(folder, DATABASE_FILES.postgres));
  const upgrade: UpgradeOptions = { keepsCopy: false, tell: ({ msg }) => tell(msg) };
  const location = database === null ? { data: stage } : { postgres: database };
  const store = await openStore(location, undefined, upgrade);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Those who left go again, and replays that no match has. */
async function settle(
  store: Store,
  notes: readonly LeftNote[],
  folder: string,
  wall: () => Date,
): Promise<Pick<Restored, "left" | "faults" | "replaysMissing">> {
  const left: string[] = [];
  for (const note of notes) if (await leaveAgain(store, note, wall)) left.push(note.account);
  const ids = await store.replays.ids();
  const replays = await openReplays(folder);
  await replays.sweep(ids, Infinity);
  const replaysMissing = ids.filter((id) => !existsSync(replays.path(id))).length;
  return { left, faults: await store.database.faults(), replaysMissing };
}

/** As the account itself left, at that instant. False if it is not there. */
async function leaveAgain(
  store: Store,
  { account: id, at }: LeftNote,
  wall: () => Date,
): Promise<boolean> {
  const account = await store.accounts.byId(id);
  if (account === null) return false;
  const time = Date.parse(at);
  const until = new Date(time + FIXED.former_names_days * DAY_MS).toISOString();
  const second = Math.floor(time / SECOND_MS);
  const detail = { left: at, restored: true };
  const deps = { newId, clock: wall };
  const note = entryOf(deps, SYSTEM, "account.left", aboutAccount(account), { detail });
  await store.accounts.leave(id, { at, until, second, ban: null, inMatch: [] }, note);
  return true;
}

/** The database comes last: without it the folder is no ladder's yet. */
async function moveUp(stage: string, data: string): Promise<void> {
  const names = await readdir(stage);
  const isDatabase = (name: string) => name === DATABASE_FILES.sqlite;
  for (const name of names.toSorted((one, other) => +isDatabase(one) - +isDatabase(other)))
    await rename(join(stage, name), join(data, name));
  await syncFolder(data);
  await rm(stage, { recursive: true });
}
