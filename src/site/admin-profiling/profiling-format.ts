const DECIMAL_FORMAT = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const FINE_FORMAT = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });
const KIB = 1024;
const MIB = 1024 * KIB;

export const formatDecimal = (value: number): string => DECIMAL_FORMAT.format(value);

/** In ms. From this value up, a precision of 0.1 ms is enough. */
const COARSE_MS = 10;

export const formatProfiledMs = (value: number): string =>
  `${value < COARSE_MS ? FINE_FORMAT.format(value) : formatDecimal(value)} ms`;

export const formatBinaryBytes = (bytes: number): string =>
  bytes < MIB ? `${formatDecimal(bytes / KIB)} KiB` : `${formatDecimal(bytes / MIB)} MiB`;

export const formatProfiledPercent = (value: number): string => `${formatDecimal(value)} %`;
