// What the page of the trace panel draws, and what it finds.
import { expect, test } from 'vitest';
import type { PageSignal } from '../../src/counterexample/messages';
import { asksForValue, find, Markers, parseFilter, type Row, rowsOf, valueText, visible } from '../../src/counterexample/webview/model';
import { State } from '../../src/counterexample/webview/state';
import { changesOf, labelInterval, stretches } from '../../src/counterexample/webview/waves';

const signal = (group: PageSignal['group'], name: string, values: string, more: Partial<PageSignal> = {}): PageSignal => ({ group, name, values, relevant: true, inText: true, ...more });

const signals = [
  signal('property', 'full', '0001'),
  signal('gates', '12', '0110'),
  signal('latches', 'low', '0101'),
  signal('latches', 'Idle', '0000', { relevant: false }),
  signal('inputs', 'push', '111x'),
];

const choice = { filter: '', hideUnchanged: false, hideIrrelevant: false, collapsed: new Set<PageSignal['group']>() };
const constant = (index: number) => new Set(signals[index]!.values).size === 1;
const shown = (rows: Row[]) => rows.map((row) => (row.kind === 'signal' ? signals[row.signal]!.name : `${row.group} ${row.shown}/${row.of}`));

test('rows are grouped, in the order of a reader', () => {
  expect(shown(rowsOf(signals, choice, 0, constant))).toEqual(['property 1/1', 'full', 'latches 2/2', 'low', 'Idle', 'inputs 1/1', 'push', 'gates 1/1', '12']);
  expect(shown(rowsOf(signals, { ...choice, collapsed: new Set(['latches']) }, 0, constant))).not.toContain('low');
  expect(shown(rowsOf(signals, { ...choice, hideUnchanged: true }, 0, constant))).not.toContain('Idle');
  expect(shown(rowsOf(signals, { ...choice, hideIrrelevant: true }, 0, constant))).toContain('latches 1/2');
});

test('a property that never changes stays in view', () => {
  const one = [signal('property', 'always', '1')];
  expect(rowsOf(one, { ...choice, hideUnchanged: true }, 0, () => true)).toHaveLength(2);
});

test.each([
  ['lo', 0, ['low']],
  ['IDLE', 0, ['Idle']],
  ['/^(low|push)$/', 0, ['low', 'push']],
  ['=1', 2, ['12', 'push']],
  ['/^[a-z]+$/=1', 1, ['low', 'push']],
  ['push = X', 3, ['push']],
  ['push=X', 3, ['push']],
  ['', 0, ['full', '12', 'low', 'Idle', 'push']],
])('the filter %j at step %i', (filter, step, names) => {
  const passes = parseFilter(filter)!;
  expect(signals.filter((one) => passes(one, step)).map(({ name }) => name)).toEqual(names);
});

test('a filter that cannot be read is none, and hides nothing', () => {
  expect(parseFilter('/(/')).toBeUndefined();
  expect(shown(rowsOf(signals, { ...choice, filter: '/(/' }, 0, constant))).toHaveLength(9);
  expect([asksForValue('low=1'), asksForValue('low'), asksForValue('=2')]).toEqual([true, false, false]);
});

test('only what is in view is drawn', () => {
  expect(visible(0, 100, 20, 1000)).toEqual({ first: 0, last: 5 });
  expect(visible(30, 100, 20, 1000)).toEqual({ first: 1, last: 7 });
  expect(visible(0, 100, 20, 3)).toEqual({ first: 0, last: 3 });
  expect(visible(500, 100, 20, 3)).toEqual({ first: 3, last: 3 });
  expect(visible(1000, 600, 0.06, 10_000)).toEqual({ first: 10_000, last: 10_000 });
});

test('a search finds where a value begins', () => {
  const values = '0011x011';
  expect(find(values, '1', 0, 1)).toBe(2);
  expect(find(values, '1', 2, 1)).toBe(6);
  expect(find(values, '1', 6, 1)).toBeUndefined();
  expect(find(values, 'x', 7, -1)).toBe(4);
  expect(find(values, '0', 5, -1)).toBe(0);
  expect(find(values, 'change', 0, 1)).toBe(2);
  expect(find(values, 'change', 2, -1)).toBeUndefined();
});

test('marks are kept in order, go with a shorter trace, and lead on', () => {
  const marks = new Markers();
  [5, 2, 9, 2, 7].forEach((step) => marks.toggle(step));
  expect(marks.all).toEqual([5, 7, 9]);
  expect([marks.next(5, 1), marks.next(5, -1), marks.next(9, 1), marks.next(8, -1)]).toEqual([7, undefined, undefined, 7]);
  marks.limit(8);
  expect(marks.all).toEqual([5, 7]);
});

