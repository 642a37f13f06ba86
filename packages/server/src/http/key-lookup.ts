/** Finds the API key behind a text; see `openKeyLookup`. */
export interface KeyLookup {
  /** Undefined for what is no key, unknown, revoked or of a suspended organization. Notes the use. */
  find(text: string): Promise<{ readonly orgId: string; readonly keyId: string } | undefined>;
  /** To be called when a key changes, so that it acts at once in this process. */
  forget(publicId: string): void;
}
