/** An invitation that an account accepts with its sign-in or registration. */
export interface Invited {
  readonly token: string;
  /** The address that may accept it; null: any. */
  readonly email: string | null;
}
