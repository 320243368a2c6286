// The log of a server.

import { pino } from "pino";
import type { DestinationStream, Logger } from "pino";

import { openRepeatedLines } from "./repeated-lines.ts";

/** Logs are JSON lines on stderr: stdout is for the `ready` line. */
const STDERR = 2;
const WARN = 40;
const FATAL = 60;

const SECRET_HEADERS = ["authorization", "x-owner-key", "x-registration-key"];

export type ServerLog = {
  log: Logger;
  /** Writes how often lines were repeated since they were last counted. */
  flush: () => void;
};

/** Warnings and errors that repeat are written once, and then as one count a minute. */
export function openLog(
  level: "info" | "debug",
  destination: DestinationStream = pino.destination(STDERR),
): ServerLog {
  const options = {
    level,
    redact: SECRET_HEADERS.map((name) => `req.headers["${name}"]`),
    serializers: { error: pino.stdSerializers.err },
  };
  const counts = pino(options, destination);
  const repeated = openRepeatedLines((level, fields, text) => {
    if (level === WARN) counts.warn(fields, text);
    else counts.error(fields, text);
  });
  const log = pino(
    {
      ...options,
      hooks: {
        logMethod(args, method, level) {
          const isFault = level >= WARN && level < FATAL;
          const [fields, text] = args as unknown[];
          const isLine = typeof fields === "object" && fields !== null && typeof text === "string";
          if (isFault && isLine && !repeated.isNew(level, fields, text)) return;
          method.apply(this, args);
        },
      },
    },
    destination,
  );
  return { log, flush: () => repeated.flush() };
}
