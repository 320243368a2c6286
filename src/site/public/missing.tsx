import type { AvatarName } from "#core/words/avatars.ts";
import { Avatar } from "#site/avatars/avatar.tsx";

import type { MissingData } from "./data.ts";

type Way = readonly [text: string, href: string];

/** Who stands in the empty corner, what it says, and where to go instead. */
type Words = { face: AvatarName; heading: string; lead: string; ways: readonly Way[] };

const WORDS: Record<MissingData["what"], Words> = {
  page: {
    face: "specter",
    heading: "Nothing here",
    lead: "There is no page at this address. It may have moved, or it was never there.",
    ways: [
      ["To the front page", "/"],
      ["Guides", "/guide"],
    ],
  },
  bot: {
    face: "shade",
    heading: "No such fighter",
    lead: "There is no bot of this name. It may have another name, or it was deleted before it fought.",
    ways: [
      ["See who fights", "/ladder"],
      ["Create a bot", "/create-bot"],
    ],
  },
  user: {
    face: "jester",
    heading: "Nobody of this name",
    lead: "There is no account with this handle. It may have another one now, or it has left.",
    ways: [
      ["See who fights", "/ladder"],
      ["To the front page", "/"],
    ],
  },
  ladder: {
    face: "titan",
    heading: "No such ladder or season",
    lead: "There is no ladder or season of this name. Those that exist are on one page.",
    ways: [
      ["All ladders", "/ladders"],
      ["The public ladder", "/ladder"],
    ],
  },
  event: {
    face: "sage",
    heading: "No such event",
    lead: "There is no event of this name. Those that are listed are on one page.",
    ways: [
      ["All events", "/achievements"],
      ["All ladders", "/ladders"],
    ],
  },
  bout: {
    face: "luchador",
    heading: "Nobody in this corner",
    lead: "There is no bout with this number. A bout gets its page when it starts.",
    ways: [
      ["Watch a bout", "/"],
      ["Results", "/results"],
    ],
  },
  view: {
    face: "luchador",
    heading: "Nobody in this corner",
    lead: "There is no bout with this number.",
    ways: [["Watch a bout", "/"]],
  },
  address: {
    face: "specter",
    heading: "An address nobody can read",
    lead: "The address is not well encoded: after a percent sign it needs two hexadecimal digits.",
    ways: [
      ["To the front page", "/"],
      ["See who fights", "/ladder"],
    ],
  },
  busy: {
    face: "titan",
    heading: "Too many requests",
    lead: "Your network has sent too many requests. Wait a few seconds, then reload this page.",
    ways: [
      ["To the front page", "/"],
      ["See who fights", "/ladder"],
    ],
  },
  fault: {
    face: "jester",
    heading: "Something went wrong",
    lead: "The fault is ours, and the log of the server has it. Bots and bouts go on.",
    ways: [
      ["To the front page", "/"],
      ["See who fights", "/ladder"],
    ],
  },
};

/** The page for an address that does not exist. */
export function MissingPage({ data: { what } }: { data: MissingData }) {
  const { face, heading, lead, ways } = WORDS[what];
  // A frame of another site is too small for our pages, so its links open pages of their own.
  const target = what === "view" ? { target: "_blank", rel: "noopener" } : {};
  return (
    <div class="missing">
      <Avatar name={heading} avatar={face} size={what === "view" ? 48 : 128} />
      <h1>{heading}</h1>
      <p class="lead">{lead}</p>
      <p class="actions">
        {ways.map(([text, href], at) => (
          <a key={href} class={at === 0 ? "button" : "button quiet"} href={href} {...target}>
            {text}
          </a>
        ))}
      </p>
    </div>
  );
}
