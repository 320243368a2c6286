/** Key of the session in local storage. */
export const SESSION_STORAGE_KEY = "bout-account";
