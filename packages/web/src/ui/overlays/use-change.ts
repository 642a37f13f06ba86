import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { serverText } from "#api/reply.ts";
import { showToast } from "./toast.ts";

interface Change<Reply, V> {
  readonly send: (value: V) => Promise<Reply>;
  /** The query whose data is the reply. */
  readonly answers?: { readonly queryKey: QueryKey };
  /** The queries that are read again, also after a failure, whose reason may be that they are old. */
  readonly stale?: readonly { readonly queryKey: QueryKey }[];
  /** The toast once it is done. */
  readonly done: (reply: Reply, value: V) => string;
  /** The toast where the server did not say why it refused; default: that nothing was changed, and why. */
  readonly failure?: string;
}

/** A change that is sent without a dialog: a toast says that it is done, or why it is not. */
export function useChange<Reply, V = void>({ send, answers, stale = [], done, failure }: Change<Reply, V>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess(reply, value) {
      if (answers !== undefined) client.setQueryData(answers.queryKey, reply);
      showToast(done(reply, value));
    },
    onError: (error) =>
      showToast(failure ? serverText(error, failure) : `Nothing was changed. ${error.message}`, "critical"),
    onSettled: () => Promise.all(stale.map(({ queryKey }) => client.invalidateQueries({ queryKey }))),
  });
}
