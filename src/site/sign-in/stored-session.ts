/** The key of the session in local storage. */
export const STORED_SESSION = "bout-account";
