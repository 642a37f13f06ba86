import { acceptInvitation } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { moveSession } from "#session/session.ts";
import type { SessionUser } from "#session/session-user.ts";
import { signOut } from "#session/sign-out.ts";
import { Button } from "#ui/controls/button.tsx";
import { FormProblems } from "#ui/controls/form-problems.tsx";
import type { Invited } from "./invited.ts";

interface JoinFormProps {
  readonly invited: Invited;
  readonly organization: string;
  readonly user: SessionUser;
}

/** For a person who is signed in. */
export function JoinForm({ invited, organization, user }: JoinFormProps) {
  const router = useRouter();
  const joining = useMutation({
    mutationFn: () => call(acceptInvitation, { body: { token: invited.token } }),
    onSuccess: async (moved) => {
      moveSession(moved);
      await router.navigate({ to: "/dashboard", replace: true });
    },
  });
  return (
    <div className="flex flex-col gap-4">
      <p className="[overflow-wrap:anywhere]">
        You are signed in as <strong>{user.email}</strong>.
      </p>
      <FormProblems
        problems={[]}
        failure={joining.error ? serverText(joining.error, "Failed to join. Please try again.") : undefined}
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" disabled={joining.isPending} onClick={() => joining.mutate()}>
          <span className="max-w-64 truncate">Join {organization}</span>
        </Button>
        <Button onClick={() => void signOut()}>Use another account</Button>
      </div>
    </div>
  );
}
