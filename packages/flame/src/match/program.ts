import type { CharSet } from "./char-set.ts";
import { type Assertion, ExpressionError, type Syntax } from "./syntax.ts";

/**
 * An expression as the instructions of a machine that follows all alternatives at once. `match` is the last one.
 *
 * ```
 * /ab*|c/   0 fork 1 6   1 read a   2 fork 3 5   3 read b   4 fork 2   5 fork 8   6 read c   7 fork 8   8 match
 * ```
 */
type Instruction =
  | { readonly do: "read"; readonly set: CharSet; next: number }
  | { readonly do: "assert"; readonly that: Assertion; next: number }
  | { readonly do: "fork"; readonly to: number[] }
  | { readonly do: "match" };

export type Program = readonly Instruction[];

const instructionsMax = 2000;

export function programOf(syntax: Syntax): Program {
  const program: Instruction[] = [];
  write(program, syntax);
  add(program, { do: "match" });
  return program;
}

function add(program: Instruction[], instruction: Instruction): number {
  if (program.length >= instructionsMax)
    throw new ExpressionError(
      "The expression repeats too much: with all repeats written out it is too long.",
    );
  return program.push(instruction) - 1;
}

/** Writes instructions that go on at the end of the program. */
function write(program: Instruction[], syntax: Syntax): void {
  switch (syntax.is) {
    case "set":
      add(program, { do: "read", set: syntax.set, next: program.length + 1 });
      break;
    case "assert":
      add(program, { do: "assert", that: syntax.that, next: program.length + 1 });
      break;
    case "sequence":
      for (const part of syntax.parts) write(program, part);
      // An empty sequence takes an instruction, so that repeating it runs into the limit.
      if (syntax.parts.length === 0) add(program, { do: "fork", to: [program.length + 1] });
      break;
    case "choice":
      writeChoice(program, syntax.parts);
      break;
    case "repeat":
      writeRepeat(program, syntax.part, syntax.least, syntax.most);
  }
}

function writeChoice(program: Instruction[], parts: readonly Syntax[]): void {
  const to: number[] = [];
  const ends: number[][] = [];
  add(program, { do: "fork", to });
  for (const part of parts) {
    to.push(program.length);
    write(program, part);
    const end: number[] = [];
    add(program, { do: "fork", to: end });
    ends.push(end);
  }
  for (const end of ends) end.push(program.length);
}

function writeRepeat(program: Instruction[], part: Syntax, least: number, most: number): void {
  // An instruction although nothing is read, so that repeating a{0} runs into the limit, too.
  if (most === 0) add(program, { do: "fork", to: [program.length + 1] });
  for (let time = 0; time < least; time++) write(program, part);
  if (most === Number.POSITIVE_INFINITY) {
    const to = [program.length + 1];
    const start = add(program, { do: "fork", to });
    write(program, part);
    add(program, { do: "fork", to: [start] });
    to.push(program.length);
    return;
  }
  const exits: number[][] = [];
  for (let time = least; time < most; time++) {
    const to = [program.length + 1];
    add(program, { do: "fork", to });
    exits.push(to);
    write(program, part);
  }
  for (const to of exits) to.push(program.length);
}
