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
  /** An instance, which the rows below that are deeper belong to. */
  | { kind: 'scope'; key: string; name: string; depth: number; open: boolean }
  | { kind: 'bus'; bus: Bus; open: boolean; depth?: number }
  /** `bit`: of the word in a row above. */
  | { kind: 'signal'; signal: number; bit?: true; depth?: number };

/** Whether a row is about no signal of its own. */
export function isHeading(row: Row): row is Extract<Row, { kind: 'group' | 'scope' }> {
  return row.kind === 'group' || row.kind === 'scope';
}

export interface Choice {
  filter: string;
  hideUnchanged: boolean;
  hideIrrelevant: boolean;
  collapsed: ReadonlySet<PageGroup>;
  /** Inputs stand above latches: they are what a player chooses. */
  inputsFirst?: boolean;
  /** Keys of words whose bits are shown. */
  openBuses: ReadonlySet<string>;
  /** Keys of instances whose signals are hidden. */
  closedScopes?: ReadonlySet<string>;
  /** Names of signals that the user does not want to see. */
  hidden?: ReadonlySet<string>;
}

/** Says of a signal or word whether it is looked for, at a step. */
export type Filter = (subject: Pick<Subject, 'name' | 'at'>, step: number) => boolean;

const withValue = /^(.*?)=\s*([^\s=/]+)$/s;

/**
 * Reads a filter: a part of a name, or `/regular expression/`, and after `=` the
 * value at the step of the cursor. Undefined for an expression that cannot be read.
 */
export function parseFilter(text: string): Filter | undefined {
  const whole = text.trim();
  const [, name, value] = withValue.exec(whole) ?? [];
  const matches = nameFilter((name ?? whole).trim());
  if (matches === undefined) return undefined;
  if (value === undefined) return (subject) => matches(subject.name);
  const isWanted = (at: string) => at === value || at === value.toLowerCase();
  // A name may have the sign in it.
  return (subject, step) => (isWanted(subject.at(step)) && matches(subject.name)) || subject.name.toLowerCase().includes(whole.toLowerCase());
}

/** Whether what a filter lets through depends on the step. */
export function asksForValue(text: string): boolean {
  return withValue.test(text.trim());
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
export function rowsOf(signals: readonly PageSignal[], buses: readonly Bus[], choice: Choice, step: number, constant: (signal: number) => boolean, busAt: (bus: Bus, step: number) => string): Row[] {
  const filter = parseFilter(choice.filter) ?? (() => true);
  const busOf = new Map(buses.toReversed().flatMap((bus) => bus.bits.map((bit) => [bit, bus] as const))); // that of the first
  const rows: Row[] = [];
  for (const group of choice.inputsFirst === true ? inputsFirst : groupOrder) {
    const members = [...signals.keys()].filter((index) => (busOf.get(index) ?? signals[index]!).group === group);
    if (members.length === 0) continue;
    if (group === 'property') {
      rows.push(...members.map((signal): Row => ({ kind: 'signal', signal })));
      continue;
    }
    const shown = members.filter((index) => {
      const signal = signals[index]!;
      if (choice.hidden?.has(signal.name) === true && canHide(signal)) return false;
      if (choice.hideIrrelevant && signal.group === 'latches' && !signal.relevant) return false;
      if (choice.hideUnchanged && constant(index)) return false;
      const bus = busOf.get(index);
      return filter(subjectFrom(signal), step) || (bus !== undefined && filter({ name: bus.name, at: (at) => busAt(bus, at) }, step));
    });
    const collapsed = choice.collapsed.has(group);
    rows.push({ kind: 'group', group, shown: shown.length, of: members.length, collapsed });
    if (!collapsed) rows.push(...underScopes(group, withBuses(shown, busOf, choice.openBuses), signals, choice.closedScopes));
  }
  return rows;
}

/** Whether a signal is one to choose: what was added by hand is removed instead, and the property stays. */
export function canHide({ group }: Pick<PageSignal, 'group'>): boolean {
  return group !== 'property' && group !== 'expressions' && group !== 'gates';
}

/** Whether a signal could have another value in a step. */
export function canSet({ settable }: Pick<PageSignal, 'settable'>, step: number): boolean {
  return settable === 'always' || (settable === 'start' && step === 0);
}

/** Whether a word could have any other value in a step. */
export function canSetWord({ bits }: Pick<Bus, 'bits'>, signals: readonly Pick<PageSignal, 'settable'>[], step: number): boolean {
  return bits.length > 0 && bits.every((signal) => canSet(signals[signal]!, step));
}

/** A word stands where its first bit would, and its bits below it, the most significant first. */
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

/** Rows and scopes inside of an instance, in order. */
interface Inside {
  readonly rows: (Row | (Inside & { readonly name: string }))[];
  readonly scopes: Map<string, Inside>;
}

/** Puts rows below the instances that they belong to: each where the first of its rows stands. */
function underScopes(group: PageGroup, rows: readonly Row[], signals: readonly PageSignal[], closed: ReadonlySet<string> = new Set()): Row[] {
  const root: Inside = { rows: [], scopes: new Map() };
  let at = root; // a bit stands below its word, wherever it is from
  for (const row of rows) {
    if (row.kind !== 'signal' || row.bit !== true) {
      at = root;
      for (const name of scopeOf(row, signals)) {
        let next = at.scopes.get(name);
        if (next === undefined) {
          next = { rows: [], scopes: new Map() };
          at.scopes.set(name, next);
          at.rows.push({ ...next, name });
        }
        at = next;
      }
    }
    at.rows.push(row);
  }
  const flat = (inside: Inside, path: string, depth: number): Row[] =>
    inside.rows.flatMap((row): Row[] => {
      if ('kind' in row) return [depth === 0 || isHeading(row) ? row : { ...row, depth }];
      const key = `${path}/${row.name}`;
      const open = !closed.has(key);
      return [{ kind: 'scope', key, name: row.name, depth, open }, ...(open ? flat(row, key, depth + 1) : [])];
    });
  return flat(root, group, 0);
}

function scopeOf(row: Row, signals: readonly PageSignal[]): readonly string[] {
  if (row.kind === 'signal') return signals[row.signal]!.scope ?? [];
  return row.kind === 'bus' ? row.bus.word.scope ?? [] : [];
}

/** What the names column calls a row: inside of an instance without the names of that. */
export function shownName(row: Row, signals: readonly PageSignal[], name: string): string {
  if (isHeading(row) || row.depth === undefined) return name;
  return (row.kind === 'bus' ? row.bus.word.local : signals[row.signal]!.local) ?? name;
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

/** What a row is about: a signal or a word. */
export interface Subject {
  name: string;
  /** The value at a step. */
  at(step: number): string;
  /** Of a word: whether a bit is not known. */
  isOpen?(step: number): boolean;
  inText: boolean;
  error?: string | undefined;
}

export function subjectFrom({ name, values, inText, error }: PageSignal): Subject {
  return { name, at: (step) => values[step] ?? '', inText, error };
}

/** What a search looks for: a value that begins, or any change. */
export type Target = '0' | '1' | 'x' | 'change';

/** The nearest step after or before another where a target begins. */
export function find({ at, isOpen }: Subject, steps: number, target: Target, from: number, direction: 1 | -1): number | undefined {
  for (let step = from + direction; step >= 0 && step < steps; step += direction) {
    const changed = step > 0 && at(step) !== at(step - 1);
    const is = target === 'x' && isOpen !== undefined ? isOpen(step) : at(step) === target;
    if (target === 'change' ? changed : is && (changed || step === 0)) return step;
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

/** The words for a signal or a word at a step. */
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
