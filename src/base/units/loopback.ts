// Names of this very machine.

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

/** Whether a host is reached from this machine alone. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/** Those that browsers and programs use. */
export const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"] as const;
