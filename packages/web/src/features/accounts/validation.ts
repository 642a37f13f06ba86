import { isEmail } from "@flamekeep/contract";
import {
  blankProblem,
  type FormProblem,
  lengthProblem,
  passwordMismatch,
} from "#ui/controls/password-rules.ts";

export interface LoginForm {
  readonly email: string;
  readonly password: string;
}

export interface RegisterForm extends LoginForm {
  readonly first_name: string;
  readonly last_name: string;
  readonly confirm_password: string;
}

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
  if (password !== confirm_password) return passwordMismatch;
  if (!isEmail(email.trim())) return invalidEmail;
  return lengthProblem("password", password);
}

export function forgotProblem({ email }: { readonly email: string }): FormProblem | undefined {
  if (email.trim() === "") return { text: "Please enter your email address", fields: ["email"] };
  return isEmail(email.trim()) ? undefined : invalidEmail;
}
