// The rounds of a loop: which steps of a trace repeat, and what they are called.
import type { PageTrace } from '../messages';

/** What repeats: `count` times `length` steps from `first` on, up to the end of the trace. */
export interface Rounds {
  first: number;
  length: number;
  count: number;
}

/** Undefined for a run that ends. */
export function roundsOf({ steps, loop = 0, rounds = 0 }: Pick<PageTrace, 'steps' | 'loop' | 'rounds'>): Rounds | undefined {
  return loop > 0 && rounds > 0 ? { first: steps - loop * rounds, length: loop, count: rounds } : undefined;
}

/** The round of a step, from 1; 0 before the loop. */
export function roundAt({ first, length }: Rounds, step: number): number {
  return step < first ? 0 : 1 + Math.floor((step - first) / length);
}

/** The number of a step: in later rounds that of the first one. */
export function labelOf(rounds: Rounds | undefined, step: number): string {
  if (rounds === undefined || step < rounds.first) return String(step);
  return String(rounds.first + ((step - rounds.first) % rounds.length));
}

/** A step in words, beyond the first round with the number of the round. */
export function stepName(rounds: Rounds | undefined, step: number): string {
  const round = rounds === undefined ? 0 : roundAt(rounds, step);
  return `step ${labelOf(rounds, step)}${round > 1 ? ` of round ${round}` : ''}`;
}

/** Which step it is, and where that is, as the server says it. */
export function placeText(trace: Pick<PageTrace, 'steps' | 'loop' | 'rounds' | 'reached' | 'compared' | 'play'>, step: number): string {
  const rounds = roundsOf(trace);
  if (rounds === undefined) return `step ${step} of ${trace.steps - 1}${step === trace.steps - 1 && trace.play === undefined ? (trace.compared === true ? ', where they differ' : trace.reached === true ? ', reached' : ', the property fails') : ''}`;
  const { first, length } = rounds;
  const loop = length === 1 ? `loop of step ${first}` : `loop of ${first} to ${first + length - 1}`;
  return `${stepName(rounds, step)}, ${roundAt(rounds, step) === 0 ? `before the ${loop}` : loop}`;
}

/** Which steps of a trace are shown, and which of them repeat. */
export function stretchText(trace: Pick<PageTrace, 'steps' | 'loop' | 'rounds'>, from: number, to: number): string {
  const rounds = roundsOf(trace);
  if (rounds === undefined) return `steps ${from} to ${to} of ${trace.steps - 1}`;
  const { first, length } = rounds;
  const loop = length === 1 ? `step ${first} repeats` : `steps ${first} to ${first + length - 1} repeat`;
  return `${stepName(rounds, from)} to ${stepName(rounds, to)}; ${loop} for ever`;
}
