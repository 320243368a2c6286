import type { AdminAnnouncement } from "#core/resources/announcement.ts";
import { ANNOUNCEMENT_LIMITS } from "#core/words/announcement-limits.ts";
import { Act } from "#site/admin/act.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { listIn } from "#site/admin/questions.ts";
import type { FormQuestion } from "#site/look/form.tsx";

import { ANNOUNCEMENTS_ROUTE } from "./words.ts";

type Text = Pick<AdminAnnouncement, "title" | "body">;

export const textQuestions = ({ title, body }: Text): FormQuestion[] => [
  {
    name: "title",
    label: "Title",
    hint: "One line.",
    given: title,
    most: ANNOUNCEMENT_LIMITS.announcement_title_max.default,
  },
  {
    name: "body",
    label: "Text",
    kind: "paragraphs",
    hint: "Plain text: markup is shown as it is typed.",
    given: body,
    most: ANNOUNCEMENT_LIMITS.announcement_body_max.default,
  },
];

type DraftProps = Pick<PartProps, "desk" | "look"> & {
  /** On the button. */
  ask: string;
  /** What it begins with. */
  like?: Text & Pick<AdminAnnouncement, "channels">;
};

/** Makes a draft, and looks at it. */
export function Draft({ desk, look, ask, like }: DraftProps) {
  const { channels = ["in_game"] } = like ?? {};
  return (
    <Act
      desk={desk}
      ask={ask}
      no="Cancel"
      title={ask}
      yes="Make the draft"
      waiting="Asking…"
      questions={[
        ...textQuestions(like ?? { title: "", body: "" }),
        {
          name: "channels",
          label: "Goes out",
          isSeveral: true,
          // The server says what is wrong with none.
          isOptional: true,
          given: channels.join(" "),
          choices: [
            { value: "in_game", words: "as a notice on every page" },
            { value: "email", words: "by mail" },
          ],
        },
      ]}
      route={({ title, body, channels: chosen }) => ({
        method: "POST",
        path: `${ANNOUNCEMENTS_ROUTE}/preview`,
        body: {
          title,
          body,
          in_game: listIn(chosen).includes("in_game"),
          email: listIn(chosen).includes("email"),
        },
      })}
      done={() => "The draft is made. It tells nobody anything yet."}
      onDone={(made) => look((made as AdminAnnouncement).id)}
    >
      <p>You see what goes out, and to how many, before you publish it.</p>
    </Act>
  );
}
