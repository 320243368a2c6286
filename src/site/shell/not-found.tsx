import type { AvatarName } from "#core/ids/avatars.ts";
import { Avatar } from "#site/avatars/avatar.tsx";

import type { NotFoundData } from "./data.ts";

type PageLink = readonly [text: string, href: string];

type NotFoundText = {
  avatarName: AvatarName;
  heading: string;
  lead: string;
  links: readonly PageLink[];
};

const NOT_FOUND_TEXTS: Record<NotFoundData["what"], NotFoundText> = {
  page: {
    avatarName: "specter",
    heading: "Page not found",
    lead: "This page doesn't exist. It may have moved.",
    links: [
      ["Home", "/"],
      ["Guides", "/guide"],
    ],
  },
  bot: {
    avatarName: "shade",
    heading: "Bot not found",
    lead: "There's no bot with this name. It may have been renamed or deleted.",
    links: [
      ["Leaderboard", "/ladder"],
      ["Create a bot", "/create-bot"],
    ],
  },
  user: {
    avatarName: "jester",
    heading: "Player not found",
    lead: "There's no account with this handle. It may have changed, or the account was deleted.",
    links: [
      ["Leaderboard", "/ladder"],
      ["Home", "/"],
    ],
  },
  ladder: {
    avatarName: "titan",
    heading: "Ladder or season not found",
    lead: "There's no ladder or season with this ID. See the list of ladders.",
    links: [
      ["All ladders", "/ladders"],
      ["Public ladder", "/ladder"],
    ],
  },
  event: {
    avatarName: "sage",
    heading: "Event not found",
    lead: "There's no event with this ID. See the list of events.",
    links: [
      ["All events", "/achievements"],
      ["All ladders", "/ladders"],
    ],
  },
  bout: {
    avatarName: "luchador",
    heading: "Match not found",
    lead: "There's no match with this ID. Matches get a page when they start.",
    links: [
      ["Watch matches", "/"],
      ["Results", "/results"],
    ],
  },
  view: {
    avatarName: "luchador",
    heading: "Match not found",
    lead: "There's no match with this ID.",
    links: [["Watch matches", "/"]],
  },
  address: {
    avatarName: "specter",
    heading: "Invalid URL",
    lead: "The URL isn't encoded correctly: a percent sign must be followed by two hexadecimal digits.",
    links: [
      ["Home", "/"],
      ["Leaderboard", "/ladder"],
    ],
  },
  busy: {
    avatarName: "titan",
    heading: "Too many requests",
    lead: "Your network has sent too many requests. Wait a few seconds, then reload this page.",
    links: [
      ["Home", "/"],
      ["Leaderboard", "/ladder"],
    ],
  },
  fault: {
    avatarName: "jester",
    heading: "Something went wrong",
    lead: "This is a server error, and it has been logged. Bots and matches aren't affected.",
    links: [
      ["Home", "/"],
      ["Leaderboard", "/ladder"],
    ],
  },
};

export function NotFoundView({ data: { what } }: { data: NotFoundData }) {
  const { avatarName, heading, lead, links } = NOT_FOUND_TEXTS[what];
  // Embeds are too small for full pages, so links open a new tab.
  const target = what === "view" ? { target: "_blank", rel: "noopener" } : {};
  return (
    <div class="missing">
      <Avatar name={heading} avatar={avatarName} size={what === "view" ? 48 : 128} />
      <h1>{heading}</h1>
      <p class="lead">{lead}</p>
      <p class="actions">
        {links.map(([text, href], index) => (
          <a key={href} class={index === 0 ? "button" : "button quiet"} href={href} {...target}>
            {text}
          </a>
        ))}
      </p>
    </div>
  );
}
