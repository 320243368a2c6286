import type { AdminAnnouncement } from "#core/resources/announcement.ts";
import { Act, Acts } from "#site/admin/act.tsx";
import type { PartProps } from "#site/admin/part.ts";

import { Draft, textQuestions } from "./draft.tsx";
import { goesAsMail, publishedBy, publishingWords } from "./words.ts";

type StepProps = Pick<PartProps, "desk" | "look"> & {
  announcement: AdminAnnouncement;
  path: string;
  again: () => Promise<void>;
};

/** What may be done about an announcement in its state. */
export function AnnouncementSteps(props: StepProps) {
  const { desk, look, announcement } = props;
  const { state, deliveries } = announcement;
  return (
    <Acts>
      {state === "draft" && <Publication {...props} />}
      {state !== "archived" && <Rewording {...props} />}
      {deliveries.failed > 0 && <Retry {...props} />}
      {state !== "archived" && <Archival {...props} />}
      {state !== "published" && (
        <Draft {...{ desk, look }} ask="Draft it again" like={announcement} />
      )}
      <Deletion {...props} />
    </Acts>
  );
}

function Publication({ desk, announcement, path, again }: StepProps) {
  return (
    <Act
      desk={desk}
      onDone={again}
      ask="Publish"
      title="Publish the announcement"
      yes="Publish for good"
      waiting="Publishing…"
      route={() => ({ method: "POST", path: `${path}/publish` })}
      done={() => "It is published."}
    >
      {publishingWords(announcement).map((words) => (
        <p key={words}>{words}</p>
      ))}
      {Date.now() > Date.parse(publishedBy(announcement)) && (
        <p>The draft is older than an hour, so its audience may be another one: draft it again.</p>
      )}
    </Act>
  );
}

function Rewording({ desk, announcement, path, again }: StepProps) {
  const isDraft = announcement.state === "draft";
  return (
    <Act
      desk={desk}
      onDone={again}
      ask="Change the words"
      title="Change the words"
      yes="Save"
      waiting="Saving…"
      questions={textQuestions(announcement)}
      route={({ title, body }) => ({ method: "PUT", path, body: { title, body } })}
      done={() => "The words are changed."}
    >
      <p>
        {isDraft
          ? "The notice and the letter follow. The hour in which it can be published does not begin again."
          : goesAsMail(announcement)
            ? "The notice changes on all pages. Letters keep the words with which it was published."
            : "The notice changes on all pages."}
      </p>
    </Act>
  );
}

function Retry({ desk, announcement: { deliveries }, path, again }: StepProps) {
  return (
    <Act
      desk={desk}
      onDone={again}
      ask="Send failed letters again"
      title="Send failed letters again"
      yes="Send again"
      waiting="Asking…"
      route={() => ({ method: "POST", path: `${path}/retry` })}
      done={(answer) => requeuedWords(answer as { requeued: number })}
    >
      <p>
        {deliveries.failed === 1
          ? "The mail server refused one letter."
          : `The mail server refused ${deliveries.failed} letters.`}{" "}
        Those that are unknown may have arrived, and are not sent again.
      </p>
    </Act>
  );
}

function Archival({ desk, announcement, path, again }: StepProps) {
  const isDraft = announcement.state === "draft";
  const ask = isDraft ? "Discard" : "Archive";
  return (
    <Act
      desk={desk}
      onDone={again}
      ask={ask}
      title={`${ask} the announcement`}
      yes={ask}
      waiting="Asking…"
      route={() => ({ method: "POST", path: `${path}/archive` })}
      done={() => (isDraft ? "The draft is discarded." : "The notice is off the pages.")}
    >
      <p>
        {isDraft
          ? "It stays in the list, and cannot be published any more."
          : "Its notice leaves the pages, and does not come back. Letters that wait still go out; deleting the announcement takes them back."}
      </p>
    </Act>
  );
}

/** A title may be long, or in letters that are hard to type. */
const TYPED = "delete";

function Deletion({ desk, announcement, path, look }: StepProps) {
  const { pending } = announcement.deliveries;
  return (
    <Act
      desk={desk}
      ask="Delete"
      title="Delete the announcement"
      yes="Delete for good"
      waiting="Deleting…"
      typed={TYPED}
      route={() => ({ method: "DELETE", path })}
      done={() => "The announcement is deleted."}
      onDone={() => look(null)}
    >
      <p>
        It leaves the pages and this list.{" "}
        {pending > 0 && `${pending} letters that wait do not go out. `}
        The audit keeps who wrote and who deleted it.
      </p>
    </Act>
  );
}

const requeuedWords = ({ requeued }: { requeued: number }): string =>
  requeued === 1 ? "One letter goes out again." : `${requeued} letters go out again.`;