test('stretches are what the values are', () => {
  const values = '0011x0111';
  const changes = changesOf(values);
  expect([...changes]).toEqual([2, 4, 5, 6]);
  expect(stretches(changes, 0, 9, 0).map(({ from, to }) => values.slice(from, to))).toEqual(['00', '11', 'x', '0', '111']);
  expect(stretches(changes, 3, 7, 0)).toEqual([
    { from: 3, to: 4, dense: false },
    { from: 4, to: 5, dense: false },
    { from: 5, to: 6, dense: false },
    { from: 6, to: 7, dense: false },
  ]);
});

test('changes that stand too close come together, and no step is lost', () => {
  const values = `${'01'.repeat(500)}${'0'.repeat(1000)}${'0110'.repeat(250)}`;
  const changes = changesOf(values);
  const all = stretches(changes, 0, values.length, 10);
  expect(all.map(({ dense }) => dense)).toEqual([true, false, true, false]); // the last step is always to be seen
  expect(all.at(-1)).toEqual({ from: values.length - 1, to: values.length, dense: false });
  expect(all.map(({ from, to }) => to - from).reduce((a, b) => a + b)).toBe(values.length);
  for (const { from, to, dense } of all) if (!dense) expect(new Set(values.slice(from, to)).size).toBe(1);
});

test('the number of stretches is bounded by the room there is', () => {
  let seed = 1;
  const bit = () => ((seed = (seed * 48271) % 2147483647) & 64) === 0;
  const values = Array.from({ length: 20_000 }, () => (bit() ? '1' : '0')).join('');
  const changes = changesOf(values);
  for (const least of [1, 7, 50]) {
    const all = stretches(changes, 100, 19_900, least);
    expect(all[0]!.from).toBe(100);
    expect(all.at(-1)!.to).toBe(19_900);
    all.forEach((one, index) => index > 0 && expect(one.from).toBe(all[index - 1]!.to));
    expect(all.length).toBeLessThan(2 * (19_800 / least) + 2);
  }
});

test('labels of the ruler stand at round steps', () => {
  expect([labelInterval(40, 30), labelInterval(20, 30), labelInterval(4, 30), labelInterval(0.05, 30)]).toEqual([1, 2, 10, 1000]);
});

test('what is said of a signal names its value, its change and the failing step', () => {
  expect(valueText(signals[2], 1, 4)).toBe('low = 1 (was 0) at step 1 of 3');
  expect(valueText({ ...signals[3]!, inText: false }, 3, 4)).toBe('Idle = 0 at step 3 of 3, the property fails, no longer in the text');
  expect(valueText(undefined, 0, 4)).toBe('step 0 of 3');
});

test('the state fits, zooms, keeps what is selected, and comes back', () => {
  const state = new State();
  state.room = 1000;
  const trace = { name: 'full', file: 'a.aag', steps: 4, stale: false, signals, more: 0 };
  state.load(trace, null);
  expect([state.step, state.selectedName, state.stepWidth]).toEqual([3, 'full', 64]);
  state.zoom(1.5);
  expect([state.stepWidth, state.isFitted]).toEqual([96, false]);
  state.zoom(0.1);
  expect(state.isFitted).toBe(true);
  state.select('push');
  state.filter = 'pu';
  state.arrange();
  expect(state.selectedName).toBe('push');
  state.markers.toggle(2);
  state.toggleGroup('gates');
  const again = new State();
  again.restore(JSON.parse(JSON.stringify(state.save())));
  again.load(trace, 1);
  expect([again.step, again.filter, [...again.markers.all], [...again.collapsed]]).toEqual([1, 'pu', [2], ['gates']]);
  state.load({ ...trace, steps: 2, signals: signals.map((one) => ({ ...one, values: one.values.slice(0, 2) })) }, null);
  expect([state.step, [...state.markers.all]]).toEqual([1, []]);
});

test('a value filter follows the cursor', () => {
  const state = new State();
  state.load({ name: 'full', file: 'a.aag', steps: 4, stale: false, signals, more: 0 }, 0);
  state.filter = 'low=1';
  state.arrange();
  const rows = () => state.rows.filter(({ kind }) => kind === 'signal').length;
  expect(rows()).toBe(0);
  state.moveTo(1);
  expect(rows()).toBe(1);
});
