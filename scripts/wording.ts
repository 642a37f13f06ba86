export interface Wording {
  readonly pattern: RegExp;
  /** What to write instead. */
  readonly use: string;
}

export interface WordingFinding {
  readonly line: number;
  readonly text: string;
  readonly use: string;
}

/**
 * Words and constructions that made readers stop, with plain ones to use instead. Names are matched as well as prose:
 * `Door` in `profilesDoor` counts.
 */
const wordings: readonly Wording[] = [
  { pattern: word("doors?", "Doors?"), use: "endpoint" },
  // As a key of a table it is a name that senders use.
  { pattern: /(?<![A-Za-z])verbs?(?![a-z]|: ")|Verbs?(?![a-z])/, use: "operation" },
  { pattern: word("anew", "Anew"), use: "again" },
  { pattern: word("beside", "Beside"), use: "next to, with, in addition to" },
  { pattern: /(?<![A-Za-z])told(?! apart)(?![a-z])|Told(?![a-z])/, use: "reported, notified, given" },
  { pattern: /\btells (?!.{0,40}\bapart\b)/i, use: "reports, shows, distinguishes" },
  { pattern: word("fates?", "Fates?"), use: "outcome, result" },
  { pattern: word("era", "Era"), use: "dedupNamespace, or the name of the period" },
  { pattern: /(?<!unix )(?<![A-Za-z])epoch(?![a-z])/i, use: "generation" },
  { pattern: /\bstands?\b(?! (out|alone)\b)/i, use: "is, is in, represents, replaces" },
  { pattern: /\bcomes? to (?!an end)/i, use: "becomes, reaches, amounts to" },
  {
    pattern: /\bof (its|their) own\b(?! (?!(?:for|in|and|on|to|with|that|which)\b)[a-z])/i,
    use: "its own, separate",
  },
  { pattern: /\bbut for\b/i, use: "except" },
  { pattern: /\bwhoever\b/i, use: "the operator, the sender, the caller" },
  { pattern: /\bof which\b/i, use: "whose, or two sentences" },
  { pattern: /\bsurely\b/i, use: "what is checked, or leave it out" },
  { pattern: /\bin whatever\b|\bwhosoever\b|\bwhatsoever\b/i, use: "the thing itself" },
  {
    pattern: /\bwhat there is\b|\bwhat is left of\b|\bof what is\b|\bwho looks\b|\bwho asks\b/i,
    use: "the noun: the rest, the caller, the reader",
  },
  {
    pattern: /\b(when|once|until|after) (it|they|that) (is|are|was) over\b/i,
    use: "resolves, ends, expires",
  },
  { pattern: /\bfor ever\b/i, use: "forever" },
  { pattern: /\bgo(es)? on [a-z]+ing\b/i, use: "keeps, continues" },
  {
    pattern: inText("(those|the ones|somebody|someone) (that|who|which)"),
    use: "the noun: rejected requests",
  },
  {
    pattern: inText("a time to come|the most (it|there) can|there twice"),
    use: "a future time, the limit, twice",
  },
  { pattern: inText("(is|are|was|were) (learnt|judged|refused)"), use: "learned, evaluated, rejected" },
  {
    pattern: /(^\s*(\/\*\*|\*|\/\/) |(?<!\d)\. )(What|Who)(ever|m|se)? (?!.*\?)/,
    use: "a sentence whose subject is a noun",
  },
  {
    pattern: /(^\s*(\/\*\*|\*|\/\/) |(?<!\d)\. )(Of (a|an|the|what|those|each|which|it|all)\b)/,
    use: "the subject first: 'The sum of all parts', not 'Of all parts the sum'",
  },
];

/** The lines of a text that contain one of the wordings. */
export function findWordings(text: string, searched: readonly Wording[] = wordings): WordingFinding[] {
  return text.split("\n").flatMap((line, index) => {
    const found = searched.find(({ pattern }) => pattern.test(line));
    return found === undefined ? [] : [{ line: index + 1, text: line.trim(), use: found.use }];
  });
}

/** Words in a text for users: a literal or an element that begins with a capital letter, which titles of tests do not. */
function inText(words: string): RegExp {
  return new RegExp(`["\`>][A-Z][^"\`]*\\b(${words})\\b`);
}

/** A whole word in prose, or one part of a name in camelCase or kebab-case. */
export function word(lower: string, capitalized: string): RegExp {
  return new RegExp(`(?<![A-Za-z])${lower}(?![a-z])|${capitalized}(?![a-z])`);
}
