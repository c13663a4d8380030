// The signals of a trace as a tree of scopes, to choose from: what is in it, what a search finds,
// what is shown of it. Nothing here draws, or knows of a browser.
import type { Entry } from '../../circuit/webview/tree';
import { h } from '../../circuit/webview/nodes';
import type { PageSignal } from '../messages';
import type { Bus } from './buses';
import { canHide } from './model';

/** A scope, a word or a signal. */
export interface Choosable {
  /** With the scopes around it; tells it from all others. */
  readonly path: string;
  /** What it is called there. */
  readonly name: string;
  /** The names of its signals: those that are shown or hidden with it. */
  readonly signals: readonly string[];
  /** What is inside of a scope; undefined for what is none. */
  readonly inside?: readonly Choosable[];
}

interface Scope {
  readonly scopes: Map<string, Scope>;
  readonly leaves: Map<string, Choosable>;
}

/** All that can be hidden: scopes first, and by name. */
export function choosables(signals: readonly PageSignal[], buses: readonly Bus[]): Choosable[] {
  const root: Scope = { scopes: new Map(), leaves: new Map() };
  const put = (scope: readonly string[], leaf: Choosable) => {
    let at = root;
    for (const name of scope) {
      const next = at.scopes.get(name) ?? { scopes: new Map(), leaves: new Map() };
      at.scopes.set(name, next);
      at = next;
    }
    const before = at.leaves.get(leaf.path);
    at.leaves.set(leaf.path, before === undefined ? leaf : { ...leaf, signals: [...new Set([...before.signals, ...leaf.signals])] });
  };
  const inWord = new Set<number>();
  for (const { bits, name, word } of buses) {
    const free = bits.filter((bit) => !inWord.has(bit) && canHide(signals[bit]!));
    if (free.length === 0) continue;
    for (const bit of free) inWord.add(bit);
    put(word.scope ?? [], { path: name, name: `${word.local ?? name}[${word.high}:${word.low}]`, signals: free.map((bit) => signals[bit]!.name) });
  }
  signals.forEach((signal, index) => {
    const { name, local, scope } = signal;
    if (!inWord.has(index) && canHide(signal)) put(scope ?? [], { path: name, name: local ?? name, signals: [name] });
  });
  return insideOf(root, '');
}

function insideOf({ scopes, leaves }: Scope, path: string): Choosable[] {
  const all = [...scopes].map(([name, scope]): Choosable => {
    const inside = insideOf(scope, `${path}${name}/`);
    return { path: `${path}${name}/`, name, signals: [...new Set(inside.flatMap(({ signals }) => signals))], inside };
  });
  return [...all.sort(byName), ...[...leaves.values()].sort(byName)];
}

function byName(a: Choosable, b: Choosable): number {
  return a.name.localeCompare(b.name, 'en', { numeric: true });
}

/**
 * What a search leaves: that whose name holds each of the fragments, with the scopes around it. Where nothing does, that
 * which holds their letters in order, as a search for symbols finds it.
 */
export function found(all: readonly Choosable[], query: string): readonly Choosable[] {
  const fragments = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (fragments.length === 0) return all;
  const exact = filtered(all, (name) => fragments.every((one) => name.includes(one)));
  return exact.length > 0 ? exact : filtered(all, (name) => fragments.every((one) => hasInOrder(name, one)));
}

function filtered(all: readonly Choosable[], fits: (name: string) => boolean): Choosable[] {
  return all.flatMap((one) => {
    const names = one.inside === undefined ? [one.path, one.name, ...one.signals] : [one.path];
    if (names.some((name) => fits(name.toLowerCase()))) return [one];
    if (one.inside === undefined) return [];
    const inside = filtered(one.inside, fits);
    return inside.length === 0 ? [] : [{ ...one, inside, signals: [...new Set(inside.flatMap(({ signals }) => signals))] }];
  });
}

function hasInOrder(name: string, letters: string): boolean {
  let at = 0;
  for (const letter of name) if (letter === letters[at]) at++;
  return at === letters.length;
}

/** The names of all signals, each once. */
export function signalsOf(all: readonly Choosable[]): Set<string> {
  return new Set(all.flatMap(({ signals }) => signals));
}

/** The choice after one entry was taken: it is shown as a whole, or not at all. */
export function turned({ signals }: Choosable, hidden: ReadonlySet<string>): Set<string> {
  const isShown = signals.every((name) => !hidden.has(name));
  return isShown ? new Set([...hidden, ...signals]) : new Set([...hidden].filter((name) => !signals.includes(name)));
}

/** The entries of the tree, each with its box. */
export function entriesOf(all: readonly Choosable[], hidden: ReadonlySet<string>): Entry[] {
  return all.map((one): Entry => {
    const shown = one.signals.filter((name) => !hidden.has(name)).length;
    const checked = shown === one.signals.length ? 'true' : shown === 0 ? 'false' : 'mixed';
    const whole = one.path.replace(/\/$/, '');
    const count = one.inside === undefined ? '' : `, ${shown} of ${one.signals.length} shown`;
    return {
      key: one.path,
      label: [h('span', { class: 'box', 'aria-hidden': 'true' }), h('span', { class: 'name' }, one.name)],
      said: `${whole}${count}`,
      tip: `${checked === 'true' ? 'Hide' : 'Show'} ${whole}${count}`,
      children: entriesOf(one.inside ?? [], hidden),
      checked,
    };
  });
}
