export const SESSION_STORAGE_KEY = "bout-account";
