import { escapeHtml } from "#base/util/escape-html.ts";
import type { MatchData } from "#site/shell/data.ts";
import { CopyButton } from "#site/ui/copy-button.tsx";
import { Section } from "#site/ui/section.tsx";
import { botDisplayName } from "#site/viewer/match-texts.ts";
import { ReplayRetention } from "#site/viewer/replay-retention.tsx";

export function DownloadsSection({ data }: { data: MatchData }) {
  const { base_url, commands, match } = data;
  const hasReplay = data.phase === "ended" && data.has_replay;
  const names =
    data.phase === "ended" ? data.match.bots.map(botDisplayName) : data.match.display_names;
  return (
    <Section id="take-along" title="Downloads">
      <dl class="take-along">
        {data.phase === "ended" && <MatchFiles id={match.id} hasReplay={hasReplay} />}
        {hasReplay && commands !== null && (
          <div>
            <dt>Verify this replay</dt>
            <dd>
              <VerifyCommand baseUrl={base_url} commands={base_url + commands} id={match.id} />
            </dd>
          </div>
        )}
        {hasReplay && (
          <div>
            <dt>Replay retention</dt>
            <dd>
              <ReplayRetention match={data.match} retainedReplays={data.retainedReplays} />
            </dd>
          </div>
        )}
        <div>
          <dt>Embed</dt>
          <dd>
            <CodeSnippet text={embedHtml(base_url, match.id, names)} label="the embed code" />
            <p class="sub">
              <a href={`/view/${match.id}`}>The viewer</a>can be embedded on any page.
            </p>
          </dd>
        </div>
      </dl>
    </Section>
  );
}

/** A running match has no files yet. */
function MatchFiles({ id, hasReplay }: { id: string; hasReplay: boolean }) {
  return (
    <div>
      <dt>Files</dt>
      <dd>
        <ul class="files">
          {hasReplay && (
            <>
              <FileLink path={`/replays/${id}.jsonl.gz`} schemas={REPLAY_SCHEMAS}>
                the replay
              </FileLink>
              <FileLink path={`/api/matches/${id}/stats`} schemas={["match-stats"]}>
                the statistics
              </FileLink>
            </>
          )}
          <FileLink path={`/api/matches/${id}`} schemas={["match"]}>
            the result
          </FileLink>
        </ul>
      </dd>
    </div>
  );
}

/** `commands` is the URL of the author commands package. */
type VerifyCommandProps = { baseUrl: string; commands: string; id: string };

function VerifyCommand({ baseUrl, commands, id }: VerifyCommandProps) {
  const command = `npx ${commands} replay ${baseUrl}/match/${id}`;
  return (
    <>
      <CodeSnippet text={command} label="the command that verifies the replay" />
      <p class="sub">
        Recalculates every tick and compares each state. Requires{" "}
        <a href="/guide/cli#install">Node 20 or later</a>. The simulators{" "}
        <a href="/guide/simulator#replays">for JavaScript</a> and{" "}
        <a href="/guide/python-simulator#verify-replays">for Python</a> do the same.
      </p>
    </>
  );
}

const REPLAY_SCHEMAS = ["replay-header", "replay-tick", "replay-result"];

type FileLinkProps = { path: string; schemas: readonly string[]; children: string };

function FileLink({ path, schemas, children }: FileLinkProps) {
  return (
    <li>
      <a href={path}>{children}</a>{" "}
      <span class="sub">
        ({schemas.length === 1 ? "schema" : "schemas"}:{" "}
        {schemas.map((name, index) => (
          <>
            {index > 0 && ", "}
            <a href={`/docs/schema/${name}.json`}>{name}</a>
          </>
        ))}
        )
      </span>
    </li>
  );
}

function CodeSnippet({ text, label }: { text: string; label: string }) {
  return (
    <div class="snippet">
      <pre>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}

function embedHtml(baseUrl: string, id: string, names: readonly string[]): string {
  const title = escapeHtml(`${names.join(" against ")}, a bout`);
  return `<iframe src="${baseUrl}/view/${id}" title="${title}" width="640" height="480" loading="lazy"></iframe>`;
}
