// What the page of the trace panel draws, and what it finds.
import { expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageSignal, PageWord } from '../../src/counterexample/messages';
import { chosenText, nextRadix, radices, wordRadices, wordText, type Written } from '../../src/counterexample/radix';
import type { Radix } from '../../src/radices';
import { bitsAt, busesOf } from '../../src/counterexample/webview/buses';
import { asksForValue, find as findIn, Markers, parseFilter, type Row, rowsOf as rowsWith, shownName, subjectFrom, type Target, valueText, visible } from '../../src/counterexample/webview/model';
import { labelOf, roundsOf } from '../../src/counterexample/webview/rounds';
import { State } from '../../src/counterexample/webview/state';
import { changesOf, labelInterval, shortened, stretches } from '../../src/counterexample/webview/waves';

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
  if (row.kind === 'scope') return `${'  '.repeat(row.depth)}${row.open ? '▾' : '▸'} ${row.name}`;
  return row.kind === 'bus' ? row.bus.name : `${row.bit ? '· ' : ''}${of[row.signal]!.name}`;
};
const shown = (rows: Row[], of: readonly PageSignal[] = signals) => rows.map((row) => words(row, of));
const rowsOf = (of: readonly PageSignal[], how: Parameters<typeof rowsWith>[2], step: number, isConstant: (index: number) => boolean, of1: readonly PageWord[] = []) =>
  rowsWith(of, busesOf(of1), how, step, isConstant, (bus, at) => wordText(bus.word, bitsAt(bus, of, at), 'default'));

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

const word = (group: PageWord['group'], name: string, bits: readonly number[], more: Partial<PageWord> = {}): PageWord => ({ group, name, local: name, high: bits.length - 1, low: 0, bits: bits.map((one) => ({ signal: one })), ...more });
const q = word('latches', 'q', [1, 3], { values: [{ name: 'idle', bits: '00' }, { name: 'done', bits: '11' }] });
const inVectors = [q, word('latches', 'c', [5, 6, 4], { scope: ['u'] }), word('inputs', 'd', [7, 8])];

test('a word is one row that opens to its bits, found by its name and by theirs', () => {
  const never = () => false;
  const latches = ['full', 'latches 6/6', 'q', 'idle', '▾ u', 'c'];
  expect(shown(rowsOf(vectors, choice, 0, never, inVectors), vectors)).toEqual([...latches, 'inputs 2/2', 'd']);
  const open = { ...choice, openBuses: new Set(busesOf(inVectors).slice(0, 1).map(({ key }) => key)) };
  expect(shown(rowsOf(vectors, open, 0, never, inVectors), vectors)).toEqual(['full', 'latches 6/6', 'q', '· q[1]', '· q[0]', 'idle', '▾ u', 'c', 'inputs 2/2', 'd']);
  expect(shown(rowsOf(vectors, { ...open, filter: 'q[0]' }, 0, never, inVectors), vectors)).toEqual(['full', 'latches 1/6', 'q', '· q[0]', 'inputs 0/2']);
  expect(shown(rowsOf(vectors, { ...choice, filter: '/^c$/' }, 0, never, inVectors), vectors)).toEqual(['full', 'latches 3/6', '▾ u', 'c', 'inputs 0/2']);
  // By its value at the cursor, as a name or a number.
  expect(shown(rowsOf(vectors, { ...choice, filter: '=done' }, 3, never, inVectors), vectors)).toEqual(['full', 'latches 2/6', 'q', 'inputs 0/2']);
  expect(shown(rowsOf(vectors, { ...choice, filter: 'c=3' }, 3, never, inVectors), vectors)).toEqual(['full', 'latches 3/6', '▾ u', 'c', 'inputs 0/2']);
});

test('a word of inputs and latches stands once, and one with a gap, an offset or negated bits has its values', () => {
  const mixed = word('latches', 'm', [7, 1]);
  expect(shown(rowsOf(vectors, { ...choice, openBuses: new Set(['latches m']) }, 0, () => false, [mixed]), vectors).slice(0, 6)).toEqual(['full', 'latches 7/7', 'm', '· d<5>', '· q[1]', 'idle']);
  const [bus] = busesOf([word('latches', 'g', [], { high: 7, low: 4, bits: [{ signal: 1, negated: true }, { signal: -1, missing: true }, { signal: -1 }, { signal: 3, negated: true }] })]);
  expect([0, 1, 2].map((step) => bitsAt(bus!, vectors, step))).toEqual(['1-x1', '1-x0', '0-xx']);
  expect(bus!.bits).toEqual([1, 3]);
});

test('instances are scopes that open, one in the other, each where its first row stands', () => {
  const deep = [
    signal('latches', 'a', '0'),
    signal('latches', 'u/v/x', '0', { scope: ['u', 'v'], local: 'x' }),
    signal('latches', 'b', '0'),
    signal('latches', 'u/y', '0', { scope: ['u'], local: 'y' }),
    signal('inputs', 'u/z', '0', { scope: ['u'], local: 'z' }),
  ];
  const rows = rowsOf(deep, choice, 0, () => false);
  expect(shown(rows, deep)).toEqual(['latches 4/4', 'a', '▾ u', '  ▾ v', 'u/v/x', 'u/y', 'b', 'inputs 1/1', '▾ u', 'u/z']);
  expect(rows.map((row) => (row.kind === 'signal' ? shownName(row, deep, deep[row.signal]!.name) : undefined)).filter((name) => name !== undefined)).toEqual(['a', 'x', 'y', 'b', 'z']);
  const state = new State();
  state.load({ name: 'full', file: 'a.blif', steps: 1, stale: false, signals: deep, more: 0 }, 0);
  state.toggleScope('latches/u');
  expect(shown(state.rows, deep)).toEqual(['latches 4/4', 'a', '▸ u', 'b', 'inputs 1/1', '▾ u', 'u/z']);
  const again = new State();
  again.restore(JSON.parse(JSON.stringify(state.save())));
  again.load(state.trace, 0);
  expect(shown(again.rows, deep)).toEqual(shown(state.rows, deep));
  expect(state.subjectOf(state.rows[2])).toBeUndefined();
});

