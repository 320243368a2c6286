import { useEffect, useState } from "preact/hooks";

import type { ProfilingView } from "#core/operator/profiling.ts";
import type { PartProps } from "#site/admin/part.ts";
import { useRead } from "#site/admin/read.ts";
import { Readable } from "#site/admin/readable.tsx";

import { Captures } from "./captures.tsx";
import { Garbage, Operations, Process } from "./figures.tsx";
import { Samples } from "./samples.tsx";

const ROUTE = "/api/admin/profiling";
/** There is a sample each second; a capture that is recorded is followed as well. */
const EVERY_MS = 2000;

/** Where the server's time goes, where it measures that. */
export function Profiling({ desk }: Pick<PartProps, "desk">) {
  const [isOff, setOff] = useState<boolean | null>(null);
  useEffect(() => {
    void desk
      .ask("GET", ROUTE)
      .then((answer) =>
        setOff("refusal" in answer && answer.refusal.code === "profiling_disabled"),
      );
  }, []);
  if (isOff === null) return <p class="sub">Asking the server…</p>;
  return isOff ? <Off /> : <On desk={desk} />;
}

const Off = () => (
  <div class="profiling-off">
    <p>Profiling is off: this server measures its health alone, and records nothing.</p>
    <p>
      To switch it on, start the server with the flag <code>--profiling</code>, or with{" "}
      <code>BOUT_PROFILING=on</code> in its environment. It is meant for as long as you look for
      something; <a href="/guide/operating-health#turn-on-profiling">the guide for operators</a>{" "}
      says what it costs.
    </p>
  </div>
);

function On({ desk }: Pick<PartProps, "desk">) {
  const read = useRead<ProfilingView>(desk, ROUTE, EVERY_MS);
  return (
    <Readable read={read}>
      {({ captures, operations, gc, process, samples }) => (
        <>
          <Process process={process} />
          <Captures captures={captures} desk={desk} onChange={read.again} />
          <Samples samples={samples} />
          <Operations operations={operations} />
          <Garbage gc={gc} />
        </>
      )}
    </Readable>
  );
}
