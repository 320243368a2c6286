"""A complete Bout bot in one file: it registers itself, plays match after match and reconnects.

To make it yours, add a temper or change `turn_for`. Needs Python 3.11 or newer and `websockets`:
    pip install websockets && python starter.py --url http://localhost:7777 --temper denier
"""

import argparse
import asyncio
import contextlib
import json
import os
import signal
import string
import sys
import urllib.parse
import urllib.request
from collections import namedtuple
from datetime import datetime
from email.utils import formatdate, parsedate_to_datetime
from http.client import HTTPException
from pathlib import Path

# Preferred distance, pull of pickups and of the middle per tile, attacks in order of preference.
Temper = namedtuple("Temper", "gap pickups middle attacks")
TEMPERS = {
    "steady": Temper(2, 0.3, 0.1, ["repulse", "strike", "blast", "bolt"]),
    "rush": Temper(1, 0, 0, ["strike", "hook", "repulse", "bolt"]),
    "kite": Temper(6, 0.1, 0.3, ["repulse", "bolt", "blast", "strike"]),
    "zone": Temper(3, 0.1, 0.8, ["strike", "scorch", "blast", "bolt"]),
    "denier": Temper(3, 1.2, 0, ["strike", "repulse", "bolt", "blast"]),
}
DIRECTIONS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"]


def walk(tile, way, tiles=1):
    """The tile that many steps away; x grows to the right (east), y downwards (south)."""
    dx, dy = ("e" in way) - ("w" in way), ("s" in way) - ("n" in way)
    return tile[0] + dx * tiles, tile[1] + dy * tiles


def distance(a, b):
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def steps_to(goal, rows):
    """Steps from every tile to the goal, around walls and low walls, without cutting corners."""
    steps = {goal: 0}
    reached = [goal]
    for x, y in reached:
        for nx, ny in (walk((x, y), direction) for direction in DIRECTIONS):
            is_free = all(tile not in "#o" for tile in (rows[ny][nx], rows[y][nx], rows[ny][x]))
            if is_free and (nx, ny) not in steps:
                steps[nx, ny] = steps[x, y] + 1
                reached.append((nx, ny))
    return steps


def line_to(start, goal, rows):
    """The direction of a straight line between two tiles that no wall crosses, or None."""
    for direction in DIRECTIONS:
        tile = walk(start, direction)
        while tile != goal and rows[tile[1]][tile[0]] != "#":
            tile = walk(tile, direction)
        if tile == goal:
            return direction


def attack(temper, me, here, after, enemy, rows):
    """The first attack of the temper that is ready and makes sense; bolts fly from `after`."""
    far = distance(here, enemy)
    targets = {
        "strike": far == 1 and line_to(here, enemy, rows),
        "hook": 1 < far <= 5 and line_to(here, enemy, rows),
        "repulse": far <= 2 and "none",
        "bolt": line_to(after, enemy, rows),
        "blast": 2 < far <= 7 and enemy,
        "scorch": 1 < far <= 5 and enemy,
    }
    for name in temper.attacks:
        if me["cooldowns"][name] == 0 and targets[name]:
            return {"attack": {"name": name, "target": targets[name]}}
    return {}


def turn_for(rows, temper, seen):
    """Returns the turn for an observation: the temper's best move, and an attack."""
    me = seen["self"]
    here = me["x"], me["y"]
    middle = (len(rows[0]) - 1) // 2, (len(rows) - 1) // 2
    enemy = next((fighter for fighter in seen["fighters"] if fighter["hp"] > 0), {})
    is_visible = enemy.get("visible", False)
    place = enemy if is_visible else enemy.get("last_seen")
    believed = (place["x"], place["y"]) if place else middle
    steps, inward = steps_to(believed, rows), steps_to(middle, rows)

    def score(way):
        tile = way[1]
        areas = sum(hurt for x, y, ticks, hurt in seen["danger"] if (x, y) == tile and ticks <= 2)
        # Outside the zone every step counts, or a bot that keeps its distance stays out there.
        is_outside = distance(tile, middle) > max(1, seen["zone"]["radius"] - 1)
        zone = 3 * inward.get(tile, 30) if is_outside else 0
        pickup = min([12, *(distance(tile, (p["x"], p["y"])) for p in seen["pickups"])])
        gap, away = abs(steps.get(tile, 30) - temper.gap), distance(tile, middle)
        return -gap - areas - zone - temper.pickups * pickup - temper.middle * away

    ways = [({}, here)]
    ways += [({"move": move}, walk(here, move)) for move in seen["moves"]]
    ways += [({"dash": dash}, walk(here, dash, n)) for dash, n in seen["dashes"].items()]
    turn, after = max(ways, key=score)
    can_aim = is_visible and seen["moves"]
    return turn | attack(temper, me, here, after, believed, rows) if can_aim else turn


