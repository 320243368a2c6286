// Figures as people read them.

const DECIMAL = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const FINE = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });
const MIB = 1024 * 1024;

export const decimal = (value: number): string => DECIMAL.format(value);

/** Milliseconds, of which small ones matter too. */
export const milliseconds = (value: number): string => `${FINE.format(value)} ms`;

export const mebibytes = (bytes: number): string => `${decimal(bytes / MIB)} MiB`;

export const percent = (value: number): string => `${decimal(value)} %`;
