import { useEffect, useState } from "preact/hooks";

import type { Preview, SettingsView } from "#core/operator/settings.ts";
import { Act } from "#site/admin/act.tsx";
import { reasonIn, reasonQuestion } from "#site/admin/questions.ts";
import { Table } from "#site/admin/table.tsx";

import { itemsOf, problemsIn, snapshotOf } from "./draft.ts";
import { APPLIES, fieldId, nameOf, shown } from "./fields.tsx";
import { isClash, SETTINGS_ROUTE } from "./settings-table.ts";
import type { SettingsTable } from "./settings-table.ts";

/** Stays in sight while something is typed that is not saved. */
export function SaveBar(table: SettingsTable) {
  const { data, desk, view, draft, setDraft, renew, clash } = table;
  const count = Object.keys(draft).length;
  if (count === 0) return null;
  const problems = problemsIn(itemsOf(view), draft);
  return (
    <div class="settings-bar" role="region" aria-label="Changes that are not saved">
      <p role="status">{count === 1 ? "1 change" : `${count} changes`}, not saved</p>
      {problems.length === 0 ? (
        <Act
          // Another revision makes the question another one.
          key={view.revision}
          desk={desk}
          ask="See what changes"
          title="Change the settings"
          yes="Save"
          waiting="Saving…"
          questions={[reasonQuestion(data.reason_length)]}
          route={(answers) => ({
            method: "PUT",
            path: SETTINGS_ROUTE,
            body: { ...snapshotOf(view, draft), ...reasonIn(answers) },
          })}
          isTaken={(refusal) => isClash(refusal) && (void clash(), true)}
          done={() => "The settings are saved."}
          onDone={(answer) => renew(answer as SettingsView)}
        >
          <Foreseen {...table} />
        </Act>
      ) : (
        <p class="refusal">
          {problems.map(({ item }) => (
            <a key={item.key} href={`#${fieldId(item)}`}>
              {nameOf(item)} is not valid
            </a>
          ))}
        </p>
      )}
      <button type="button" class="button quiet" onClick={() => setDraft({})}>
        Throw away
      </button>
    </div>
  );
}

type Told = { preview: Preview } | { trouble: string } | null;

/** What the change would do, as the server sees it. */
function Foreseen({ desk, view, draft, clash }: SettingsTable) {
  const [told, setTold] = useState<Told>(null);
  useEffect(() => {
    const body = snapshotOf(view, draft);
    void desk.ask<Preview>("POST", `${SETTINGS_ROUTE}/preview`, body).then((answer) => {
      if (!("refusal" in answer)) return setTold({ preview: answer.value });
      if (isClash(answer.refusal)) return clash();
      return setTold({ trouble: answer.refusal.text });
    });
  }, []);
  if (told === null) return <p>Asking the server what changes…</p>;
  if ("trouble" in told) return <p class="notice bad">{told.trouble}</p>;
  const { changes, replays_removed } = told.preview;
  return (
    <>
      <Table
        caption="What changes"
        rows={changes}
        columns={[
          { title: "Setting", of: ({ field, ladder_id }) => nameOf({ field, ladder: ladder_id }) },
          { title: "Now", of: ({ from }) => shown(from) },
          { title: "Then", of: ({ to }) => shown(to) },
        ]}
        keyOf={({ field, ladder_id }) => `${ladder_id} ${field}`}
        empty="Nothing changes: the settings say so already."
      />
      {changes.some(stopsPlay) && (
        <p class="notice bad">
          With <code>max_concurrent</code> 0 no new match starts
          {" " + changes.filter(stopsPlay).map(whereOf).join(", ")}, until it is raised again.
          Matches that run go on to their end.
        </p>
      )}
      <ul class="settings-timings">
        {[...new Set(changes.map(({ applies }) => applies))].map((applies) => (
          <li key={applies}>
            <code>
              {changes
                .filter((one) => one.applies === applies)
                .map(({ field }) => field)
                .join(", ")}
            </code>{" "}
            {APPLIES[applies]}
          </li>
        ))}
      </ul>
      {replays_removed > 0 && (
        <p class="notice bad">
          The next cleanup removes {replays_removed} replays with these settings. They cannot be
          brought back.
        </p>
      )}
    </>
  );
}

type Change = Preview["changes"][number];

const stopsPlay = ({ field, to }: Change): boolean => field === "max_concurrent" && to === 0;

const whereOf = ({ ladder_id }: Change): string =>
  ladder_id === null ? "on this server" : `on ${ladder_id}`;
