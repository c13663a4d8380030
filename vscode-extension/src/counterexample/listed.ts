// Answers of aiglens.play that leave out what the extension has of their signals.
import type * as protocol from '../protocol';

/** What is kept of an answer: what its signals are called and where they stand. */
export type Listed = Required<Pick<protocol.Played, 'trace' | 'run' | 'list'>>;

/** What is to be kept of a whole answer; undefined where it has no list. */
export function listedOf({ trace, run, list }: protocol.Played): Listed | undefined {
  return trace === undefined || list === undefined ? undefined : { trace, run, list };
}

/** The whole answer to a request that named the list of one before. */
export function withListed(before: Listed | undefined, answer: protocol.Played): protocol.Played {
  const { values, ...rest } = answer;
  if (values === undefined || before === undefined || answer.trace === undefined) return answer;
  const filled = <T extends { values: string }>(all: T[], given: string[]): T[] => given.map((value, index) => ({ ...all[index]!, values: value }));
  return {
    ...rest,
    trace: { ...answer.trace, signals: [...filled(before.trace.signals, values.signals), ...answer.trace.signals], ...(before.trace.words === undefined ? {} : { words: before.trace.words }) },
    run: { ...answer.run, inputs: filled(before.run.inputs, values.inputs), latches: filled(before.run.latches, values.latches) },
  };
}