interface TextCase extends Omit<Written, 'radix'> {
  bits: string;
  missing: number[];
  radix: '' | NonNullable<Written['radix']>;
  texts: Record<string, string>;
  /** In a radix that the user has chosen for the word. */
  chosen: Record<string, string>;
}

test('values of words are written as the server writes them', () => {
  const cases = JSON.parse(readFileSync(join(__dirname, '../../../design/words/testdata/texts.json'), 'utf8')) as TextCase[];
  expect(cases.length).toBeGreaterThan(20);
  for (const { bits, missing, signed, radix, values, texts, chosen } of cases) {
    const how: Written = { ...(signed === true ? { signed } : {}), ...(radix === '' ? {} : { radix }), ...(values == null ? {} : { values }) };
    const shownBits = [...bits].map((bit, index) => (missing.includes(index) ? '-' : bit)).join('');
    for (const one of radices) expect(wordText(how, shownBits, one), `${JSON.stringify(how)} ${shownBits} ${one}`).toBe(texts[one === 'default' ? '' : one]);
    for (const [one] of wordRadices) if (one !== 'default') expect(chosenText(how, shownBits, one), `${JSON.stringify(how)} ${shownBits} ${one} by choice`).toBe(chosen[one]);
  }
  const all: Radix[] = ['default'];
  while (all.length < 5) all.push(nextRadix(all.at(-1)!));
  expect(all).toEqual(['default', 'decimal', 'hex', 'binary', 'default']);
});

test('the state says of a word what it is, and remembers what is open and in which numbers', () => {
  const state = new State();
  state.load({ name: 'full', file: 'a.aag', steps: 4, stale: false, signals: vectors, words: inVectors, more: 0 }, 1);
  state.selected = state.rowOf(3); // a bit, in the word that is closed
  const bus = state.rows[state.selected]!;
  expect([state.selectedName, ...[0, 1, 2, 3].map((step) => state.subject!.at(step))]).toEqual(['q', 'idle', '1', '0b1x', 'done']);
  expect(valueText(state.subject, 2, { steps: 4 })).toBe('q = 0b1x (was 1) at step 2 of 3');
  expect(findIn(state.subject!, 4, 'x', 0, 1)).toBe(2);
  if (bus.kind !== 'bus') throw new Error('no word');
  expect([...state.changesOf(bus.bus)]).toEqual([1, 2, 3]);
  state.radix = 'hex';
  expect(state.subject!.at(3)).toBe('0x3');
  state.choose([{ word: 'q', radix: 'signed' }]);
  expect([1, 2, 3].map((step) => state.busAt(bus.bus, step))).toEqual(['1', '0b1x', '-1']);
  expect([state.chosenOf(bus.bus), state.typedAt(bus.bus, 3)]).toEqual(['signed', 'done']);
  state.choose([]);
  expect([state.chosenOf(bus.bus), state.busAt(bus.bus, 3)]).toEqual(['default', '0x3']);
  state.toggleBus(bus.bus);
  expect([state.selectedName, shown(state.rows, vectors).slice(2, 5)]).toEqual(['q', ['q', '· q[1]', '· q[0]']]);
  state.select('q[0]');
  state.toggleBus(bus.bus);
  expect(state.selectedName).toBe('q');
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
  expect(signals.filter((one) => passes(subjectFrom(one), step)).map(({ name }) => name)).toEqual(names);
});

test('a filter that cannot be read is none, and hides nothing', () => {
  expect(parseFilter('/(/')).toBeUndefined();
  expect(shown(rowsOf(signals, { ...choice, filter: '/(/' }, 0, constant))).toHaveLength(8);
  expect([asksForValue('low=1'), asksForValue('low'), asksForValue('=2'), asksForValue('state=wait'), asksForValue('/a=b/')]).toEqual([true, false, true, true, false]);
  const passes = parseFilter('a=b')!; // a sign that is part of a name
  expect([passes({ name: 'x A=b', at: () => '0' }, 0), passes({ name: 'xa', at: () => '0' }, 0), passes({ name: 'xa', at: () => 'b' }, 0)]).toEqual([true, false, true]);
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

test('what has little room is shortened and never empty', () => {
  const width = (text: string) => 6 * text.length;
  expect(shortened('work', 24, width)).toBe('work');
  expect(shortened('work', 23, width)).toBe('wo…');
  expect(shortened('0b1010x', 18, width)).toBe('0b…');
  expect(shortened('12', 11, width)).toBe('…'); // a 1 would be another value
  expect(shortened('12', 5, width)).toBe('·');
  expect(shortened('9', -4, width)).toBe('·');
});
