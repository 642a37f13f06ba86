import { limits } from "@flamekeep/contract";
import type { Problem } from "./form-problems.tsx";

/** The first broken rule of a form, in the specified order, and the fields it is about, the first one first. */
export interface FormProblem {
  readonly text: string;
  readonly fields: readonly string[];
}

/** The fields of a form in which a new password is entered twice. */
export interface NewPassword {
  readonly new_password: string;
  readonly confirm_password: string;
}

export const newPasswordHint = `At least ${limits.passwordLengthMin} characters. Common passwords are rejected.`;

export const passwordMismatch: FormProblem = { text: "Passwords do not match", fields: ["confirm_password"] };

export function newPasswordProblem({ new_password, confirm_password }: NewPassword): FormProblem | undefined {
  const blank = blankProblem("Both password fields are required", { new_password, confirm_password });
  if (blank !== undefined) return blank;
  if (new_password !== confirm_password) return passwordMismatch;
  return lengthProblem("new_password", new_password);
}

/** The problem as one of each of its fields. */
export function fieldProblems(problem: FormProblem | undefined): readonly Problem[] {
  return problem?.fields.map((field) => ({ field, text: problem.text })) ?? [];
}

export function lengthProblem(field: string, password: string): FormProblem | undefined {
  if (password.length >= limits.passwordLengthMin) return undefined;
  return {
    text: `Password must be at least ${limits.passwordLengthMin} characters long`,
    fields: [field],
  };
}

export function blankProblem(
  text: string,
  values: Readonly<Record<string, string>>,
): FormProblem | undefined {
  const fields = Object.keys(values).filter((name) => values[name] === "");
  return fields.length === 0 ? undefined : { text, fields };
}
