/** The store must not be opened in its present state; the message says in one sentence how to correct that. */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused";
}
