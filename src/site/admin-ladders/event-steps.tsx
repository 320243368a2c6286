import { Act, Acts } from "#site/admin/act.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { reasonQuery, reasonQuestion, windowIn, windowQuestions } from "#site/admin/questions.ts";

import { conditionQuestions, conditionsIn } from "./achievement-questions.ts";
import type { EventPartProps } from "./event-part.ts";
import {
  eventTextQuestions,
  eventTextsIn,
  opponentQuestions,
  opponentsIn,
  submissionIn,
  submissionQuestions,
} from "./event-questions.ts";

type EventStepsProps = EventPartProps & Pick<PartProps, "look">;

/** What may be done about an event. */
export function EventSteps({ data, desk, event, path, again, look }: EventStepsProps) {
  const { id, name, enabled } = event;
  const saving = { desk, yes: "Save", waiting: "Saving…", onDone: again };
  return (
    <Acts>
      <Act
        {...saving}
        ask={enabled ? "Disable" : "Enable"}
        title={`${enabled ? "Disable" : "Enable"} ${name}`}
        yes={enabled ? "Disable" : "Enable"}
        route={() => ({ method: "PUT", path: `${path}/settings`, body: { enabled: !enabled } })}
        done={() => `${name} is ${enabled ? "off" : "on"}.`}
      >
        <p>
          {enabled
            ? "Nothing more is earned. What was earned stays."
            : "It is listed, and games in its window count, those before now too."}
        </p>
      </Act>
      <Act
        {...saving}
        ask="Schedule"
        title={`Schedule of ${name}`}
        questions={windowQuestions(event, false)}
        route={(answers) => ({
          method: "PUT",
          path: `${path}/schedule`,
          body: windowIn(answers),
        })}
        done={() => `${name} has another schedule.`}
      >
        <p>It lies within the window of its ladder. An opening that has been stays.</p>
      </Act>
      <Words {...{ data, desk, event, path, again }} />
      <Act
        desk={desk}
        ask="Delete"
        title={`Delete ${name}`}
        yes="Delete for good"
        waiting="Deleting…"
        typed={id}
        questions={[reasonQuestion(data.reason_length)]}
        route={(answers) => ({ method: "DELETE", path: path + reasonQuery(answers) })}
        done={() => `${name} is deleted.`}
        onDone={() => look(null)}
      >
        <p>Only an event in which nobody has earned anything can be deleted.</p>
      </Act>
    </Acts>
  );
}

/** What people read of it, and whom they may ask for. */
function Words({ desk, event, path, again }: EventPartProps) {
  const { name } = event;
  const saving = { desk, yes: "Save", waiting: "Saving…", onDone: again };
  return (
    <>
      <Act
        {...saving}
        ask="Texts"
        title={`Texts of ${name}`}
        questions={eventTextQuestions(event)}
        route={(answers) => ({ method: "PUT", path, body: eventTextsIn(event, answers) })}
        done={() => `${name} is changed.`}
      >
        <p>Players read these texts on the page of the event.</p>
      </Act>
      {event.phase === "upcoming" && (
        <Act
          {...saving}
          ask="Achievements"
          title={`Achievements of ${name}`}
          questions={conditionQuestions(event.conditions)}
          route={(answers) => {
            const conditions = conditionsIn(answers);
            if (!Array.isArray(conditions)) return conditions;
            return { method: "PUT", path, body: { conditions } };
          }}
          done={() => `The achievements of ${name} are saved.`}
        >
          <p>Achievements can be changed until the event opens.</p>
        </Act>
      )}
      <Act
        {...saving}
        ask="Handing in"
        title={`How people hand in for ${name}`}
        questions={submissionQuestions(event)}
        route={(answers) => ({
          method: "PUT",
          path: `${path}/submission`,
          body: submissionIn(answers),
        })}
        done={() => `${name} says how to hand in.`}
      >
        <p>Who takes part reads this. This server never asks that address anything.</p>
      </Act>
      <Act
        {...saving}
        ask="Approve opponents"
        title={`Opponents of ${name}`}
        yes="Approve"
        questions={opponentQuestions(event)}
        route={(answers) => ({
          method: "PUT",
          path: `${path}/opponents`,
          body: opponentsIn(answers),
        })}
        done={() => `${name} has these opponents.`}
      >
        <p>
          For each house bot the label of the version whose play you approve. One left empty is not
          approved, and an event needs all.
        </p>
      </Act>
    </>
  );
}