def create_bot(hello, temper="denier"):
    """Creates a bot for one match; used by the simulator and the connection below."""
    if temper not in TEMPERS:
        raise ValueError(f"no temper {temper!r}: {', '.join(TEMPERS)}")
    return lambda seen: turn_for(hello["map"]["rows"], TEMPERS[temper], seen)


# Permanent errors by code, and what to do.
LAST = {
    "missing_authorization": "set BOUT_TOKEN to the bot's token",
    "invalid_token": "get a new token at URL/account; set BOUT_TOKEN"
    " or replace the file NAME.token",
    "suspended": "for the reason, see URL/account; start the bot again once the suspension is lifted",
    "banned": "for the reason, see URL/account",
    "retired": "register another bot at URL/create-bot",
    "account_banned": "for the reason, see URL/account",
    "account_required": "claim the bot at URL/account, then start it again",
    "replaced": "another program uses this token; stop it first",
    "unknown_ladder": "for ladder ids, see URL/ladders; pass one with --ladder",
    "invalid_version": "start it again with another --version label",
    "version_retired": "start it again with another --version label",
}
# Temporary errors: the starter queues again later.
LATER = ["ladder_closed", "enrollment_required", "version_limit", "store_unavailable"]
# HTTP statuses after which a retry can't succeed.
REFUSED = [400, 401, 403, 410, 426]
PLAYED, STOPPED = "all matches played", "on request"
SIGNALS = (signal.SIGINT, signal.SIGTERM) if sys.platform != "win32" else ()
OPENING_S, HEARTBEAT_S, RETRY_S, LONGEST_RETRY_S = 10, 20, 1, 30


def say(text):
    """Prints a line without control characters."""
    print("".join(letter if letter.isprintable() else " " for letter in text), flush=True)


def judge(code, url, name, ladder):
    """
    Returns whether an error is permanent, what to do, and for an upcoming ladder the seconds until
    it opens, by the server's clock. None: nothing to do.
    """
    if code in LAST:
        return True, LAST[code].replace("URL", url).replace("NAME", name)
    if code not in LATER:
        return None
    named = urllib.parse.urlencode({"ladder": ladder})
    page = f"{url}/ladders?{named}"
    try:
        answer = urllib.request.urlopen(f"{url}/api/ladders?{named}", timeout=OPENING_S)
        listed = json.load(answer)
        now = parsedate_to_datetime(answer.headers["Date"] or formatdate(usegmt=True))
        found = next((one for one in listed if one["id"] == ladder), {})
    except (OSError, ValueError, LookupError, TypeError, HTTPException):
        found = {}
    phase = found.get("phase")
    if code == "ladder_closed" and phase == "closed":
        return True, f"the ladder has ended; for results, see {url}/results?{named}"
    if code == "ladder_closed" and phase == "upcoming":
        opens_in = (datetime.fromisoformat(found["opens_at"]) - now).total_seconds()
        return False, f"the ladder opens at {found['opens_at']}: {page}", opens_in
    if code == "ladder_closed" and not found.get("enabled", True):
        return False, f"the organiser has disabled the ladder for now: {page}"
    if code != "enrollment_required":
        return False, ""
    enter = f"join the ladder at {page} with the account that owns the bot"
    if found.get("access") != "approval":
        return bool(found), f"{enter}, then start it again"
    return False, f"{enter}; the organiser must approve it, see {url}/account"


def pause_before(wait, opens_in=float("inf")):
    """Returns the delay before the next queue message: no longer than until the ladder opens."""
    return min(wait, max(opens_in, RETRY_S))


