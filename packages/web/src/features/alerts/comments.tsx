import {
  commentIncident,
  type Incident,
  type IncidentComment,
  limits,
  removeIncidentComment,
} from "@flamekeep/contract";
import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { call } from "#api/call.ts";
import { plural } from "#format/number.ts";
import { useIsAdmin, useMayChange } from "#session/session.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems, useForm } from "#ui/controls/form-problems.tsx";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";

interface CommentsProps {
  readonly incident: Incident;
  readonly comments: readonly IncidentComment[];
}

export function Comments({ incident, comments }: CommentsProps) {
  const mayChange = useMayChange();
  const [removed, setRemoved] = useState<IncidentComment>();
  return (
    <Card className="min-w-0">
      <CardHeader title={comments.length === 0 ? "Comments" : plural(comments.length, "comment")} />
      {comments.length === 0 && !mayChange && <p className="px-4 pb-4 text-muted">No comments</p>}
      {comments.length > 0 && (
        <ol className="divide-y divide-line border-line border-t">
          {comments.map((comment) => (
            <Comment key={comment.id} comment={comment} onRemove={() => setRemoved(comment)} />
          ))}
        </ol>
      )}
      {mayChange && <CommentForm incident={incident} />}
      {removed !== undefined && (
        <RemoveDialog incident={incident} comment={removed} onClose={() => setRemoved(undefined)} />
      )}
    </Card>
  );
}

interface CommentProps {
  readonly comment: IncidentComment;
  readonly onRemove: () => void;
}

/** Its text is shown as it was written: neither markup nor links. */
function Comment({ comment, onRemove }: CommentProps) {
  const isAdmin = useIsAdmin();
  const mayChange = useMayChange();
  const name = nameOf(comment);
  return (
    <li className="flex items-start justify-between gap-3 px-4 py-3">
      <div className="min-w-0">
        <p className="text-label text-muted">
          <span className="font-medium text-text">{name}</span> <RelativeTime at={comment.at} />
        </p>
        <p className="mt-1 whitespace-pre-wrap [overflow-wrap:anywhere]">{comment.text}</p>
      </div>
      {mayChange && (comment.is_yours || isAdmin) && (
        <Button
          variant="ghost"
          size="icon"
          className="md:size-7!"
          aria-label={`Remove the comment of ${name}`}
          title="Remove the comment"
          onClick={onRemove}
        >
          <Trash2 aria-hidden className="size-4" strokeWidth={1.75} />
        </Button>
      )}
    </li>
  );
}

function nameOf({ by }: IncidentComment): string {
  return by ?? "A former member";
}

function useReadAgain(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ["alerts"] });
}

interface RemoveDialogProps extends Closable {
  readonly incident: Incident;
  readonly comment: IncidentComment;
}

function RemoveDialog({ incident, comment, onClose }: RemoveDialogProps) {
  const readAgain = useReadAgain();
  return (
    <ConfirmDialog
      title="Remove the comment?"
      description={`The comment of ${nameOf(comment)} on the incident of ${incident.service} cannot be restored.`}
      action="Remove"
      failure="Failed to remove the comment"
      send={() => call(removeIncidentComment, { params: { id: incident.id, comment: comment.id } })}
      onSent={async () => {
        await readAgain();
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** The text stays where it is until the server has stored it. */
function CommentForm({ incident }: { readonly incident: Incident }) {
  const readAgain = useReadAgain();
  const form = useForm({
    initial: () => ({ comment: "" }),
    send: ({ comment: text }) => call(commentIncident, { params: { id: incident.id }, body: { text } }),
    onSent: async () => {
      await readAgain();
      form.set({ comment: "" });
    },
  });
  const isReady = form.values.comment.trim() !== "" && !form.isPending;
  if (incident.comment_count >= limits.incidentCommentsMax) {
    return (
      <p className="border-line border-t px-4 py-3 text-muted">
        This incident has reached its limit of {limits.incidentCommentsMax} comments.
      </p>
    );
  }
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-3 border-line border-t p-4">
      <FormProblems error={form.error} failure="Failed to store the comment" />
      <Field
        label="Comment"
        autoComplete="off"
        maxLength={limits.incidentCommentLengthMax}
        render={<textarea rows={3} />}
        className="h-auto! py-2"
        placeholder="Findings and actions taken"
        {...form.field("comment")}
      />
      <Button type="submit" className="self-end" disabled={!isReady}>
        {form.isPending ? "Storing..." : "Comment"}
      </Button>
    </form>
  );
}
