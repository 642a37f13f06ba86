interface ActionParts {
  readonly before: string;
  /** A command line that the text names, without the sentence's full stop. */
  readonly command: string | undefined;
  readonly after: string;
}

/** Takes the `npm run` command out of what the server asks an operator to do. */
export function commandOf(action: string): ActionParts {
  const found = /npm run [\w-]+(?: [\w./-]*[\w/-])*(?=[.\s]|$)/.exec(action);
  if (found === null) return { before: action, command: undefined, after: "" };
  const after = action.slice(found.index + found[0].length).replace(/^\.?\s*/, "");
  return { before: action.slice(0, found.index).trim(), command: found[0], after };
}
