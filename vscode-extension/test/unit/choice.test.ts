// The signals of a trace as a tree to choose from: scopes, words, what a search leaves, what a box says.
import { expect, test } from 'vitest';
import type { Entry } from '../../src/circuit/webview/tree';
import type { PageSignal, PageWord } from '../../src/counterexample/messages';
import { busesOf } from '../../src/counterexample/webview/buses';
import { type Choosable, choosables, entriesOf, found, signalsOf, turned } from '../../src/counterexample/webview/choice';
import { State } from '../../src/counterexample/webview/state';

const signal = (group: PageSignal['group'], name: string, scope: string[] = []): PageSignal => ({
  ...{ group, name, values: '01', relevant: true, inText: true },
  ...(scope.length === 0 ? {} : { scope, local: name.slice(scope.join('/').length + 1) }),
});

const signals = [
  signal('property', 'full'),
  signal('latches', 'u/fifo/count[1]', ['u', 'fifo']),
  signal('latches', 'u/fifo/count[0]', ['u', 'fifo']),
  signal('latches', 'u/busy', ['u']),
  signal('latches', 'late10'),
  signal('latches', 'late9'),
  signal('inputs', 'u/fifo/push', ['u', 'fifo']),
  signal('expressions', 'push & full'),
  signal('gates', 'wire'),
];
const count: PageWord = { group: 'latches', name: 'u/fifo/count', local: 'count', scope: ['u', 'fifo'], high: 1, low: 0, bits: [{ signal: 1 }, { signal: 2 }] };
const all = choosables(signals, busesOf([count]));

const drawn = (entries: readonly Entry[], depth = 0): string[] => entries.flatMap(({ key, checked, children }) => [`${'  '.repeat(depth)}${{ true: '+', false: '-', mixed: '~' }[checked!]} ${key}`, ...drawn(children ?? [], depth + 1)]);
const tree = (of: readonly Choosable[], hidden: string[] = []) => drawn(entriesOf(of, new Set(hidden)));
const called = (path: string, of: readonly Choosable[] = all): Choosable | undefined => of.map((one) => (one.path === path ? one : called(path, one.inside ?? []))).find(Boolean);

test('scopes of all groups are one tree, a word is one entry, and what was added by hand is not among them', () => {
  expect(tree(all)).toEqual(['+ u/', '  + u/fifo/', '    + u/fifo/count', '    + u/fifo/push', '  + u/busy', '+ late9', '+ late10']);
  const [u] = entriesOf(all, new Set(['u/busy']));
  expect([u!.said, u!.tip]).toEqual(['u, 3 of 4 shown', 'Show u, 3 of 4 shown']);
});

test('a box is that of all below it', () => {
  expect(tree(all, ['u/fifo/push', 'late9'])).toEqual(['~ u/', '  ~ u/fifo/', '    + u/fifo/count', '    - u/fifo/push', '  + u/busy', '- late9', '+ late10']);
  const inFifo = ['u/fifo/count[1]', 'u/fifo/count[0]', 'u/fifo/push'];
  expect([...turned(called('u/fifo/')!, new Set(['late9']))]).toEqual(['late9', ...inFifo]);
  // What is hidden in part is shown first.
  expect([...turned(called('u/fifo/')!, new Set(['late9', 'u/fifo/push']))]).toEqual(['late9']);
  expect([...turned(called('u/fifo/count')!, new Set())]).toEqual(inFifo.slice(0, 2));
});

test('a search leaves what holds all fragments, with its scopes; where nothing does, the letters in order', () => {
  expect(tree(found(all, ' push FIFO '))).toEqual(['+ u/', '  + u/fifo/', '    + u/fifo/push']);
  expect(tree(found(all, 'count[0]'))).toEqual(['+ u/', '  + u/fifo/', '    + u/fifo/count']);
  expect([...signalsOf(found(all, 'fifo'))]).toHaveLength(3);
  expect(tree(found(all, 'lt10'))).toEqual(['+ late10']);
  expect(found(all, 'zzz')).toEqual([]);
  expect(found(all, ' ')).toBe(all);
  // All that is found is hidden with the scope around it, and nothing else of that.
  expect([...turned(found(all, 'busy')[0]!, new Set())]).toEqual(['u/busy']);
});

test('what is hidden has no row, but for the property and what was added by hand', () => {
  const state = new State();
  state.load({ name: 'full', file: 'a.aag', steps: 2, stale: false, signals, words: [count], more: 0 }, 0);
  const rows = () => state.rows.flatMap((row) => (row.kind === 'signal' ? [signals[row.signal]!.name] : row.kind === 'bus' ? [row.bus.name] : row.kind === 'group' ? [`${row.group} ${row.shown}/${row.of}`] : []));
  state.hide(signals.map(({ name }) => name).filter((name) => name !== 'u/busy'));
  expect(rows()).toEqual(['full', 'expressions 1/1', 'push & full', 'latches 1/5', 'u/busy', 'inputs 0/1', 'gates 1/1', 'wire']);
  state.hide([]);
  expect(rows()).toContain('u/fifo/count');
});
