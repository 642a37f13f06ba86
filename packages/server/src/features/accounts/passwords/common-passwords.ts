import { readFileSync } from "node:fs";
import { invalid } from "#failure";

/** Facts about a person that others know. */
export interface PasswordOwner {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

let common: ReadonlySet<string> | undefined;

/** Throws 400 for a password that an attacker tries first: a common one, or the person's own name or address. */
export function refuseCommonPassword(password: string, owner: PasswordOwner): void {
  if (isCommon(password)) {
    throw invalid("This password is on lists of common passwords. Choose another one.");
  }
  if (isPersonal(password, owner)) {
    throw invalid(
      "This password is your name, your email address or the name of this product. Choose another one.",
    );
  }
}

function isCommon(password: string): boolean {
  common ??= readList();
  return common.has(password.toLowerCase()) || /^(.)\1*$/su.test(password);
}

/** Digits and punctuation around a name do not make it harder to guess. */
function isPersonal(password: string, { email, firstName, lastName }: PasswordOwner): boolean {
  const [local = ""] = email.split("@");
  const names = [email, local, firstName, lastName, firstName + lastName, lastName + firstName, "flamekeep"];
  const core = lettersOf(password);
  return core !== "" && names.some((name) => lettersOf(name) === core);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}]/gu, "");
}

/** Read when it is first needed: most starts never need it. */
function readList(): ReadonlySet<string> {
  return new Set(
    readFileSync(new URL("common-passwords.txt", import.meta.url), "utf8")
      .trim()
      .split("\n"),
  );
}
