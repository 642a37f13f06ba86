interface ActionParts {
  readonly before: string;
  /** A command in the text, without the full stop of the sentence. */
  readonly command: string | undefined;
  readonly after: string;
}

/** Extracts the `npm run` command from the instructions of a warning. */
export function commandOf(action: string): ActionParts {
  const found = /npm run [\w-]+(?: [\w./-]*[\w/-])*(?=[.\s]|$)/.exec(action);
  if (found === null) return { before: action, command: undefined, after: "" };
  const after = action.slice(found.index + found[0].length).replace(/^\.?\s*/, "");
  return { before: action.slice(0, found.index).trim(), command: found[0], after };
}
