import { expect, it } from "vitest";
import { forgotProblem, loginProblem, registerProblem } from "./validation.ts";

const form = {
  first_name: "Ada",
  last_name: "Lovelace",
  email: "ada@example.com",
  password: "correct horse",
  confirm_password: "correct horse",
};

it("requires both fields at sign-in", () => {
  const text = "Email and password are required";
  expect(loginProblem({ email: " ", password: "x" })).toEqual({ text, fields: ["email"] });
  expect(loginProblem({ email: "", password: "" })).toEqual({ text, fields: ["email", "password"] });
  expect(loginProblem({ email: "a@b.c", password: "" })).toEqual({ text, fields: ["password"] });
  expect(loginProblem({ email: "a@b.c", password: "x" })).toBeUndefined();
});

it("reports the first broken rule of a registration in the specified order, with its fields", () => {
  const problem = (change: Partial<typeof form>) => registerProblem({ ...form, ...change });
  expect(problem({})).toBeUndefined();
  const text = "All fields are required";
  expect(problem({ last_name: "" })).toEqual({ text, fields: ["last_name"] });
  expect(problem({ first_name: " ", confirm_password: "" })).toEqual({
    text,
    fields: ["first_name", "confirm_password"],
  });
  expect(problem({ email: "ada", password: "a", confirm_password: "b" })).toEqual({
    text: "Passwords do not match",
    fields: ["confirm_password"],
  });
  expect(problem({ email: "ada@example", password: "a", confirm_password: "a" })).toEqual({
    text: "Please enter a valid email address",
    fields: ["email"],
  });
  expect(problem({ password: "short", confirm_password: "short" })).toEqual({
    text: "Password must be at least 8 characters long",
    fields: ["password"],
  });
});

it("requires an address that can be one to send a reset link", () => {
  expect(forgotProblem({ email: " " })?.text).toBe("Please enter your email address");
  expect(forgotProblem({ email: "ada" })?.text).toBe("Please enter a valid email address");
  expect(forgotProblem({ email: " ada@example.com " })).toBeUndefined();
});
