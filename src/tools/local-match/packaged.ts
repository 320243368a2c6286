/** Whether this code runs from the built package of the author commands. */
export const isPackaged = !import.meta.url.endsWith(".ts");
