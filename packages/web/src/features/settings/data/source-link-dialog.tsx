import {
  limits,
  removeSourceLink,
  type SourceLink,
  sourcePatternProblem,
  updateSourceLink,
} from "@flamekeep/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { sourceLinksQuery } from "#flame-graph/source/source-links.ts";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems, useCheckedForm } from "#ui/controls/form-problems.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { DialogActions } from "#ui/overlays/dialog-actions.tsx";
import { showToast } from "#ui/overlays/toast.ts";

interface SourceLinkDialogProps {
  readonly service: string;
  readonly onClose: () => void;
}

/** Where the source of a service is. An empty pattern removes the link. */
export function SourceLinkDialog({ service, onClose }: SourceLinkDialogProps) {
  const query = useQuery(sourceLinksQuery);
  return (
    <Dialog
      isOpen
      onOpenChange={(open) => !open && onClose()}
      title={`Source of ${service}`}
      description="Frames of its flame graphs open their line at this address."
    >
      <Panel
        query={query}
        loading={<Skeleton className="h-48" />}
        errorTitle="Failed to load the source link. Please try again later."
      >
        {({ source_links: links }) => <SourceLinkForm service={service} links={links} onClose={onClose} />}
      </Panel>
    </Dialog>
  );
}

function SourceLinkForm({
  service,
  links,
  onClose,
}: SourceLinkDialogProps & { readonly links: readonly SourceLink[] }) {
  const client = useQueryClient();
  const stored = links.find((each) => each.service === service);
  const [pattern, setPattern] = useState(stored?.url_pattern ?? "");
  const [prefix, setPrefix] = useState(stored?.path_prefix ?? "");
  const isEmpty = pattern.trim() === "";
  const saving = useMutation({
    mutationFn: (): Promise<unknown> =>
      isEmpty
        ? call(removeSourceLink, { params: { service } })
        : call(updateSourceLink, {
            params: { service },
            body: { url_pattern: pattern.trim(), path_prefix: prefix.trim() },
          }),
    onSuccess() {
      void client.invalidateQueries(sourceLinksQuery);
      showToast(isEmpty ? `${service} has no source link` : `Frames of ${service} open their source`);
      onClose();
    },
  });
  const form = useCheckedForm(
    () => {
      const problem = isEmpty ? undefined : sourcePatternProblem(pattern.trim());
      return problem === undefined ? [] : [{ field: "url_pattern", text: problem }];
    },
    () => saving.mutate(),
  );
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <FormProblems
        problems={form.problems}
        failure={saving.error ? serverText(saving.error, "Failed to save the source link") : undefined}
      />
      <Field
        label="Address of a line"
        name="url_pattern"
        placeholder="https://github.com/acme/shop/blob/v{version}/{file}#L{line}"
        autoComplete="off"
        spellCheck={false}
        maxLength={limits.sourcePatternLengthMax}
        value={pattern}
        onChange={(event) => setPattern(event.target.value)}
        {...form.hintOf(
          "url_pattern",
          "{version} is the version tag of the profiles. Leave the address empty to remove the link.",
        )}
      />
      <Field
        label="Path prefix"
        name="path_prefix"
        placeholder="/app/"
        autoComplete="off"
        spellCheck={false}
        maxLength={limits.sourcePrefixLengthMax}
        value={prefix}
        onChange={(event) => setPrefix(event.target.value)}
        {...form.hintOf(
          "path_prefix",
          "The start of the file paths in profiles, which {file} leaves out. Other files have no link.",
        )}
      />
      <DialogActions
        label={saving.isPending ? "Saving..." : "Save source link"}
        isDisabled={saving.isPending}
        onCancel={onClose}
      />
    </form>
  );
}
