// Vectors among the signals, recognised by their names: q[3] … q[0], q<3> … q<0> and
// q3 … q0 are the bits of one number, of which the first is the most significant.
import type { PageGroup, PageSignal } from '../messages';
import { changesOf } from './waves';

export interface Bus {
  group: PageGroup;
  /** Like `q[3:0]`. */
  name: string;
  /** Tells it from all others. */
  key: string;
  /** Indices of signals, the most significant first. */
  bits: number[];
}

const groupsWithBuses: ReadonlySet<PageGroup> = new Set(['differ', 'latches', 'inputs', 'gates', 'others']);

/** The vectors, in the order of the first bit of each. */
export function busesOf(signals: readonly PageSignal[]): Bus[] {
  const families = new Map<string, { group: PageGroup; base: string; form: string; bits: Map<number, number>; clash: boolean }>();
  signals.forEach(({ group, name }, signal) => {
    const { base, index, form } = indexed(name) ?? {};
    if (base === undefined || index === undefined || !groupsWithBuses.has(group)) return;
    const key = JSON.stringify([group, base, form]);
    const family = families.get(key) ?? { group, base, form: form!, bits: new Map(), clash: false };
    families.set(key, family);
    if (family.bits.has(index)) family.clash = true;
    family.bits.set(index, signal);
  });
  const buses: Bus[] = [];
  for (const { group, base, form, bits, clash } of families.values()) {
    const indices = [...bits.keys()].sort((a, b) => b - a);
    const high = indices[0]!;
    const low = indices.at(-1)!;
    const isVector = indices.length > 1 && high - low + 1 === indices.length && !clash;
    // Numbers at the end of names count more things than bits: those from 0 are taken for bits.
    if (!isVector || (form === '' && low !== 0)) continue;
    const name = `${base}[${high}:${low}]`;
    buses.push({ group, name, key: `${group} ${form} ${name}`, bits: indices.map((index) => bits.get(index)!) });
  }
  return buses;
}

function indexed(name: string): { base: string; index: number; form: string } | undefined {
  const [, base, open, inside, close] = /^(.+)([[<])(0|[1-9]\d{0,5})([\]>])$/s.exec(name) ?? [];
  if (base !== undefined && `${open}${close}` === (open === '[' ? '[]' : '<>')) return { base, index: Number(inside), form: open! };
  const [, word, end] = /^(.*\D)(0|[1-9]\d{0,5})$/s.exec(name) ?? [];
  return word === undefined ? undefined : { base: word, index: Number(end), form: '' };
}

/** The steps at which any of the bits changes. */
export function busChanges(bits: readonly string[]): Int32Array {
  const steps = new Set<number>();
  for (const values of bits) for (const step of changesOf(values)) steps.add(step);
  return Int32Array.from(steps).sort();
}
