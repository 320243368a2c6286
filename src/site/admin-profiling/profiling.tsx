import { useEffect, useState } from "preact/hooks";

import type { ProfilingView } from "#core/api/profiling.ts";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { ResourceView } from "#site/admin/resource-view.tsx";
import { useResource } from "#site/admin/use-resource.ts";

import { CapturesTable } from "./captures.tsx";
import { GarbageCollection, OperationsTable, ProcessMetrics } from "./profiling-metrics.tsx";
import { SampleCharts } from "./samples.tsx";

const PROFILING_ROUTE = "/api/admin/profiling";
/** The server adds a sample every second. Polling also follows a running capture. */
const POLL_INTERVAL_MS = 2000;

/** Shows where the server spends its time. Profiling must be enabled in the configuration. */
export function ProfilingPanel({ auth }: Pick<AdminPanelProps, "auth">) {
  const [isDisabled, setDisabled] = useState<boolean | null>(null);
  useEffect(() => {
    void auth
      .sendRequest("GET", PROFILING_ROUTE)
      .then((response) =>
        setDisabled("refusal" in response && response.refusal.code === "profiling_disabled"),
      );
  }, []);
  if (isDisabled === null) return <p class="sub">Loading…</p>;
  return isDisabled ? <ProfilingDisabled /> : <ProfilingEnabled auth={auth} />;
}

const ProfilingDisabled = () => (
  <div class="profiling-off">
    <p>Profiling is off: this server only measures its health.</p>
    <p>
      To enable it, start the server with <code>--profiling</code>or <code>BOUT_PROFILING=on</code>{" "}
      in its environment. Enable it only while you investigate a problem;{" "}
      <a href="/guide/operating-health#turn-on-profiling">the guide for operators</a> explains the
      cost.
    </p>
  </div>
);

function ProfilingEnabled({ auth }: Pick<AdminPanelProps, "auth">) {
  const resource = useResource<ProfilingView>(auth, PROFILING_ROUTE, POLL_INTERVAL_MS);
  return (
    <ResourceView resource={resource}>
      {({ captures, operations, gc, process, samples }) => (
        <>
          <ProcessMetrics process={process} />
          <CapturesTable captures={captures} auth={auth} onChange={resource.reload} />
          <SampleCharts samples={samples} />
          <OperationsTable operations={operations} />
          <GarbageCollection gc={gc} />
        </>
      )}
    </ResourceView>
  );
}
