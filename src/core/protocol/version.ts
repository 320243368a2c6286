export const PROTOCOL_VERSION = "0.6";
