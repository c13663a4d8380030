// What the page shows of a trace: rows under headings, a filter, a search, marks.
// Nothing here draws, or knows of a browser.
import type { PageGroup, PageSignal } from '../messages';
import type { Bus } from './buses';
import { placeText } from './rounds';

export const groupNames: Record<PageGroup, string> = {
  property: 'Property',
  differ: 'What differs',
  expressions: 'Expressions',
  constraints: 'Constraints',
  latches: 'Latches',
  inputs: 'Inputs',
  gates: 'Chosen signals',
  others: 'Gates',
};

const groupOrder = Object.keys(groupNames) as PageGroup[];
const inputsFirst = groupOrder.filter((group) => group !== 'inputs').flatMap((group): PageGroup[] => (group === 'latches' ? ['inputs', group] : [group]));

export type Row =
  | { kind: 'group'; group: PageGroup; shown: number; of: number; collapsed: boolean }
  | { kind: 'bus'; bus: Bus; open: boolean }
  /** `bit`: of the vector in a row above. */
  | { kind: 'signal'; signal: number; bit?: true };

export interface Choice {
  filter: string;
  hideUnchanged: boolean;
  hideIrrelevant: boolean;
  collapsed: ReadonlySet<PageGroup>;
  /** Inputs stand above latches: they are what a player chooses. */
  inputsFirst?: boolean;
  /** Keys of vectors whose bits are shown. */
  openBuses: ReadonlySet<string>;
}

/** Says of a signal whether it is looked for, at a step. */
export type Filter = (signal: PageSignal, step: number) => boolean;

/**
 * Reads a filter: a part of a name, or `/regular expression/`, and after `=` the
 * value at the step of the cursor. Undefined for an expression that cannot be read.
 */
export function parseFilter(text: string): Filter | undefined {
  const [, name = '', value] = /^(.*?)(?:=\s*([01xX]))?$/s.exec(text.trim()) ?? [];
  const matches = nameFilter(name.trim());
  if (matches === undefined) return undefined;
  if (value === undefined) return (signal) => matches(signal.name);
  const wanted = value.toLowerCase();
  return (signal, step) => signal.values[step] === wanted && matches(signal.name);
}

/** Whether what a filter lets through depends on the step. */
export function asksForValue(text: string): boolean {
  return /=\s*[01xX]$/.test(text.trim());
}

function nameFilter(text: string): ((name: string) => boolean) | undefined {
  const [, pattern] = /^\/(.+)\/$/.exec(text) ?? [];
  if (pattern === undefined) {
    const part = text.toLowerCase();
    return (name) => name.toLowerCase().includes(part);
  }
  try {
    const expression = new RegExp(pattern, 'i');
    return (name) => expression.test(name);
  } catch {
    return undefined;
  }
}

export function isConstant(values: string): boolean {
  for (let step = 1; step < values.length; step++) if (values[step] !== values[0]) return false;
  return true;
}

/** The rows in order. The property is the first one, whatever is hidden or looked for. */
export function rowsOf(signals: readonly PageSignal[], buses: readonly Bus[], choice: Choice, step: number, constant: (signal: number) => boolean): Row[] {
  const filter = parseFilter(choice.filter) ?? (() => true);
  const busOf = new Map(buses.flatMap((bus) => bus.bits.map((bit) => [bit, bus] as const)));
  const rows: Row[] = [];
  for (const group of choice.inputsFirst === true ? inputsFirst : groupOrder) {
    const members = [...signals.keys()].filter((index) => signals[index]!.group === group);
    if (members.length === 0) continue;
    if (group === 'property') {
      rows.push(...members.map((signal): Row => ({ kind: 'signal', signal })));
      continue;
    }
    const shown = members.filter((index) => {
      const signal = signals[index]!;
      if (choice.hideIrrelevant && group === 'latches' && !signal.relevant) return false;
      if (choice.hideUnchanged && constant(index)) return false;
      const bus = busOf.get(index);
      return filter(signal, step) || (bus !== undefined && filter({ ...signal, name: bus.name }, step));
    });
    const collapsed = choice.collapsed.has(group);
    rows.push({ kind: 'group', group, shown: shown.length, of: members.length, collapsed });
    if (!collapsed) rows.push(...withBuses(shown, busOf, choice.openBuses));
  }
  return rows;
}

