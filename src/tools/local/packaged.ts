/** Whether this code runs from the built package of author commands rather than from source. */
export const isPackaged = !import.meta.url.endsWith(".ts");
