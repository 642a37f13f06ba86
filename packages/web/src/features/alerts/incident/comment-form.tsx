import { type Incident, limits } from "@flamekeep/contract";
import { type FormEvent, useState } from "react";
import { serverText } from "#api/reply.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems } from "#ui/controls/form-problems.tsx";
import { useCommentIncident } from "./use-incident-actions.ts";

/** The text stays where it is until the server has stored it. */
export function CommentForm({ incident }: { readonly incident: Incident }) {
  const [text, setText] = useState("");
  const commenting = useCommentIncident(incident, () => setText(""));
  const isFull = incident.comment_count >= limits.incidentCommentsMax;
  const isReady = text.trim() !== "" && !commenting.isPending;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isReady) commenting.mutate(text);
  }

  if (isFull) {
    return (
      <p className="border-line border-t px-4 py-3 text-muted">
        This incident has {limits.incidentCommentsMax} comments, the most it can have.
      </p>
    );
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3 border-line border-t p-4">
      <FormProblems
        problems={[]}
        failure={commenting.error ? serverText(commenting.error, "Failed to store the comment") : undefined}
      />
      <Field
        label="Comment"
        name="comment"
        autoComplete="off"
        maxLength={limits.incidentCommentLengthMax}
        render={<textarea rows={3} />}
        className="h-auto! py-2"
        placeholder="What you found, and what you did"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" className="self-end" disabled={!isReady}>
        {commenting.isPending ? "Storing..." : "Comment"}
      </Button>
    </form>
  );
}
