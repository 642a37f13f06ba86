import type { ColumnType } from "kysely";
import type { Timestamp } from "./columns.ts";

/** Second factors of people, next to their passwords. */
export interface SecondFactorTables {
  readonly totpSecrets: TotpSecretsTable;
  readonly recoveryCodes: RecoveryCodesTable;
  readonly signInChallenges: SignInChallengesTable;
  readonly passkeys: PasskeysTable;
  readonly passkeyChallenges: PasskeyChallengesTable;
  readonly identities: IdentitiesTable;
}

/** The account at an OpenID Connect provider that signs in to an account here. The subject is unique for an issuer and never changes. */
interface IdentitiesTable {
  readonly issuer: string;
  readonly subject: string;
  userId: string;
  createdAt: Timestamp;
  /** Set: it signs nobody in, and its address does not link it again. */
  unlinkedAt: ColumnType<Timestamp | null, Timestamp | null | undefined>;
}

interface TotpSecretsTable {
  readonly userId: string;
  /** Sealed, hexadecimal inside. */
  secret: string;
  createdAt: Timestamp;
  /** null: not in use until a first code confirms that the app has the secret. */
  confirmedAt: Timestamp | null;
  /** The half minute of the code that was accepted last. */
  lastStep: ColumnType<number, number | undefined, number>;
}

interface RecoveryCodesTable {
  /** SHA-256, hexadecimal. */
  readonly codeHash: string;
  readonly userId: string;
  readonly createdAt: Timestamp;
  usedAt: Timestamp | null;
}

/** A sign-in whose password was right. Deleted when it is finished. */
interface SignInChallengesTable {
  /** SHA-256, hexadecimal. */
  readonly tokenHash: string;
  readonly userId: string;
  /** SHA-256 of the hash of the password: no session starts if the password was changed meanwhile. */
  readonly passwordMark: string;
  readonly expiresAt: Timestamp;
}

interface PasskeysTable {
  readonly id: string;
  readonly userId: string;
  /** As the authenticator made it, base64url; unique. */
  readonly credentialId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** The count of the last use. Authenticators that do not count always say 0. */
  counter: number;
  /** A JSON array of texts: how browsers reach the authenticator. */
  readonly transports: string;
  name: string;
  readonly createdAt: Timestamp;
  lastUsedAt: Timestamp | null;
}

export type PasskeyPurpose = "add" | "second factor" | "sign in";

/** A challenge that a browser was asked to sign. Deleted when it is used. */
interface PasskeyChallengesTable {
  /** SHA-256, hexadecimal. */
  readonly challengeHash: string;
  readonly purpose: PasskeyPurpose;
  /** null for `sign in`: nobody is known yet. */
  readonly userId: string | null;
  readonly expiresAt: Timestamp;
}