def clean_token(text):
    """Removes what files and shells may add: a byte order mark, spaces, line ends, quotes."""
    return text.strip(string.whitespace + "\u00a0\ufeff'\"")


def find_token(options):
    """Returns the given token, the one stored by the last run, or that of a new bot."""
    file = Path(f"{options.name}.token")
    text = options.token or (file.read_text("utf-8", "replace") if file.exists() else "")
    if token := clean_token(text):
        if not all("!" <= letter <= "~" for letter in token):
            place = f"BOUT_TOKEN or {file}"
            raise SystemExit(f"the token in {place} is damaged: copy it again")
        return token
    body = json.dumps({"name": options.name}).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{options.url}/api/bots", body, headers)
    try:
        token = json.load(urllib.request.urlopen(request, timeout=OPENING_S))["token"]
    except urllib.error.HTTPError as error:
        if error.code == 429 or error.code >= 500:
            raise
        page = f"Get a token for BOUT_TOKEN at {options.url}/create-bot"
        try:
            why = json.load(error)["error"]
        except (ValueError, LookupError, TypeError):
            why = error
        raise SystemExit(f"could not register: {why} {page}") from None
    file.touch(mode=0o600)
    file.write_text(token)
    return token


async def send(socket, text):
    """Sends, unless the server has closed: its earlier messages must still be received."""
    import websockets

    with contextlib.suppress(websockets.ConnectionClosed):
        await socket.send(text)


async def connect(options, outcome):
    """
    Plays on one connection until it closes, or the games are played. Notes in `outcome` whether
    it was of use, and the code after which there is nothing to come back for.
    """
    import websockets  # here, so that a simulation without the package can import this file

    try:
        index = urllib.request.urlopen(f"{options.url}/api", timeout=OPENING_S)
        endpoint = json.load(index)["bot_endpoint"]
    except (ValueError, LookupError, TypeError, HTTPException) as error:
        raise OSError(f"not a Bout server ({error})") from None
    times = {"open_timeout": OPENING_S, "ping_interval": HEARTBEAT_S, "ping_timeout": HEARTBEAT_S}
    headers = {"Authorization": f"Bearer {find_token(options)}"}
    async with websockets.connect(endpoint, additional_headers=headers, **times) as socket:
        match, decide, draining, wait = None, None, False, RETRY_S
        ladder = {"ladder_id": options.ladder} if options.ladder else {}
        queue = json.dumps({"type": "queue", "version": options.version} | ladder)

        async def stop():
            """Finishes a running match, because leaving would lose it."""
            await outcome["stopping"].wait()
            say("stopping after this match" if match else "stopping")
            options.games = 1
            await send(socket, json.dumps({"type": "leave"}))
            await asyncio.sleep(RETRY_S)  # a match may have begun meanwhile
            if match is None:
                outcome["last"] = STOPPED
                await socket.close()

        stopper = asyncio.create_task(stop())
        await send(socket, queue)
        try:
            while True:
                message = json.loads(await socket.recv())
                kind = message["type"]
                if kind == "queued":
                    if not outcome["useful"]:
                        say(f"queued with {options.version} at {endpoint}")
                    outcome["useful"], wait = True, RETRY_S
                elif kind in ("error", "replaced"):
                    code = message["code"]
                    say(f"{code}: {message['message']}")
                    asked = code, options.url, options.name, options.ladder or "public"
                    verdict = await asyncio.to_thread(judge, *asked) or (None, "")
                    is_last, advice, *opens_in = verdict
                    if advice:
                        say(advice)
                    if is_last:
                        outcome["last"] = code
                        await socket.close()
                    elif is_last is False:
                        pause = pause_before(wait, *opens_in)
                        say(f"queueing again in {pause:g} s")
                        await asyncio.sleep(pause)
                        await send(socket, queue)
                        wait = RETRY_S if pause < wait else min(2 * wait, LONGEST_RETRY_S)
                elif kind == "server_draining":
                    draining = True
                elif kind == "hello":
                    match, decide = message, create_bot(message, options.temper)
                    ready = {"type": "ready", "match_id": match["match_id"]}
                    await send(socket, json.dumps(ready))
                elif kind == "observation" and decide:
                    turn = {"type": "turn", "tick": message["tick"]} | decide(message)
                    await send(socket, json.dumps(turn))
                elif kind == "end":
                    ended, match = match, None
                    say(await asyncio.to_thread(report, options.url, ended, message))
                    options.games -= 1
                    if options.games == 0:
                        return
                    if not draining:
                        await send(socket, queue)
        finally:
            stopper.cancel()


