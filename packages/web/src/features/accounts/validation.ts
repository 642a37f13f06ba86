import { isEmail, limits } from "@flamekeep/contract";

/** The first broken rule of a form, in the specified order, and the fields it is about, the first one first. */
export interface FormProblem {
  readonly text: string;
  readonly fields: readonly string[];
}

export interface LoginForm {
  readonly email: string;
  readonly password: string;
}

export interface RegisterForm extends LoginForm {
  readonly first_name: string;
  readonly last_name: string;
  readonly confirm_password: string;
}

export interface ResetForm {
  readonly new_password: string;
  readonly confirm_password: string;
}

const mismatch: FormProblem = { text: "Passwords do not match", fields: ["confirm_password"] };
const invalidEmail: FormProblem = { text: "Please enter a valid email address", fields: ["email"] };

export function loginProblem(form: LoginForm): FormProblem | undefined {
  return blankProblem("Email and password are required", {
    email: form.email.trim(),
    password: form.password,
  });
}

export function registerProblem(form: RegisterForm): FormProblem | undefined {
  const { first_name, last_name, email, password, confirm_password } = form;
  const blank = blankProblem("All fields are required", {
    first_name: first_name.trim(),
    last_name: last_name.trim(),
    email: email.trim(),
    password,
    confirm_password,
  });
  if (blank !== undefined) return blank;
  if (password !== confirm_password) return mismatch;
  if (!isEmail(email.trim())) return invalidEmail;
  return lengthProblem("password", password);
}

export function forgotProblem({ email }: { readonly email: string }): FormProblem | undefined {
  if (email.trim() === "") return { text: "Please enter your email address", fields: ["email"] };
  return isEmail(email.trim()) ? undefined : invalidEmail;
}

export function resetProblem(form: ResetForm, token: string | undefined): FormProblem | undefined {
  const { new_password, confirm_password } = form;
  const blank = blankProblem("Both password fields are required", { new_password, confirm_password });
  if (blank !== undefined) return blank;
  if (new_password !== confirm_password) return mismatch;
  const length = lengthProblem("new_password", new_password);
  if (length !== undefined) return length;
  return token === undefined ? { text: "Invalid or missing reset token", fields: [] } : undefined;
}

function blankProblem(text: string, values: Readonly<Record<string, string>>): FormProblem | undefined {
  const fields = Object.keys(values).filter((name) => values[name] === "");
  return fields.length === 0 ? undefined : { text, fields };
}

function lengthProblem(field: string, password: string): FormProblem | undefined {
  if (password.length >= limits.passwordLengthMin) return undefined;
  return { text: "Password must be at least 8 characters long", fields: [field] };
}
