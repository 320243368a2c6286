import type { AdminLadder, LadderDetail } from "#core/resources/admin-ladder.ts";
import { Act, Acts } from "#site/admin/act.tsx";
import { DetailHead, Fact, Facts } from "#site/admin/facts.tsx";
import { Moment } from "#site/admin/moment.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { consolePath } from "#site/admin/place.ts";
import { reasonQuery, reasonQuestion, windowIn, windowQuestions } from "#site/admin/questions.ts";
import { useRead } from "#site/admin/read.ts";
import { Readable } from "#site/admin/readable.tsx";
import { Section } from "#site/look/parts.tsx";

import { Downloads } from "./download.tsx";
import { EventTable } from "./event-table.tsx";
import { Invitations } from "./invitations.tsx";
import {
  ladderSettingsIn,
  ladderSettingsQuestions,
  playIn,
  playQuestions,
} from "./ladder-questions.ts";
import { MemberList } from "./members.tsx";

type LadderPageProps = PartProps & { of: string };

/** One ladder: who is on it, how they get in, when it is open. */
export function LadderPage({ data, desk, of, look }: LadderPageProps) {
  const path = `/api/admin/ladders/${encodeURIComponent(of)}`;
  const read = useRead<LadderDetail>(desk, path);
  return (
    <>
      <Readable read={read}>
        {({ ladder, events, members, invitations }) => {
          const shared = { data, desk, path, again: read.again };
          return (
            <>
              <DetailHead
                title={ladder.name}
                back={consolePath("ladders")}
                backWords="All ladders"
              />
              <Known {...ladder} />
              <Steps {...shared} {...{ ladder, look }} />
              <Section id="members" title="Members">
                <MemberList {...shared} {...{ members }} />
                <Downloads desk={desk} path={`${path}/members`} name={`${ladder.id}-members`} />
                <Downloads desk={desk} path={`${path}/standings`} name={`${ladder.id}-standings`} />
              </Section>
              <Section id="invitations" title="Invitations">
                <Invitations {...shared} {...{ invitations }} />
              </Section>
              <Section id="events" title="Events">
                <EventTable events={events} empty="No event is on this ladder." />
              </Section>
            </>
          );
        }}
      </Readable>
    </>
  );
}

const Edge = ({ at, none }: { at: string | null; none: string }) =>
  at === null ? <>{none}</> : <Moment at={at} />;

function Known(ladder: AdminLadder) {
  const { id, phase, access, enabled, visible, maps, house, password_set, members } = ladder;
  return (
    <>
      <Facts>
        <Fact title="Phase">{phase}</Fact>
        <Fact title="Opens">
          <Edge at={ladder.opens_at} none="always was open" />
        </Fact>
        <Fact title="Closes">
          <Edge at={ladder.closes_at} none="never" />
        </Fact>
        <Fact title="Access">
          {access}
          {access === "password" && (password_set ? ", set" : ", not set")}
        </Fact>
        <Fact title="Matches are played">{enabled ? "yes" : "no"}</Fact>
        <Fact title="Listed">{visible ? "yes" : "no"}</Fact>
        <Fact title="Members">{members.active}</Fact>
        <Fact title="Ask to enter">{members.pending}</Fact>
        <Fact title="Matches at once">{ladder.max_concurrent ?? "as the server"}</Fact>
        <Fact title="Of one owner at once">{ladder.owner_concurrency ?? "as the server"}</Fact>
      </Facts>
      <p class="sub">
        What is played at once is as the ladder was made;{" "}
        <a href="/admin?part=settings">settings</a> may say otherwise.
      </p>
      <p class="sub">
        Id <code>{id}</code> · Maps: {maps.join(", ")} · House bots: {house.join(", ") || "none"}
      </p>
    </>
  );
}

type StepsProps = Pick<PartProps, "data" | "desk" | "look"> & {
  ladder: AdminLadder;
  path: string;
  again: () => Promise<void>;
};

function Steps({ data, desk, ladder, path, again, look }: StepsProps) {
  const { id, name } = ladder;
  const saving = { desk, yes: "Save", waiting: "Saving…", onDone: again };
  return (
    <Acts>
      <Act
        {...saving}
        ask="Settings"
        title={`Settings of ${name}`}
        questions={ladderSettingsQuestions(ladder)}
        route={(answers) => ({
          method: "PUT",
          path: `${path}/settings`,
          body: ladderSettingsIn(ladder, answers),
        })}
        done={() => `The settings of ${name} are saved.`}
      >
        <p>
          {id === "public"
            ? "Public stays listed, on and open to everybody."
            : "Matches that run go on to their end; a ladder that is off starts none."}
        </p>
      </Act>
      {id !== "public" && (
        <Act
          {...saving}
          ask="Schedule"
          title={`Schedule of ${name}`}
          questions={windowQuestions(ladder, true)}
          route={(answers) => ({
            method: "PUT",
            path: `${path}/schedule`,
            body: windowIn(answers),
          })}
          done={() => `${name} has another schedule.`}
        >
          <p>
            An opening that has been stays, and so does all of a ladder that has closed. Left empty,
            there is no bound. Its events must lie within.
          </p>
        </Act>
      )}
      <Act
        {...saving}
        ask="Maps and house bots"
        title={`Maps and house bots of ${name}`}
        questions={playQuestions(ladder)}
        route={(answers) => ({ method: "PUT", path, body: playIn(answers) })}
        done={() => `${name} has other maps and house bots.`}
      >
        <p>They count from the next wave on. Achievements may need some of them.</p>
      </Act>
      {id !== "public" && <Deletion {...{ data, desk, ladder, path, look }} />}
    </Acts>
  );
}

function Deletion({ data, desk, ladder: { id, name }, path, look }: Omit<StepsProps, "again">) {
  return (
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
      <p>Only a ladder without a match and without an event can be deleted.</p>
    </Act>
  );
}
