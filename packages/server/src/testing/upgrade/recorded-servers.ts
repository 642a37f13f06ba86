/** PostgreSQL's rows, as SQL, in the recorded folder of a server with databases. */
export const postgresDump = "rows.sql";

/** AUTH_SECRET of that server: it encrypts headers of targets. */
export const recordedSecret = "secret of the recorded servers, for tests";
