import type { SignedIn } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { importPage } from "#api/import-page.ts";
import { Button } from "#ui/controls/button.tsx";
import { FormProblems } from "#ui/controls/form-problems.tsx";

interface PasskeyButtonProps {
  readonly label: string;
  /** The token of a sign-in whose password was right; without it, the passkey replaces the password. */
  readonly token?: string;
  readonly invitation?: string | undefined;
  readonly onSignedIn: (reply: SignedIn) => Promise<void>;
}

/** Signs in with a passkey. Loads the library when it is clicked. */
export function PasskeyButton({ label, token, invitation, onSignedIn }: PasskeyButtonProps) {
  const attempt = useMutation({
    mutationFn: async () => {
      const { signInWithPasskey } = await importPage(() => import("./passkeys.ts"));
      return signInWithPasskey({ token, invitation });
    },
    onSuccess: onSignedIn,
  });
  return (
    <div className="flex flex-col gap-3">
      <FormProblems
        error={attempt.error}
        failure="The browser returned no passkey. Try again, or sign in another way."
      />
      <Button size="lg" className="w-full" disabled={attempt.isPending} onClick={() => attempt.mutate()}>
        <KeyRound aria-hidden className="size-4" strokeWidth={1.75} />
        {attempt.isPending ? "Waiting for the passkey..." : label}
      </Button>
    </div>
  );
}

/** Browsers have passkeys only on pages with TLS, or of this machine, whose host has a name. */
export function hasPasskeys(): boolean {
  const isAddress = /^[\d.]+$|:/.test(location.hostname);
  return window.isSecureContext && "PublicKeyCredential" in window && !isAddress;
}
