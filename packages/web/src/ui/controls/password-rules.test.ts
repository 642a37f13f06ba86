import { expect, it } from "vitest";
import { newPasswordProblem } from "./password-rules.ts";

it("reports the first broken rule of a new password in the specified order", () => {
  const problem = (new_password: string, confirm_password: string) =>
    newPasswordProblem({ new_password, confirm_password });
  expect(problem("", "x")).toEqual({ text: "Both password fields are required", fields: ["new_password"] });
  expect(problem("a", "b")?.text).toBe("Passwords do not match");
  expect(problem("1234567", "1234567")?.text).toBe("Password must be at least 8 characters long");
  expect(problem("12345678", "12345678")).toBeUndefined();
});
