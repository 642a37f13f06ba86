import { verifyEmail } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { Spinner } from "#ui/content/spinner.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { FormProblems } from "#ui/controls/form-problems.tsx";
import { AccountLayout } from "./account-layout.tsx";
import { FormSuccess } from "./form.tsx";
import { useMailToken } from "./use-mail-token.ts";

/** A click confirms the address: programs that follow the links of mails must not do so. */
export function VerifyEmailPage() {
  const mailToken = useMailToken();
  const confirmation = useMutation({
    mutationFn: (token: string) => call(verifyEmail, { body: { token } }),
  });
  const text =
    mailToken.status === "missing"
      ? "Invalid or missing verification link"
      : serverText(confirmation.error, "Failed to confirm the address. Please try again.");
  const hasFailed = mailToken.status === "missing" || confirmation.isError;
  return (
    <AccountLayout title="Confirm your email address" subtitle="Confirms that this email address is yours.">
      {mailToken.status === "loading" && <Spinner label="Loading..." />}
      {hasFailed && <FormProblems failure={text} />}
      {confirmation.isSuccess && <FormSuccess>{confirmation.data.message}</FormSuccess>}
      <div className="mt-6 flex flex-wrap gap-2">
        {mailToken.status === "present" && !confirmation.isSuccess && (
          <Button
            variant="primary"
            disabled={confirmation.isPending}
            onClick={() => confirmation.mutate(mailToken.token)}
          >
            Confirm
          </Button>
        )}
        <Link to="/dashboard" className={buttonClass(confirmation.isSuccess ? "primary" : "ghost")}>
          Go to the dashboard
        </Link>
      </div>
    </AccountLayout>
  );
}
