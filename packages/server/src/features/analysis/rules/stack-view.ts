import type { Match } from "./match.ts";
import { Selection } from "./selection.ts";
import { WeightedStacks } from "./weighted-stacks.ts";

const everything: Match = () => true;

/** The stacks of a profile with the values of one sample type, to be selected by the functions that they pass through. */
export class StackView extends WeightedStacks {
  /** The stacks in which application code, by itself or through libraries, calls a function that matches. */
  calls(match: Match): Selection {
    const { index } = this;
    const flags = index.flagsOf(match);
    return this.select(match, (from, to, stack) => {
      const innermost = index.innermost[stack]!;
      const end = innermost < 0 ? to : innermost;
      for (let at = from; at < end; at++) if (flags[this.functionAt(at)] === 1) return at;
      return -1;
    });
  }

  /**
   * As `calls`, but only where application code itself calls the function that matches: the runtime's functions are
   * also called by libraries, on whose code the application has no influence.
   */
  directCalls(match: Match): Selection {
    const { index } = this;
    const flags = index.flagsOf(match);
    return this.select(match, (from, _to, stack) => {
      const called = index.innermost[stack]! - 1;
      return called >= from && flags[this.functionAt(called)] === 1 ? called : -1;
    });
  }

  /** The stacks that pass through a function that matches, whatever it calls. The match nearest to the leaf counts. */
  through(match: Match): Selection {
    const flags = this.index.flagsOf(match);
    return this.select(match, (from, to) => {
      for (let at = from; at < to; at++) if (flags[this.functionAt(at)] === 1) return at;
      return -1;
    });
  }

  /** As `through`, but the match nearest to the root counts: for libraries that call back into the application. */
  throughOutermost(match: Match): Selection {
    const flags = this.index.flagsOf(match);
    return this.select(match, (from, to) => {
      for (let at = to - 1; at >= from; at--) if (flags[this.functionAt(at)] === 1) return at;
      return -1;
    });
  }

  /** As `throughOutermost`, but only where application code itself makes the call: for functions that call back into the application. */
  throughDirectCalls(match: Match): Selection {
    const flags = this.index.flagsOf(match);
    const { isApplication } = this.index;
    return this.select(match, (from, to) => {
      for (let at = to - 2; at >= from; at--) {
        if (flags[this.functionAt(at)] === 1 && isApplication[this.functionAt(at + 1)] === 1) return at;
      }
      return -1;
    });
  }

  /** As `through`, for functions of the application only. */
  throughApplication(match: Match): Selection {
    const flags = this.index.flagsOf(match);
    const { isApplication } = this.index;
    return this.select(match, (from, to) => {
      for (let at = from; at < to; at++) {
        const fn = this.functionAt(at);
        if (flags[fn] === 1 && isApplication[fn] === 1) return at;
      }
      return -1;
    });
  }

  /** The stacks whose leaf matches. */
  endingIn(match: Match): Selection {
    const flags = this.index.flagsOf(match);
    return this.select(match, (from) => (flags[this.functionAt(from)] === 1 ? from : -1));
  }

  /** The stacks with application code, each matched at the application frame nearest to the leaf. */
  byApplication(): Selection {
    const { innermost } = this.index;
    return this.select(everything, (_from, _to, stack) => innermost[stack]!);
  }

  /** The stacks whose leaf is application code, of functions that match. */
  endingInApplication(match: Match = everything): Selection {
    const { innermost } = this.index;
    const flags = this.index.flagsOf(match);
    return this.select(match, (from, _to, stack) =>
      innermost[stack] === from && flags[this.functionAt(from)] === 1 ? from : -1,
    );
  }

  /** The stacks that contain a match and in which `locate` finds a frame; it gets the stack's range in `stacks.frame`, leaf first. */
  select(match: Match, locate: (from: number, to: number, stack: number) => number): Selection {
    const { start } = this.index.stacks;
    const stacks: number[] = [];
    const matchedAt: number[] = [];
    for (const stack of this.index.stacksWith(match)) {
      if (this.weights[stack] === 0) continue;
      const at = locate(start[stack]!, start[stack + 1]!, stack);
      if (at < 0) continue;
      stacks.push(stack);
      matchedAt.push(at);
    }
    return new Selection(this, stacks, matchedAt);
  }
}
