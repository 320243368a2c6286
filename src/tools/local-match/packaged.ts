export const isPackaged = !import.meta.url.endsWith(".ts");
