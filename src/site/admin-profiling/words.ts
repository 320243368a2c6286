// Figures as people read them.

const DECIMAL = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const FINE = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });
const KIB = 1024;
const MIB = 1024 * KIB;

export const decimal = (value: number): string => DECIMAL.format(value);

/** From here on nobody wants to know more than a tenth of a millisecond. */
const LONG_MS = 10;

export const milliseconds = (value: number): string =>
  `${value < LONG_MS ? FINE.format(value) : decimal(value)} ms`;

export const bytesWords = (bytes: number): string =>
  bytes < MIB ? `${decimal(bytes / KIB)} KiB` : `${decimal(bytes / MIB)} MiB`;

export const percent = (value: number): string => `${decimal(value)} %`;
