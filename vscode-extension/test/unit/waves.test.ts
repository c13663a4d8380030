// What the page of the trace panel draws, and what it finds.
import { expect, test } from 'vitest';
import type { PageSignal } from '../../src/counterexample/messages';
import { busText } from '../../src/counterexample/radix';
import { busesOf } from '../../src/counterexample/webview/buses';
import { asksForValue, find as findIn, Markers, parseFilter, type Row, rowsOf as rowsWith, subjectFrom, type Target, valueText, visible } from '../../src/counterexample/webview/model';
import { labelOf, roundsOf } from '../../src/counterexample/webview/rounds';
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

const choice = { filter: '', hideUnchanged: false, hideIrrelevant: false, collapsed: new Set<PageSignal['group']>(), openBuses: new Set<string>() };
const constant = (index: number) => new Set(signals[index]!.values).size === 1;
const words = (row: Row, of: readonly PageSignal[]) => {
  if (row.kind === 'group') return `${row.group} ${row.shown}/${row.of}`;
  return row.kind === 'bus' ? row.bus.name : `${row.bit ? '· ' : ''}${of[row.signal]!.name}`;
};
const shown = (rows: Row[], of: readonly PageSignal[] = signals) => rows.map((row) => words(row, of));
const rowsOf = (of: readonly PageSignal[], how: Parameters<typeof rowsWith>[2], step: number, isConstant: (index: number) => boolean) => rowsWith(of, busesOf(of), how, step, isConstant);

test('rows are grouped, in the order of a reader', () => {
  expect(shown(rowsOf(signals, choice, 0, constant))).toEqual(['full', 'latches 2/2', 'low', 'Idle', 'inputs 1/1', 'push', 'gates 1/1', '12']);
  expect(shown(rowsOf(signals, { ...choice, collapsed: new Set(['latches']) }, 0, constant))).not.toContain('low');
  expect(shown(rowsOf(signals, { ...choice, hideUnchanged: true }, 0, constant))).not.toContain('Idle');
  expect(shown(rowsOf(signals, { ...choice, hideIrrelevant: true }, 0, constant))).toContain('latches 1/2');
});

test('in a played run inputs stand above latches, and those that can have another value at the cursor flip', () => {
  const state = new State();
  const settable = signals.map((one) => (one.group === 'inputs' ? { ...one, settable: 'always' as const } : one.name === 'low' ? { ...one, settable: 'start' as const } : one));
  const trace = { name: 'Run', file: 'a.aag', steps: 4, stale: false, signals: settable, more: 0, play: { words: '', outcome: 'open' as const } };
  state.load(trace, 0);
  expect(shown(state.rows)).toEqual(['full', 'inputs 1/1', 'push', 'latches 2/2', 'low', 'Idle', 'gates 1/1', '12']);
  const flips = (name: string) => {
    state.select(name);
    return state.canFlip;
  };
  expect(['full', 'push', 'low', 'Idle'].map(flips)).toEqual([false, true, true, false]);
  state.moveTo(1);
  expect(['push', 'low'].map(flips)).toEqual([true, false]);
  state.load({ ...trace, stale: true }, 0);
  expect(flips('push')).toBe(false);
  const { play: _, ...found } = trace;
  state.load(found, 0); // a counterexample: a click there only selects
  expect(flips('push')).toBe(false);
  expect(shown(state.rows).indexOf('low')).toBeLessThan(shown(state.rows).indexOf('push'));
});

test('the property is the first row, whatever is hidden, folded or looked for', () => {
  const one = [signal('inputs', 'push', '1'), signal('property', 'always', '1')];
  const how = { ...choice, hideUnchanged: true, filter: 'elsewhere', collapsed: new Set<PageSignal['group']>(['property', 'inputs']) };
  expect(shown(rowsOf(one, how, 0, () => true), one)).toEqual(['always', 'inputs 0/1']);
});

