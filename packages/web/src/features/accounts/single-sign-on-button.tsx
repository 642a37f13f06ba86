import { startSingleSignOn } from "@flamekeep/contract";
import { useMutation, useQuery } from "@tanstack/react-query";
import { LogIn } from "lucide-react";
import { call } from "#api/call.ts";
import { configQuery } from "#api/query-client.ts";
import { serverText } from "#api/reply.ts";
import { rememberReturn } from "#session/return-path.ts";
import { Button } from "#ui/controls/button.tsx";
import { FormProblems } from "#ui/controls/form-problems.tsx";
import { type Invited, useReturn } from "./login-form.tsx";

/** Opens the sign-in page of the identity provider, if the server has one. */
export function SingleSignOnButton({ invited }: { readonly invited?: Invited }) {
  const { search } = useReturn();
  const { data: config } = useQuery(configQuery);
  const start = useMutation({
    mutationFn: () => call(startSingleSignOn, {}),
    onSuccess: ({ url }) => {
      rememberReturn({ path: search.return_to, invitation: invited?.token });
      window.location.assign(url);
    },
  });
  if (config?.single_sign_on == null) return null;
  const failure = start.error
    ? serverText(start.error, "Failed to reach the server. Please try again.")
    : undefined;
  return (
    <div className="mt-4 flex flex-col gap-3">
      <FormProblems failure={failure} />
      <Button size="lg" className="w-full" disabled={start.isPending} onClick={() => start.mutate()}>
        <LogIn aria-hidden className="size-4" strokeWidth={1.75} />
        Continue with {config.single_sign_on.name}
      </Button>
    </div>
  );
}
