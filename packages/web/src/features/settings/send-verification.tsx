import { sendVerification } from "@flamekeep/contract";
import { useMutation, useQuery } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { configQuery } from "#api/query-client.ts";
import { serverText } from "#api/reply.ts";
import { Button } from "#ui/controls/button.tsx";
import { showToast } from "#ui/overlays/toast.ts";

/** Sends the link that confirms the address of the account. Not there on a server that sends no mail. */
export function SendVerification() {
  const { data: config } = useQuery(configQuery);
  const sending = useMutation({
    mutationFn: () => call(sendVerification),
    onSuccess: ({ message }) => showToast(message),
    onError: (error) => showToast(serverText(error, "Failed to send the link")),
  });
  if (config?.mail !== true) return null;
  return (
    <Button size="sm" disabled={sending.isPending} onClick={() => sending.mutate()}>
      {sending.isPending ? "Sending..." : "Send confirmation link"}
    </Button>
  );
}