const vectors = [
  signal('property', 'full', '0001'),
  signal('latches', 'q[1]', '0011'),
  signal('latches', 'idle', '0000'),
  signal('latches', 'q[0]', '01x1'),
  signal('latches', 'u/c0', '0101'),
  signal('latches', 'u/c2', '0000'),
  signal('latches', 'u/c1', '0011'),
  signal('inputs', 'd<5>', '1111'),
  signal('inputs', 'd<4>', '0000'),
];

test('vectors are told by names with indices that follow each other', () => {
  expect(busesOf(vectors).map(({ name, bits }) => [name, bits.map((bit) => vectors[bit]!.name)])).toEqual([
    ['q[1:0]', ['q[1]', 'q[0]']],
    ['u/c[2:0]', ['u/c2', 'u/c1', 'u/c0']],
    ['d[5:4]', ['d<5>', 'd<4>']],
  ]);
  const none = (...names: string[]) => expect(busesOf(names.map((name) => signal('latches', name, '0'))), names.join()).toEqual([]);
  none('q[0]');
  none('q[0]', 'q[2]'); // a gap
  none('q[0]', 'q[1]', 'q[1]'); // one of them twice
  none('floor1', 'floor2', 'floor3'); // things, rather than bits
  none('q00', 'q01');
  none('4', '6', '0', '1');
  none('q[0>', 'q[1>');
  none('q[0]', 'q<1>', 'q2');
  expect(busesOf([signal('latches', 'q0', '0'), signal('inputs', 'q1', '0'), signal('constraints', 'constraint 0', '1'), signal('constraints', 'constraint 1', '1')])).toEqual([]);
});

test('a vector is one row that opens to its bits, found by its name and by theirs', () => {
  const never = () => false;
  const latches = ['full', 'latches 6/6', 'q[1:0]', 'idle', 'u/c[2:0]'];
  expect(shown(rowsOf(vectors, choice, 0, never), vectors)).toEqual([...latches, 'inputs 2/2', 'd[5:4]']);
  const open = { ...choice, openBuses: new Set(busesOf(vectors).slice(0, 1).map(({ key }) => key)) };
  expect(shown(rowsOf(vectors, open, 0, never), vectors)).toEqual(['full', 'latches 6/6', 'q[1:0]', '· q[1]', '· q[0]', 'idle', 'u/c[2:0]', 'inputs 2/2', 'd[5:4]']);
  expect(shown(rowsOf(vectors, { ...open, filter: 'q[0]' }, 0, never), vectors)).toEqual(['full', 'latches 1/6', 'q[1:0]', '· q[0]', 'inputs 0/2']);
  expect(shown(rowsOf(vectors, { ...choice, filter: 'c[2:0]' }, 0, never), vectors)).toEqual(['full', 'latches 3/6', 'u/c[2:0]', 'inputs 0/2']);
});

test.each([
  ['1010', '1010', '10', 'a'],
  ['11010', '11010', '26', '1a'],
  ['x', 'x', 'x', 'x'],
  ['x0001', 'x0001', 'x', 'x1'],
  ['1x01111', '1x01111', 'x', 'xf'],
  ['1'.repeat(80), '1'.repeat(80), '1208925819614629174706175', 'f'.repeat(20)],
])('the vector %s', (bits, binary, decimal, hex) => {
  expect([busText(bits, 'binary'), busText(bits, 'decimal'), busText(bits, 'hex')]).toEqual([binary, decimal, hex]);
});

