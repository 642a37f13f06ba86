/** A store cannot answer now (restarting, unreachable, out of room) and the same call may work later. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** A question ran into one of its limits: time, memory or size of the answer. Asking again will not help. */
export class QuestionTooExpensive extends Error {
  override readonly name = "QuestionTooExpensive";
}
