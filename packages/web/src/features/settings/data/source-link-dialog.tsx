import {
  limits,
  removeSourceLink,
  type SourceLink,
  sourcePatternProblem,
  updateSourceLink,
} from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { sourceLinksQuery } from "#flame-graph/frame/source-links.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import { type Closable, Dialog } from "#ui/overlays/dialog.tsx";
import { DialogForm, useFinish } from "#ui/overlays/form-dialog.tsx";

interface SourceLinkDialogProps extends Closable {
  readonly service: string;
}

/** Where the source of a service is. An empty pattern removes the link. */
export function SourceLinkDialog({ service, onClose }: SourceLinkDialogProps) {
  const query = useQuery(sourceLinksQuery);
  return (
    <Dialog
      onClose={onClose}
      title={`Source of ${service}`}
      description="Frames in its flame graphs link to this address."
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

interface SourceLinkFormProps extends SourceLinkDialogProps {
  readonly links: readonly SourceLink[];
}

function SourceLinkForm(props: SourceLinkFormProps) {
  const form = useSourceLinkForm(props);
  return (
    <DialogForm
      form={form}
      action="Save source link"
      pending="Saving..."
      failure="Failed to save the source link"
      onClose={props.onClose}
    >
      <Field
        label="Address of a line"
        placeholder="https://github.com/acme/shop/blob/v{version}/{file}#L{line}"
        autoComplete="off"
        spellCheck={false}
        maxLength={limits.sourcePatternLengthMax}
        {...form.field(
          "url_pattern",
          "{version} is the version tag of the profiles. Leave the address empty to remove the link.",
        )}
      />
      <Field
        label="Path prefix"
        placeholder="/app/"
        autoComplete="off"
        spellCheck={false}
        maxLength={limits.sourcePrefixLengthMax}
        {...form.field(
          "path_prefix",
          "Prefix of file paths in profiles, removed from {file}. Files without it get no link.",
        )}
      />
    </DialogForm>
  );
}

function useSourceLinkForm({ service, links, onClose }: SourceLinkFormProps) {
  const finish = useFinish(onClose);
  const stored = links.find((each) => each.service === service);
  return useForm({
    initial: () => ({ url_pattern: stored?.url_pattern ?? "", path_prefix: stored?.path_prefix ?? "" }),
    check: ({ url_pattern }) => {
      const pattern = url_pattern.trim();
      const problem = pattern === "" ? undefined : sourcePatternProblem(pattern);
      return problem === undefined ? [] : [{ field: "url_pattern", text: problem }];
    },
    send: ({ url_pattern, path_prefix }): Promise<unknown> =>
      url_pattern.trim() === ""
        ? call(removeSourceLink, { params: { service } })
        : call(updateSourceLink, {
            params: { service },
            body: { url_pattern: url_pattern.trim(), path_prefix: path_prefix.trim() },
          }),
    onSent(_, { url_pattern }) {
      const isRemoved = url_pattern.trim() === "";
      void finish(
        isRemoved ? `${service} has no source link` : `Frames of ${service} open their source`,
        sourceLinksQuery,
      );
    },
  });
}