test('the state says of a vector what it is, and remembers what is open and in which numbers', () => {
  const state = new State();
  state.load({ name: 'full', file: 'a.aag', steps: 4, stale: false, signals: vectors, more: 0 }, 1);
  state.selected = state.rowOf(3); // a bit, in the vector that is closed
  const bus = state.rows[state.selected]!;
  expect([state.selectedName, state.subject!.at(1), state.subject!.at(2), state.subject!.at(3)]).toEqual(['q[1:0]', '1', 'x', '3']);
  expect(valueText(state.subject, 2, { steps: 4 })).toBe('q[1:0] = x (was 1) at step 2 of 3');
  if (bus.kind !== 'bus') throw new Error('no vector');
  expect([...state.changesOf(bus.bus)]).toEqual([1, 2, 3]);
  state.radix = 'hex';
  state.toggleBus(bus.bus);
  expect([state.selectedName, shown(state.rows, vectors).slice(2, 5)]).toEqual(['q[1:0]', ['q[1:0]', '· q[1]', '· q[0]']]);
  state.select('q[0]');
  state.toggleBus(bus.bus);
  expect(state.selectedName).toBe('q[1:0]');
  state.toggleBus(bus.bus);
  const again = new State();
  again.restore(JSON.parse(JSON.stringify(state.save())));
  again.load(state.trace, 0);
  expect([again.radix, shown(again.rows, vectors)]).toEqual(['hex', shown(state.rows, vectors)]);
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
  expect(shown(rowsOf(signals, { ...choice, filter: '/(/' }, 0, constant))).toHaveLength(8);
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
  const find = (of: string, target: Target, from: number, direction: 1 | -1) => findIn(subjectFrom(signal('latches', 'q', of)), of.length, target, from, direction);
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
  expect(valueText(subjectFrom(signals[2]!), 1, { steps: 4 })).toBe('low = 1 (was 0) at step 1 of 3');
  expect(valueText(subjectFrom({ ...signals[3]!, inText: false }), 3, { steps: 4 })).toBe('Idle = 0 at step 3 of 3, the property fails, no longer in the text');
  expect(valueText(undefined, 0, { steps: 4 })).toBe('step 0 of 3');
});

test('steps of later rounds of a loop have the numbers of the first', () => {
  const trace = { steps: 7, loop: 2, rounds: 3 };
  expect(roundsOf(trace)).toEqual({ first: 1, length: 2, count: 3 });
  expect([0, 1, 2, 3, 4, 5, 6].map((step) => labelOf(roundsOf(trace), step)).join('')).toBe('0121212');
  expect(valueText(undefined, 0, trace)).toBe('step 0, before the loop of 1 to 2');
  expect(valueText(undefined, 2, trace)).toBe('step 2, loop of 1 to 2');
  expect(valueText(subjectFrom({ ...signals[2]!, values: '0101010' }), 3, trace)).toBe('low = 1 (was 0) at step 1 of round 2, loop of 1 to 2');
  expect(valueText(undefined, 5, { steps: 6, loop: 1, rounds: 3 })).toBe('step 3 of round 3, loop of step 3');
});

test('the cursor stays where it is when a round is added', () => {
  const state = new State();
  const trace = { name: 'full', file: 'a.aag', stale: false, signals, more: 0 };
  state.load({ ...trace, steps: 3, loop: 2, rounds: 1 }, null);
  expect(state.step).toBe(2);
  state.moveTo(1);
  state.load({ ...trace, steps: 5, loop: 2, rounds: 2 }, null);
  expect(state.step).toBe(1);
  state.load({ ...trace, steps: 4, loop: 2, rounds: 1 }, null);
  expect(state.step).toBe(3);
});

test('the state fits, zooms, keeps what is selected, and comes back', () => {
  const state = new State();
  state.room = 1000;
  const trace = { name: 'full', file: 'a.aag', steps: 4, stale: false, signals, more: 0 };
  state.load(trace, null);
  expect([state.step, state.selectedName, state.stepWidth]).toEqual([3, 'full', 250]); // as wide as there is room
  state.room = 200;
  expect(state.stepWidth).toBe(50);
  state.zoom(1.5);
  expect([state.stepWidth, state.isFitted]).toEqual([75, false]);
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
  expect(rows()).toBe(1); // the property
  state.moveTo(1);
  expect(rows()).toBe(2);
});

test('a run that reaches a cover is not said to fail', async () => {
  const { placeText } = await import('../../src/counterexample/webview/rounds');
  expect(placeText({ steps: 3 }, 2)).toBe('step 2 of 2, the property fails');
  expect(placeText({ steps: 3, reached: true }, 2)).toBe('step 2 of 2, reached');
  expect(placeText({ steps: 3, reached: true }, 1)).toBe('step 1 of 2');
});
