import { isEmail, limits } from "@flamekeep/contract";

export interface LoginForm {
  readonly email: string;
  readonly password: string;
}

/** The message of the first broken rule, in the specified order. */
export function loginProblem({ email, password }: LoginForm): string | undefined {
  return email.trim() === "" || password === "" ? "Email and password are required" : undefined;
}

export interface RegisterForm extends LoginForm {
  readonly firstName: string;
  readonly lastName: string;
  readonly confirmPassword: string;
}

export function registerProblem(form: RegisterForm): string | undefined {
  const { email, firstName, lastName, password, confirmPassword } = form;
  const isIncomplete = [email, firstName, lastName].some((text) => text.trim() === "");
  if (isIncomplete || password === "" || confirmPassword === "") return "All fields are required";
  if (password !== confirmPassword) return "Passwords do not match";
  if (!isEmail(email.trim())) return "Please enter a valid email address";
  if (password.length < limits.passwordLengthMin) return "Password must be at least 8 characters long";
  return undefined;
}
