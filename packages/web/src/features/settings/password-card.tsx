import { changePassword } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems, type Problem, useCheckedForm } from "#ui/controls/form-problems.tsx";
import { fieldProblems, newPasswordHint, newPasswordProblem } from "#ui/controls/password-rules.ts";
import { showToast } from "#ui/overlays/toast.ts";
import { sessionsQuery } from "./queries.ts";

interface Passwords {
  readonly current: string;
  readonly next: string;
  readonly confirmation: string;
}

const noPasswords: Passwords = { current: "", next: "", confirmation: "" };

function problemsOf({ current, next, confirmation }: Passwords): readonly Problem[] {
  if (current === "") return [{ field: "current_password", text: "Enter your current password" }];
  return fieldProblems(newPasswordProblem({ new_password: next, confirm_password: confirmation }));
}

/** @param email for password managers: the account of the password */
export function PasswordCard({ email }: { readonly email: string }) {
  const client = useQueryClient();
  const [passwords, setPasswords] = useState(noPasswords);
  const change = useMutation({
    mutationFn: () =>
      call(changePassword, {
        body: { current_password: passwords.current, new_password: passwords.next },
      }),
    onSuccess: async (reply) => {
      setPasswords(noPasswords);
      showToast(reply.message);
      await client.invalidateQueries(sessionsQuery);
    },
  });
  const form = useCheckedForm(
    () => problemsOf(passwords),
    () => change.mutate(),
  );
  const enter = (name: keyof Passwords) => ({
    type: "password",
    value: passwords[name],
    onChange: (event: { target: { value: string } }) =>
      setPasswords({ ...passwords, [name]: event.target.value }),
  });
  return (
    <Card>
      <CardHeader title="Password" detail="A change ends all of your other sessions." />
      <form noValidate onSubmit={form.onSubmit} className="flex max-w-sm flex-col gap-4 px-4 pb-4">
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <Field
          label="Current password"
          name="current_password"
          autoComplete="current-password"
          {...enter("current")}
          {...form.hintOf("current_password")}
        />
        <Field
          label="New password"
          name="new_password"
          autoComplete="new-password"
          {...enter("next")}
          {...form.hintOf("new_password", newPasswordHint)}
        />
        <Field
          label="Confirm new password"
          name="confirm_password"
          autoComplete="new-password"
          {...enter("confirmation")}
          {...form.hintOf("confirm_password")}
        />
        <FormProblems
          problems={form.problems}
          failure={change.error ? serverText(change.error, "Failed to change the password") : undefined}
        />
        <div>
          <Button type="submit" disabled={change.isPending}>
            {change.isPending ? "Changing..." : "Change password"}
          </Button>
        </div>
      </form>
    </Card>
  );
}
