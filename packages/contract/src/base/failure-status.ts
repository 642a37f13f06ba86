/** Every code an error reply can carry, with its HTTP status. */
export const failureStatus = {
  invalid: 400,
  unauthenticated: 401,
  /** The API key was valid until its expiry. */
  key_expired: 401,
  forbidden: 403,
  /** The organization requires a second factor that the account does not have. */
  second_factor_required: 403,
  /** A limit of the organization is reached: the request succeeds only after something is removed or the limit is raised. */
  quota_exceeded: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  unprocessable: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  /** Stored data is damaged: a retry does not help. */
  damaged: 500,
  unimplemented: 501,
  unavailable: 503,
  /** Nothing can be stored until an operator frees disk space; reads still work. */
  disk_full: 507,
} as const;
export type FailureCode = keyof typeof failureStatus;
