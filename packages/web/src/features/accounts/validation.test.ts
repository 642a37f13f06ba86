import { expect, it } from "vitest";
import { loginProblem, registerProblem } from "./validation.ts";

const form = {
  firstName: "Ada",
  lastName: "Lovelace",
  email: "ada@example.com",
  password: "correct horse",
  confirmPassword: "correct horse",
};

it("requires both fields at sign-in", () => {
  expect(loginProblem({ email: " ", password: "x" })).toBe("Email and password are required");
  expect(loginProblem({ email: "a@b.c", password: "" })).toBe("Email and password are required");
  expect(loginProblem({ email: "a@b.c", password: "x" })).toBeUndefined();
});

it("reports the first broken rule of a registration in the specified order", () => {
  expect(registerProblem(form)).toBeUndefined();
  expect(registerProblem({ ...form, lastName: "" })).toBe("All fields are required");
  expect(registerProblem({ ...form, confirmPassword: "" })).toBe("All fields are required");
  expect(registerProblem({ ...form, email: "ada", password: "a", confirmPassword: "b" })).toBe(
    "Passwords do not match",
  );
  expect(registerProblem({ ...form, email: "ada@example", password: "a", confirmPassword: "a" })).toBe(
    "Please enter a valid email address",
  );
  expect(registerProblem({ ...form, password: "short", confirmPassword: "short" })).toBe(
    "Password must be at least 8 characters long",
  );
});
