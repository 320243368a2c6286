import { Copy } from "#site/look/copy.tsx";
import { Section } from "#site/look/parts.tsx";
import { KeepReplay } from "#site/viewer/keep-replay.tsx";
import { nameOfBot } from "#site/viewer/words.ts";

import type { MatchData } from "./data.ts";

/** Files of a bout, the command that checks it, and the text that embeds it. */
export function TakeAlong({ data }: { data: MatchData }) {
  const { base_url, commands, match } = data;
  const hasReplay = data.phase === "ended" && data.has_replay;
  const names = data.phase === "ended" ? data.match.bots.map(nameOfBot) : data.match.display_names;
  return (
    <Section id="take-along" title="Take it along">
      <dl class="take-along">
        {data.phase === "ended" && <Files id={match.id} hasReplay={hasReplay} />}
        {hasReplay && commands !== null && (
          <div>
            <dt>Verify it yourself</dt>
            <dd>
              <Verify baseUrl={base_url} commands={base_url + commands} id={match.id} />
            </dd>
          </div>
        )}
        {hasReplay && (
          <div>
            <dt>How long the replay is kept</dt>
            <dd>
              <KeepReplay match={data.match} kept={data.kept} />
            </dd>
          </div>
        )}
        <div>
          <dt>Embed it</dt>
          <dd>
            <Snippet text={frameOf(base_url, match.id, names)} label="the frame" />
            <p class="sub">
              <a href={`/view/${match.id}`}>The viewer alone</a>, which any page may frame.
            </p>
          </dd>
        </div>
      </dl>
    </Section>
  );
}

/** A running match has none of these files yet. */
function Files({ id, hasReplay }: { id: string; hasReplay: boolean }) {
  return (
    <div>
      <dt>Files</dt>
      <dd>
        <ul class="files">
          {hasReplay && (
            <>
              <File path={`/replays/${id}.jsonl.gz`} schemas={REPLAY_SCHEMAS}>
                the replay
              </File>
              <File path={`/api/matches/${id}/stats`} schemas={["match-stats"]}>
                the statistics
              </File>
            </>
          )}
          <File path={`/api/matches/${id}`} schemas={["match"]}>
            the result
          </File>
        </ul>
      </dd>
    </div>
  );
}

/** `commands` is the URL of the package of author commands. */
type VerifyProps = { baseUrl: string; commands: string; id: string };

function Verify({ baseUrl, commands, id }: VerifyProps) {
  const command = `npx ${commands} replay ${baseUrl}/match/${id}`;
  return (
    <>
      <Snippet text={command} label="the command that verifies the replay" />
      <p class="sub">
        It plays every tick again and compares each state. Needs{" "}
        <a href="/guide/cli#install">Node 20 or newer</a>. The simulators{" "}
        <a href="/guide/simulator#replays">for JavaScript</a> and{" "}
        <a href="/guide/python-simulator#verify-replays">for Python</a> do the same.
      </p>
    </>
  );
}

const REPLAY_SCHEMAS = ["replay-header", "replay-tick", "replay-result"];

type FileProps = { path: string; schemas: readonly string[]; children: string };

function File({ path, schemas, children }: FileProps) {
  return (
    <li>
      <a href={path}>{children}</a>{" "}
      <span class="sub">
        ({schemas.length === 1 ? "schema" : "schemas"}:{" "}
        {schemas.map((name, at) => (
          <>
            {at > 0 && ", "}
            <a href={`/docs/schema/${name}.json`}>{name}</a>
          </>
        ))}
        )
      </span>
    </li>
  );
}

function Snippet({ text, label }: { text: string; label: string }) {
  return (
    <div class="snippet">
      <pre>
        <code>{text}</code>
      </pre>
      <Copy text={text} label={label} />
    </div>
  );
}

function frameOf(base: string, id: string, names: readonly string[]): string {
  const title = escaped(`${names.join(" against ")}, a bout`);
  return `<iframe src="${base}/view/${id}" title="${title}" width="640" height="480" loading="lazy"></iframe>`;
}

/** For an attribute in double quotes. */
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
