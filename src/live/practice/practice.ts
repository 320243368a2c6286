// Practice games of bots against Starter: matches apart from the ladder's, which take up nobody's
// room and are saved like any. They begin in the rounds of the waves.

import { sure } from "#base/units/sure.ts";
import type { Grid } from "#core/engine/grid.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import type { IdleReason } from "#core/engine/types.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { deadlinesOf } from "#core/protocol/deadlines.ts";
import { ERRORS } from "#core/protocol/errors.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import type { Practice } from "#core/resources/practice.ts";
import { standingRefusal } from "#core/words/bot-status.ts";
import type { BotId, PracticeId } from "#core/words/ids.ts";
import type { ArenaState } from "#live/arena/arena-state.ts";
import { concluding } from "#live/arena/drain.ts";
import { BotPort, endText, free } from "#live/arena/games.ts";
import { saveMatch } from "#live/arena/save-match.ts";
import type { Contest } from "#live/arena/save-match.ts";
import { CLOSE_NORMAL, sitDown } from "#live/arena/session.ts";
import type { Entry, Seating, Session } from "#live/arena/session.ts";
import type { AskedPractice } from "#live/arena/view.ts";
import { createMatch } from "#live/match/match.ts";
import { RunningMatch } from "#live/match/run-match.ts";
import type { MatchSetup } from "#live/match/setup.ts";
import type { Verdict } from "#live/match/verdict.ts";
import { HouseSeat } from "#live/play/house-seat.ts";
import type { Rival } from "#live/play/rival.ts";
import { gridBy } from "#live/play/start-bout.ts";
import { competitionNow } from "#live/standings/season.ts";

import {
  begin,
  close,
  enterRequest,
  expire,
  gameOf,
  inLine,
  isOverdue,
  playedNow,
} from "./book.ts";
import type { PracticeGame } from "./book.ts";
import { openNotes, practiceView, resultOf } from "./report.ts";
import type { ErrorNotes } from "./report.ts";

/** The bot is A, Starter is B. */
const SEAT = 0;

export function askForPractice(arena: ArenaState, botId: BotId): AskedPractice {
  const { practice, deps } = arena;
  expireUnqueued(arena);
  if (practice.book.open.has(botId)) return { refused: "practice_pending" };
  if (!isOffered(arena)) return { refused: "practice_unavailable" };
  const asked = enterRequest(practice.book, { id: deps.newId(), botId }, deps.clock.now());
  return "game" in asked ? { practice: practiceView(asked.game) } : asked;
}

export function practiceOf(arena: ArenaState, botId: BotId, id: PracticeId): Practice | null {
  expireUnqueued(arena);
  const game = gameOf(arena.practice.book, botId, id);
  return game && practiceView(game);
}

/** Without Starter there are none, nor before a stop. */
function isOffered({ practice: { opponent }, drainDeadline }: ArenaState): boolean {
  return drainDeadline === null && opponent !== null && standingRefusal(opponent.bot) === null;
}

function expireUnqueued(arena: ArenaState): void {
  const { practice, deps } = arena;
  expire(practice.book, deps.clock.now(), (botId) => queuedWith(arena, botId) !== null);
}

/** The place of a bot in the queue of Public; null if it has none. */
function queuedWith({ sessions }: ArenaState, botId: BotId): Entry | null {
  const activity = sessions.get(botId)?.activity;
  if (activity?.state !== "waiting") return null;
  return activity.entry.ladderId === DEFAULT_LADDER ? activity.entry : null;
}

/**
 * Begins the games of bots that have queued, while there is room, in the order in which they were
 * asked for. Nothing begins while results wait for the store or the server is late: the ladder's
 * own matches come first.
 */
export function beginPractice(arena: ArenaState): void {
  const { practice, deps, trouble } = arena;
  const { book } = practice;
  expireUnqueued(arena);
  const line = inLine(book);
  if (line.length === 0 || arena.drainDeadline !== null || trouble.unsaved > 0) return;
  if (deps.health.isLate()) return;
  for (const game of line) {
    if (playedNow(book) >= deps.settings.current().practice_concurrent) return;
    if (!isOffered(arena)) close(book, game, { name: "expired" });
    else tryToBegin(arena, game);
  }
}

function tryToBegin(arena: ArenaState, game: PracticeGame): void {
  const { practice, sessions, withheld, deps } = arena;
  const session = sessions.get(game.botId);
  const entry = queuedWith(arena, game.botId);
  if (session === undefined || entry === null) return;
  if (withheld.values().some(({ botId }) => botId === game.botId)) return;
  const { opponent } = practice;
  const lent = opponent?.lend() ?? null;
  if (opponent === null || lent === null) {
    // The crew of Starter fails again and again: the bot is kept from other matches no longer.
    if (isOverdue(game, deps.clock.now())) close(practice.book, game, { name: "expired" });
    return;
  }
  const rival: Rival = { bot: opponent.bot, version: opponent.version, session: lent };
  try {
    if (!startPractice(arena, { game, session, entry, rival }))
      lent.connection.close(CLOSE_NORMAL, "no game");
  } catch (error) {
    deps.log.error({ botId: game.botId, error }, "a practice game could not be started");
    lent.connection.close(CLOSE_NORMAL, "no game");
    close(practice.book, game, { name: "expired" });
  }
}