/** Whether a signal could have another value in a step. */
export function canSet({ settable }: Pick<PageSignal, 'settable'>, step: number): boolean {
  return settable === 'always' || (settable === 'start' && step === 0);
}

/** A vector stands where its first bit would, and its bits below it, the most significant first. */
function withBuses(shown: readonly number[], busOf: ReadonlyMap<number, Bus>, openBuses: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  const seen = new Set<Bus>();
  const isShown = new Set(shown);
  for (const signal of shown) {
    const bus = busOf.get(signal);
    if (bus === undefined) {
      rows.push({ kind: 'signal', signal });
    } else if (!seen.has(bus)) {
      seen.add(bus);
      const open = openBuses.has(bus.key);
      rows.push({ kind: 'bus', bus, open });
      if (open) for (const bit of bus.bits) if (isShown.has(bit)) rows.push({ kind: 'signal', signal: bit, bit: true });
    }
  }
  return rows;
}

/** From first to before last. */
export interface Window {
  first: number;
  last: number;
}

/** Which of so many items of a size are within a view that is scrolled. */
export function visible(scroll: number, size: number, item: number, count: number): Window {
  const first = Math.min(Math.max(Math.floor(scroll / item), 0), count);
  return { first, last: Math.min(Math.max(Math.ceil((scroll + size) / item), first), count) };
}

/** What a row is about: a signal or a vector. */
export interface Subject {
  name: string;
  /** The value at a step. */
  at(step: number): string;
  inText: boolean;
  error?: string | undefined;
}

export function subjectFrom({ name, values, inText, error }: PageSignal): Subject {
  return { name, at: (step) => values[step] ?? '', inText, error };
}

/** What a search looks for: a value that begins, or any change. */
export type Target = '0' | '1' | 'x' | 'change';

/** The nearest step after or before another where a target begins. */
export function find({ at }: Subject, steps: number, target: Target, from: number, direction: 1 | -1): number | undefined {
  for (let step = from + direction; step >= 0 && step < steps; step += direction) {
    const changed = step > 0 && at(step) !== at(step - 1);
    if (target === 'change' ? changed : at(step) === target && (changed || step === 0)) return step;
  }
  return undefined;
}

/** Steps that the user has marked, in order. */
export class Markers {
  constructor(private steps: number[] = []) {}

  get all(): readonly number[] {
    return this.steps;
  }

  toggle(step: number): void {
    this.steps = this.steps.includes(step) ? this.steps.filter((one) => one !== step) : [...this.steps, step].sort((a, b) => a - b);
  }

  next(from: number, direction: 1 | -1): number | undefined {
    return direction === 1 ? this.steps.find((step) => step > from) : this.steps.findLast((step) => step < from);
  }

  /** Forgets what a shorter trace does not have. */
  limit(steps: number): void {
    this.steps = this.steps.filter((step) => step < steps);
  }
}

/** The words for a signal or a vector at a step. */
export function valueText(subject: Subject | undefined, step: number, trace: Parameters<typeof placeText>[0]): string {
  const place = placeText(trace, step);
  if (subject === undefined) return place;
  if (subject.error !== undefined) return `${subject.name}: ${subject.error}`;
  const value = subject.at(step);
  const before = step > 0 ? subject.at(step - 1) : value;
  const changed = before === value ? '' : ` (was ${before})`;
  const gone = subject.inText ? '' : ', no longer in the text';
  return `${subject.name} = ${value}${changed} at ${place}${gone}`;
}
