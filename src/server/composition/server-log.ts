import { pino } from "pino";
import type { DestinationStream, Logger } from "pino";

import { openRepeatedLines } from "./log-deduplication.ts";

/** stdout is reserved for the `ready` line. */
const STDERR = 2;
const WARN = 40;
const FATAL = 60;

const SECRET_HEADERS = ["authorization", "x-owner-key", "x-registration-key"];

export type ServerLog = {
  log: Logger;
  flush: () => void;
};

/**
 * Opens the log, which writes JSON lines to stderr. Repeated warnings and errors are logged once
 * and then counted every minute.
 */
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
  const repeatedLines = openRepeatedLines((level, fields, text) => {
    if (level === WARN) counts.warn(fields, text);
    else counts.error(fields, text);
  });
  const log = pino(
    {
      ...options,
      hooks: {
        logMethod(args, method, level) {
          const isCollapsible = level >= WARN && level < FATAL;
          const [fields, text] = args as unknown[];
          const isLine = typeof fields === "object" && fields !== null && typeof text === "string";
          if (isCollapsible && isLine && !repeatedLines.shouldLog(level, fields, text)) return;
          method.apply(this, args);
        },
      },
    },
    destination,
  );
  return { log, flush: () => repeatedLines.flush() };
}
