import { exportAuditEntries } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { callRaw } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { saveFile } from "#api/save-file.ts";
import { Button } from "#ui/controls/button.tsx";
import { showToast } from "#ui/overlays/toast.ts";

/** A long log takes longer than other replies. */
const timeoutMs = 120_000;

export function ExportButton() {
  const download = useMutation({
    mutationFn: async () => {
      const reply = await callRaw(exportAuditEntries, { accept: "text/csv", timeoutMs });
      saveFile("flamekeep-audit.csv", await reply.blob());
    },
    onError: (error) => showToast(serverText(error, "Failed to export the audit log")),
  });
  return (
    <Button disabled={download.isPending} onClick={() => download.mutate()}>
      <Download aria-hidden className="size-4" strokeWidth={1.75} />
      {download.isPending ? "Exporting..." : "Export CSV"}
    </Button>
  );
}
