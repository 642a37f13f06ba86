import { type IngestedProfile, isServiceName, openProfileFile, profileTypes } from "@flamekeep/contract";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { profileTypeLabel } from "#format/names.ts";
import { plural } from "#format/number.ts";
import { tagsOf } from "#format/tags.ts";
import { ServiceField } from "#profile-list/service-field.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { type Form, type Problem, useForm } from "#ui/controls/form-problems.tsx";
import { LabelledSelect } from "#ui/controls/select.tsx";
import { type Closable, Dialog } from "#ui/overlays/dialog.tsx";
import { DialogForm } from "#ui/overlays/form-dialog.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { serviceOfFile } from "./chosen-files.ts";
import { FileList } from "./file-rows.tsx";
import { sendFile } from "./send-file.ts";
import { type FileState, recognizedText, sentName, useOpening } from "./use-opening.ts";

interface FilesDialogProps extends Closable {
  readonly files: readonly File[];
}

interface Values {
  readonly service: string;
  readonly environment: string;
  readonly tags: string;
  readonly type: string;
}

const ofFile = "file";
const typeOptions = [
  { value: ofFile, label: "As the file says" },
  ...profileTypes.map((value) => ({ value: value as string, label: profileTypeLabel(value) })),
];

/** Asks which service the files are of, uploads them, and opens the profile or lists the results. */
export function FilesDialog({ files, onClose }: FilesDialogProps) {
  const navigate = useNavigate();
  const { service } = useParams({ strict: false }) as { readonly service?: string };
  const { upload, stateOf } = useUpload();
  /** The files that the form is about; undefined once all have a result. */
  const [asked, setAsked] = useState<readonly File[] | undefined>(files);
  const form = useForm({
    initial: (): Values => ({
      service: service ?? serviceOfFile(files[0]?.name ?? ""),
      environment: "",
      tags: "",
      type: ofFile,
    }),
    check: problemsOf,
    send: (values) => upload(asked ?? [], queryOf(values)),
    onSent: (results) => finish(results),
  });

  function finish(results: readonly FileState<IngestedProfile>[]) {
    const [first] = results;
    if (files.length > 1 || first?.is !== "opened") return setAsked(undefined);
    const { reply: profile } = first;
    showToast([recognizedText(profile), profile.notice].filter(Boolean).join(". "));
    onClose();
    void navigate({ to: "/profile/$profileId", params: { profileId: profile.profile_id } });
  }

  const title = files.length === 1 ? "Open a file" : `Open ${plural(files.length, "file")}`;
  const shown = asked === undefined ? refusedFirst(files, stateOf) : files;
  const list = <FileList scrolls files={shown} {...{ stateOf, opened: openedParts(onClose) }} />;
  const refused = files.filter((file) => stateOf(file).is === "refused");
  return (
    // Closing by accident would cancel the upload.
    <Dialog title={title} onClose={onClose} isDismissible={!form.isPending}>
      {asked === undefined ? (
        <Results hasRefused={refused.length > 0} onRetry={() => setAsked(refused)} onClose={onClose}>
          {list}
        </Results>
      ) : (
        <DialogForm
          form={form}
          action="Open"
          pending="Opening..."
          failure="The files were not opened"
          onClose={onClose}
        >
          {list}
          <FileFields form={form} />
        </DialogForm>
      )}
    </Dialog>
  );
}

function useUpload() {
  const client = useQueryClient();
  const { open, stateOf } = useOpening<IngestedProfile>();

  async function upload(files: readonly File[], query: Readonly<Record<string, string>>) {
    const results = await open(files, (file, sending) => {
      const name = sentName(file);
      // The name helps to find the type; as a tag, it keeps files apart that are no series.
      return sendFile(openProfileFile, file, {
        ...sending,
        query: { ...query, file: name, "tag.file": name },
      });
    });
    // Lists, counts and charts of all pages have new profiles.
    void client.invalidateQueries();
    return results;
  }

  return { upload, stateOf };
}

/** The name of an opened file leads to its profile, and what is in the file follows. */
function openedParts(onLeave: () => void) {
  return (name: string, profile: IngestedProfile) => ({
    name: (
      <Link
        to="/profile/$profileId"
        params={{ profileId: profile.profile_id }}
        onClick={onLeave}
        className="min-w-0 flex-1 truncate rounded-badge font-medium hover:underline"
      >
        {name}
      </Link>
    ),
    details: [recognizedText(profile), ...(profile.notice === undefined ? [] : [profile.notice])],
  });
}

function FileFields({ form }: { readonly form: Form<Values> }) {
  return (
    <fieldset disabled={form.isPending} className="flex min-w-0 flex-col gap-5">
      <ServiceField {...form.field("service", "The service that the files are of, or a new name.")} />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Environment"
          placeholder="production"
          autoComplete="off"
          {...form.field("environment", "Optional: the tag env.")}
        />
        <LabelledSelect label="Type" options={typeOptions} {...form.choice("type")} />
      </div>
      <Field
        label="Tags"
        placeholder="region:eu, version:1.2"
        autoComplete="off"
        {...form.field("tags", "Optional, separated by commas.")}
      />
    </fieldset>
  );
}

interface ResultsProps extends Closable {
  readonly hasRefused: boolean;
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

function Results({ hasRefused, onRetry, onClose, children }: ResultsProps) {
  return (
    <div className="flex flex-col gap-5">
      {children}
      <div className="flex justify-end gap-2">
        {hasRefused && (
          <Button variant="ghost" onClick={onRetry}>
            Change and Try Again
          </Button>
        )}
        <Button variant="primary" autoFocus onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}

function problemsOf({ service, tags }: Values): readonly Problem[] {
  const problems: Problem[] = [];
  if (!isServiceName(service))
    problems.push({
      field: "service",
      text: "Name the service with letters, digits and . _ - / : without spaces",
    });
  if (tagsOf(tags) === undefined)
    problems.push({ field: "tags", text: "Write tags as name:value, separated by commas" });
  return problems;
}

function queryOf({ service, environment, tags, type }: Values): Readonly<Record<string, string>> {
  const named = Object.entries(tagsOf(tags) ?? {}).map(([name, value]) => [`tag.${name}`, value] as const);
  return {
    service: service.trim(),
    ...(type !== ofFile && { type }),
    ...(environment.trim() !== "" && { "tag.env": environment.trim() }),
    ...Object.fromEntries(named),
  };
}

/** Refused files come first once all have a result: they need a person. */
function refusedFirst(
  files: readonly File[],
  stateOf: (file: File) => FileState<IngestedProfile>,
): readonly File[] {
  const isRefused = (file: File) => stateOf(file).is === "refused";
  return [...files.filter(isRefused), ...files.filter((file) => !isRefused(file))];
}
