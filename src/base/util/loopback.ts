const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

export const isLoopbackHost = (host: string): boolean => LOOPBACK.test(host);

export const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"] as const;
