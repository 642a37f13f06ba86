/** A store that must not be opened as things stand; the message tells an operator in one sentence what to do. */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused";
}
