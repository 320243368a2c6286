// Host names of the local machine.

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

/** Returns whether a host is reachable from this machine only. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK.test(host);

/** The ones used by browsers and programs. */
export const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"] as const;
