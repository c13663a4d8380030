// Words among the signals: the server tells which signals are the bits of one value.
import type { PageGroup, PageSignal, PageWord } from '../messages';
import { changesOf } from './waves';

export interface Bus {
  group: PageGroup;
  name: string;
  /** Tells it from all others. */
  key: string;
  /** Indices of the signals that are shown, the most significant first. */
  bits: number[];
  word: PageWord;
}

export function busesOf(words: readonly PageWord[]): Bus[] {
  return words.map((word) => {
    const bits = [...new Set(word.bits.flatMap(({ signal }) => (signal < 0 ? [] : [signal])))];
    return { group: word.group, name: word.name, key: `${word.group} ${word.name}`, bits, word };
  });
}

/** The bits of a word at a step, the most significant first: 0, 1, x, and - for one that is missing. */
export function bitsAt({ word }: Bus, signals: readonly PageSignal[], step: number): string {
  return word.bits.map(({ signal, missing, negated }) => (missing === true ? '-' : valueOf(signals[signal]?.values[step], negated === true))).join('');
}

function valueOf(value: string | undefined, negated: boolean): string {
  if (value !== '0' && value !== '1') return 'x';
  return (value === '1') !== negated ? '1' : '0';
}

/** The steps at which any of the bits changes. */
export function busChanges(bits: readonly string[]): Int32Array {
  const steps = new Set<number>();
  for (const values of bits) for (const step of changesOf(values)) steps.add(step);
  return Int32Array.from(steps).sort();
}