# House bots have a name for people. The first mention of one has its handle too.
known = {}


def name_of(url, name):
    if name in known or not name.startswith("house-"):
        return known.get(name, name)
    try:
        bot = json.load(urllib.request.urlopen(f"{url}/api/bots/{name}", timeout=OPENING_S))
        known[name] = bot["display_name"]
    except (OSError, ValueError, LookupError, TypeError, HTTPException):
        return name
    return f"{known[name]} ({name})"


def report(url, match, end):
    result = "won" if end["winner"] == match["fighter"] else "lost" if end["winner"] else "drawn"
    rating = "unrated" if end["rating_change"] is None else f"rating change {end['rating_change']}"
    opponent = name_of(url, match["opponent"]["name"])
    return f"{result} against {opponent}: {end['reason']}, {rating}, {url}{end['watch_url']}"


async def play(options):
    """
    Plays until a code says stop, or the games are played. In between it waits 1 s, then twice as
    long, up to 30 s.
    """
    import websockets

    wait, stopping, loop = RETRY_S, asyncio.Event(), asyncio.get_running_loop()

    def asked_to_stop(code):
        stopping.set()
        loop.remove_signal_handler(code)

    for code in SIGNALS:
        loop.add_signal_handler(code, asked_to_stop, code)
    while True:
        outcome = {"useful": False, "last": None, "stopping": stopping}
        try:
            await connect(options, outcome)
            return PLAYED
        except websockets.ConnectionClosed as closed:
            say(f"closed: {closed.rcvd or 'the connection broke'}")
            if outcome["last"]:
                return outcome["last"]
        except (OSError, websockets.WebSocketException) as error:
            say(f"can't connect to {options.url}: {error}")
            answer = getattr(error, "response", None)  # of an upgrade; `code` is of other requests
            status = getattr(answer, "status_code", getattr(error, "code", None))
            if status in REFUSED:
                return f"HTTP {status}"
        wait = RETRY_S if outcome["useful"] else wait
        say(f"trying again in {wait} s")
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(stopping.wait(), wait)
            return STOPPED
        wait = min(2 * wait, LONGEST_RETRY_S)


if __name__ == "__main__":
    if sys.version_info < (3, 11):
        raise SystemExit(f"starter.py needs Python 3.11 or newer; this is {sys.version.split()[0]}")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--url", default=os.environ.get("BOUT_URL", "http://localhost:7777"))
    parser.add_argument("--ladder", default=os.environ.get("BOUT_LADDER"), help="public if none")
    parser.add_argument("--name", default=os.environ.get("BOUT_NAME", "my-bot"))
    parser.add_argument("--token", default=os.environ.get("BOUT_TOKEN"))
    parser.add_argument("--temper", default="denier", choices=TEMPERS)
    parser.add_argument("--version", default="v1", help="version label that matches count for")
    parser.add_argument("--games", default=0, type=int, help="number of matches; 0: no limit")
    options, unknown = parser.parse_known_args()
    if unknown:  # argparse itself would print a token that follows an unknown flag
        flags = [word.split("=")[0] for word in unknown if word.startswith("--")]
        parser.error(f"unknown arguments: {' '.join(flags) or len(unknown)}")
    if not options.url.startswith(("http://", "https://")):
        parser.error("--url must start with http:// or https://")
    try:
        import websockets  # noqa: F401
    except ModuleNotFoundError:
        raise SystemExit("starter.py needs the package websockets: pip install websockets") from None
    options.url = options.url.rstrip("/")
    last = asyncio.run(play(options))
    if last not in (PLAYED, STOPPED):
        raise SystemExit(f"stopped: {last}")
    say(f"stopped: {last}")