type Meeting = { game: PracticeGame; session: Session; entry: Entry; rival: Rival };

/** False at the turn of a month: no season is open for a moment. */
function startPractice(arena: ArenaState, meeting: Meeting): boolean {
  const { deps } = arena;
  const { game, session, entry, rival } = meeting;
  const started = deps.clock.wall().toISOString();
  const competition = competitionNow(arena, DEFAULT_LADDER, started);
  if (competition === null) return false;
  const seed = deps.newSeed();
  const grid = gridBy(arena, seed);
  const facts = { id: deps.newId(), ...competition, map: grid.name, seed, started };
  const setup = setupOf(arena, { ...facts, grid }, meeting);
  const match = createMatch(setup, deps.fights(setup));
  const errors = openNotes();
  const here = new PracticePort(arena, session, { id: facts.id, errors });
  const there = new HouseSeat(arena, rival);
  const end = (verdict: Verdict) => void conclude(arena, contest, meeting, errors, verdict);
  const running = new RunningMatch(deps, match, [here, there], end);
  const contest: Contest = {
    ...facts,
    startedAt: deps.clock.now(),
    contestants: [{ bot: session.bot, version: entry.version }, rival],
    owners: null,
    reasons: null,
    requestId: null,
    running,
  };
  const seating: Seating = {
    ...contest,
    deadlines: setup.deadlines,
    versions: [entry.version, rival.version],
  };
  begin(game, contest.id);
  arena.bouts.set(contest.id, { contest, person: null, errors });
  sitDown(session, seating, SEAT);
  here.enter(running);
  there.enter(running);
  running.open();
  rival.session.flowTo(there);
  return true;
}

type Facts = Pick<Contest, "id" | "ladderId" | "seed" | "started"> & { grid: Grid };

/** The deadlines are those of rated games. */
function setupOf(
  { deps }: ArenaState,
  { id, ladderId, seed, started, grid }: Facts,
  { session, entry, rival }: Pick<Meeting, "session" | "entry" | "rival">,
): MatchSetup {
  const seats = [{ bot: session.bot, version: entry.version }, rival];
  return {
    matchId: id,
    ladderId,
    mode: "practice",
    started,
    versions: deps.versions,
    seed,
    grid,
    deadlines: deadlinesOf(deps.settings.current()),
    fighters: seats.map(({ bot, version }, seat) => ({
      id: fighterIdAt(seat),
      bot_id: bot.id,
      name: bot.name,
      version: version.label,
    })),
  };
}

type Noted = { id: Contest["id"]; errors: ErrorNotes };

/** Notes what the bot is told of its mistakes. */
class PracticePort extends BotPort {
  readonly #errors: ErrorNotes;
  #running: RunningMatch | null = null;

  constructor(arena: ArenaState, session: Session, { id, errors }: Noted) {
    super(arena, session, id);
    this.#errors = errors;
  }

  enter(running: RunningMatch): void {
    this.#running = running;
  }

  override refuse(code: ErrorCode, detail?: string): void {
    const tick = this.#running?.match.tick ?? 0;
    this.#errors.note({ tick, code, message: detail ?? ERRORS[code].text });
    super.refuse(code, detail);
  }

  /** The tick is closed by now. */
  override failed(reason: IdleReason): void {
    const { tick, seats } = sure(this.#running ?? undefined, "running").match;
    const message = seats[SEAT]?.failed?.message ?? "";
    this.#errors.note({ tick: tick - 1, code: reason, message });
  }
}

/** First the store, then the report, then the bot. */
async function conclude(
  arena: ArenaState,
  contest: Contest,
  { game, session, rival }: Meeting,
  errors: ErrorNotes,
  verdict: Verdict,
): Promise<void> {
  const { deps, trouble, practice } = arena;
  rival.session.connection.close(CLOSE_NORMAL, "the practice game is over");
  await concluding(arena, contest.id, async () => {
    const saved = await saveMatch(deps, trouble, lately(contest, session), verdict, () => {});
    const botIds = [game.botId, rival.bot.id];
    const result = resultOf(saved, { seat: SEAT, botIds }, errors.all());
    close(practice.book, game, { name: "done", matchId: contest.id, result });
    arena.bouts.delete(contest.id);
    free(arena, session, endText(contest, saved, null));
  });
}

/** The bot with its name and owner of this moment. */
function lately(contest: Contest, { bot }: Session): Contest {
  const [own, rival] = contest.contestants;
  return { ...contest, contestants: [own && { ...own, bot }, rival] };
}
