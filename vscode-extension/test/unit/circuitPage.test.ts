// What the page of the Circuit view shows of an answer: sections, trees, waves, names for screen readers.
import { expect, test } from 'vitest';
import type { Section, Shown } from '../../src/circuit/messages';
import { bar, content, type View } from '../../src/circuit/webview/render';
import type { Child, Element } from '../../src/circuit/webview/nodes';
import { plain, sentence } from '../../src/circuit/webview/sentences';
import { moveOf, rowsOf } from '../../src/circuit/webview/tree';
import { spoken, stretches, wavesOf } from '../../src/circuit/webview/wave';
import * as protocol from '../../src/protocol';
import type { Cause, Place, PlaceNow, PlaceProperty } from '../../src/protocol';

/** All text of an element. */
function textOf(child: Child): string {
  return typeof child === 'string' ? child : child.children.map(textOf).join('');
}

/** The elements of a tree that a test accepts, in their order. */
function* find(child: Child, accepts: (element: Element) => boolean): Generator<Element> {
  if (typeof child === 'string') return;
  if (accepts(child)) yield child;
  for (const one of child.children) yield* find(one, accepts);
}

const uri = 'file:///a.aag';
const range = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 2 } });
const location = (line: number) => ({ uri, range: range(line) });

function cause(name: string, step: number, more: Partial<Cause> = {}): Cause {
  return { name, value: '1', step, at: `step ${step}`, signal: 2 * step, reason: '', location: location(step), causes: [], ...more };
}

const now: PlaceNow = {
  kind: 'counterexample', property: 'bad:0', name: 'full', of: 'counterexample of full', step: 3, steps: 5, words: 'step 3 of 4', value: '1', first: 1, values: '0011',
  word: { name: 'count', text: '3', value: '3 = 0b11', values: ['0', '1', '2', '3'], written: 'count' },
  next: null, previous: 2, actions: [{ title: 'Values: next step', command: protocol.step, argument: {} }, { title: 'Set this', command: 'aiglens.showTrace', argument: {} }],
  why: cause('count[1]', 3, { causes: [cause('push', 2, { reason: 'input' }), cause('high', 2, { cut: true })] }),
};

const place: Place = {
  uri, version: 1, settled: true, kind: 'latch', range: range(7), title: '**latch** 0 `count[1]` · literal 6', says: [], diagnostics: [],
  signal: {
    title: '**latch** 0 `count[1]` · literal 6', name: 'count[1]', signal: 3, definition: location(7), formula: '¬a ∧ b', depth: 2, deeper: true, reset: 'reset `0`', says: ['fan-out 2'],
    word: { name: 'count', index: 1, bits: 2 }, readers: [{ name: 'full', use: 'operand', location: location(9) }], moreReaders: 3,
  },
  property: null, now, around: null,
  always: {
    facts: [{ kind: 'clause', text: 'count is at most 2', latches: [{ name: 'count[1]', location: location(7) }, { name: 'count[0]', location: null }], property: 'bad:1', name: 'other' }],
    moreFacts: 0, properties: [], moreProperties: 0,
  },
};

const shown: Shown = { answer: place, file: 'a.aag', more: [], cone: 1, isGrown: false, radix: 'signed' };
const view = (more: Partial<View> = {}): View => ({ folded: new Set<Section>(), isPinned: false, canGoBack: false, opened: new Map(), current: new Map(), ...more });

const all = (elements: readonly Element[], accepts: (element: Element) => boolean) => elements.flatMap((element) => [...find(element, accepts)]);
const items = (elements: readonly Element[], tree: string) => all(elements, ({ attributes }) => attributes['id'] === tree).flatMap((one) => all([one], ({ attributes }) => attributes['role'] === 'treeitem'));
const section = (elements: readonly Element[], id: string) => elements.find(({ key }) => key === id);

test('only sections that have something are there, and a folded one draws nothing', () => {
  expect(content(shown, view()).map(({ key }) => key)).toEqual(['what', 'now', 'always', 'around']);
  const comment: Shown = { ...shown, answer: { ...place, kind: 'comment', signal: null, now: null, always: null } };
  expect(content(comment, view()).map(({ key }) => key)).toEqual(['what']);
  const folded = section(content(shown, view({ folded: new Set<Section>(['now']) })), 'now')!;
  expect(textOf(folded)).toBe('Nowstep 3 of 4');
  expect(all([folded], ({ attributes }) => attributes['aria-expanded'] === 'false')).toHaveLength(1);
});

test('the bar has the name of a signal, the words of what has none, and of a clause that it is one', () => {
  const nameIn = (of: Partial<Place>) => bar({ ...shown, answer: { ...place, ...of } }, view()).flatMap((part) => [...find(part, ({ attributes }) => attributes['class'] === 'name')].map(textOf));
  expect(nameIn({})).toEqual(['count[1]']);
  expect(nameIn({ signal: null, kind: 'header', title: 'the number of **latches**' })).toEqual(['the number of latches']);
  expect(nameIn({ signal: null, kind: 'clause', title: '**clause** `P(x) ⇒ P(x + 1)`' })).toEqual(['clause']);
});

test('a signal says its word, how it is computed, and who reads it', () => {
  const text = textOf(section(content(shown, view()), 'what')!);
  for (const words of ['latch 0 count[1]', 'bit 1 of count (2 bits)', '¬a ∧ b', 'One level more', 'Read by', 'full', 'operand', 'and 3 other uses']) expect(text).toContain(words);
});

test('a sentence with a list below it is a paragraph and a list', () => {
  const says = ['derived by 2 clauses\n- line 4: `P(0)`\n- line 5: `P(x) ⇒ P(x + 1)`'];
  const shownOf = (of: Partial<Place>) => section(content({ ...shown, answer: { ...place, signal: null, now: null, always: null, ...of } }, view()), 'what')!;
  for (const drawn of [shownOf({ says }), shownOf({ signal: { ...place.signal!, says, readers: [], moreReaders: 0 } })]) {
    expect(all([drawn], ({ tag }) => tag === 'li').map(textOf)).toEqual(['line 4: P(0)', 'line 5: P(x) ⇒ P(x + 1)']);
  }
});

test('fixes and actions are buttons that name where they stand in the answer', () => {
  const fix = { title: 'Count the rows', command: 'c', argument: 1 };
  const answer: Place = { ...place, diagnostics: [{ severity: 1, code: 'count', message: 'wrong', range: range(1), fixes: [fix] }] };
  const buttons = all(content({ ...shown, answer }, view()), ({ attributes }) => attributes['data-run'] !== undefined);
  expect(buttons.map(({ tag, attributes }) => [tag, attributes['data-run']])).toEqual([['button', 'answer.diagnostics.0.fixes.0'], ['button', 'answer.now.actions.1']]);
});

test('why is a tree: what was left out is asked for, and shown once it is there', () => {
  const before = items(content(shown, view()), 'why-now');
  expect(before.map(({ attributes }) => [attributes['aria-label'], attributes['aria-level'], attributes['aria-expanded'], attributes['data-ask']])).toEqual([
    ['count[1] is 1 at step 3', 1, 'true', undefined],
    ['push is 1 at step 2, input', 2, undefined, undefined],
    ['high is 1 at step 2', 2, 'false', 'answer.now.why.causes.1'],
  ]);
  // That of another tree is of another run.
  const more = (['answer.property.why', 'answer.now.why'] as const).map((tree) => ({ tree, signal: 4, step: 2, causes: [cause('low', 1)] }));
  const high = before[2]!.attributes['data-key'] ?? before[2]!.key;
  const after = items(content({ ...shown, more }, view({ opened: new Map([[`why-now ${String(high)}`, true]]) })), 'why-now');
  expect(after.map(({ attributes }) => attributes['data-path'])).toEqual(['answer.now.why', 'answer.now.why.causes.0', 'answer.now.why.causes.1', 'more.1.causes.0']);
});

test('one entry of a tree is reached by Tab: the one that had the focus, else the first', () => {
  const tabbed = (current: Map<string, string>) => items(content(shown, view({ current })), 'why-now').map(({ attributes }) => attributes['tabindex']);
  expect(tabbed(new Map())).toEqual([0, -1, -1]);
  const [, push] = items(content(shown, view()), 'why-now');
  expect(tabbed(new Map([['why-now', push!.key!]]))).toEqual([-1, 0, -1]);
  expect(tabbed(new Map([['why-now', 'gone']]))).toEqual([0, -1, -1]);
});

test('the line of a word has the value of the word alone', () => {
  const answer: Place = { ...place, kind: 'word', title: '**word** `count`: 2 bits', signal: null, now: { ...now, value: '', values: '', why: null, actions: [] } };
  const part = section(content({ ...shown, answer }, view()), 'now')!;
  expect([...find(part, ({ tag }) => tag === 'p')].map(textOf)).toEqual(['count = 3 = 0b11 at step 3 of the counterexample of full']);
  expect([...find(part, ({ attributes }) => attributes['class'] === 'wave')].map(({ key }) => key)).toEqual(['count']);
});

test('a refuted property says why once, though its signal has the same causes now', () => {
  const property = {
    property: 'bad:0', name: 'full', range: range(3), verdict: 'refuted', standing: 'failed', freshness: 'fresh', text: 'refuted at step 3', message: 'refuted: fails at step 3',
    words: 'refuted at step 3', says: [], facts: [], moreFacts: 0, why: now.why, actions: ['Show the trace of full', 'Find what makes full hard', 'Check again, 5 minutes: full', 'Show the proof of fuller'].map((title) => ({ title, command: 'c', argument: {} })),
  } as PlaceProperty;
  const parts = content({ ...shown, answer: { ...place, property } }, view());
  expect(parts[0]!.key).toBe('property');
  expect(items(parts, 'why-property')).toHaveLength(3);
  expect(items(parts, 'why-now')).toHaveLength(0);
  // Not those of another run, though they are of the same signal and step.
  expect(items(content({ ...shown, answer: { ...place, property, now: { ...now, property: 'bad:1' } } }, view()), 'why-now')).toHaveLength(3);
  // Its name is not repeated.
  const titles = all(parts.slice(0, 1), ({ attributes }) => attributes['data-run'] !== undefined).map(textOf);
  expect(titles).toEqual(['Show the trace', 'Find what makes full hard', 'Check again, 5 minutes', 'Show the proof of fuller']);
});

test('a run that is played has values and causes as a counterexample has', () => {
  const parts = content({ ...shown, answer: { ...place, now: { ...now, kind: 'played', property: '', name: '', of: 'run that is played' } } }, view());
  expect(textOf(section(parts, 'now')!)).toContain('at step 3 of the run that is played');
  expect(items(parts, 'why-now')).toHaveLength(3);
});

test('of a row with several properties, each can be chosen', () => {
  const status = (property: string, name: string, text: string) => ({ property, name, range: range(3), verdict: 'proved', standing: 'held', freshness: 'fresh', text, message: '' });
  const property = { ...status('bad:1', 'two.low', 'proved'), says: [], facts: [], moreFacts: 0, why: null, actions: [], sharing: [status('bad:0', 'one.low', 'proved'), status('bad:1', 'two.low', 'proved')] } as unknown as PlaceProperty;
  const options = all([section(content({ ...shown, answer: { ...place, property } }, view()), 'property')!], ({ tag }) => tag === 'option');
  expect(options.map((one) => [one.attributes['value'], one.attributes['selected'], textOf(one)])).toEqual([['bad:0', false, 'one.low · proved'], ['bad:1', true, 'two.low · proved']]);
});

test('properties that are too many to be searched are counted', () => {
  const says = (unsearched?: number) => textOf(section(content({ ...shown, answer: { ...place, always: { ...place.always!, ...(unsearched === undefined ? {} : { unsearched }) } } }, view()), 'always')!);
  expect(says()).not.toContain('Properties that depend on it');
  expect(says(3)).toContain('Properties that depend on itof 3 more it is not known: there are too many');
});

test('a fact leads to its latches', () => {
  const facts = items(content(shown, view({ opened: new Map([['facts bad:1/count is at most 2', true]]) })), 'facts');
  expect(facts.map(({ attributes }) => attributes['data-path'])).toEqual([undefined, 'answer.always.facts.0.latches.0', undefined]);
  expect(facts[0]!.attributes['aria-label']).toBe('count is at most 2, by the proof of other');
});

test('every control has a name for screen readers and a tooltip', () => {
  const parts = [...(bar(shown, view({ canGoBack: true })) as Element[]), ...content(shown, view())];
  const controls = all(parts, ({ tag, attributes }) => tag === 'button' || tag === 'select' || attributes['role'] === 'treeitem');
  expect(controls.length).toBeGreaterThan(12);
  for (const control of controls) {
    expect(control.attributes['title'], JSON.stringify(control)).toBeTruthy();
    expect(control.attributes['aria-label'] ?? textOf(control), JSON.stringify(control)).toMatch(/[a-z]{2}/);
  }
});

test.each([
  ['ArrowDown', 0, { focus: 1 }],
  ['ArrowUp', 0, undefined],
  ['End', 0, { focus: 3 }],
  ['Home', 3, { focus: 0 }],
  ['ArrowRight', 0, { focus: 1 }],
  ['ArrowRight', 2, { toggle: 2 }],
  ['ArrowRight', 1, undefined],
  ['ArrowLeft', 1, { focus: 0 }],
  ['ArrowLeft', 0, { toggle: 0 }],
  ['ArrowLeft', 3, undefined],
  ['Enter', 2, { go: 2 }],
  [' ', 2, { toggle: 2 }],
  [' ', 1, { go: 1 }],
  ['a', 1, undefined],
])('the key %s at entry %d of a tree', (key, at, move) => {
  const leaf = (level: number) => ({ level, isOpen: undefined });
  expect(moveOf([{ level: 1, isOpen: true }, leaf(2), { level: 2, isOpen: false }, leaf(1)], at, key)).toEqual(move);
});

test('rows know their place among those beside them', () => {
  const leaf = (key: string) => ({ key, label: [key], said: key, children: [] });
  const rows = rowsOf([{ ...leaf('a'), children: [leaf('b'), leaf('c')] }, { ...leaf('d'), children: undefined }], () => true);
  expect(rows.map(({ entry, level, position, size }) => [entry.key, level, position, size])).toEqual([['a', 1, 1, 2], ['b', 2, 1, 2], ['c', 2, 2, 2], ['d', 1, 2, 2]]);
});

test('waves mark the step that is shown, and say their values', () => {
  const wave = { name: 'a', values: [...'00x1'], isWord: false };
  const drawn = wavesOf({ first: 1, step: 3, rows: [wave, { name: 'q', values: ['0', '1', '2', '3'], isWord: true }] });
  expect([...find(drawn, ({ attributes }) => attributes['class'] === 'column present')].map((one) => [one.attributes['data-step'], textOf(one)])).toEqual([[3, '3step 3: a is x, q is 2']]);
  expect([...find(drawn, ({ attributes }) => attributes['class'] === 'unknown')]).toHaveLength(1);
  expect(spoken(wave, 1)).toBe('a is 0 from step 1 on, x from step 3 on, 1 from step 4 on');
  expect(stretches(['a', 'a', 'b'])).toEqual([{ from: 0, to: 2, value: 'a' }, { from: 2, to: 3, value: 'b' }]);
});

test('a value of a word that has no room is shortened, and never left out', () => {
  const long = 'waiting_for_the_other_side';
  const drawn = wavesOf({ first: 0, step: 0, rows: [{ name: 'state', values: ['0', long], isWord: true }] });
  const texts = [...find(drawn, ({ attributes }) => attributes['class'] === 'value')].map(textOf);
  expect(texts[0]).toBe('0');
  expect(texts[1]).toMatch(/^waiting.*…$/);
});

test('sentences have marks for code and strong words, and nothing else', () => {
  expect(sentence('**latch** 0 `a*b` · `` c`d `` <b>')).toEqual([
    expect.objectContaining({ tag: 'strong', children: ['latch'] }), ' 0 ', expect.objectContaining({ tag: 'code', children: ['a*b'] }), ' · ',
    expect.objectContaining({ tag: 'code', children: ['c`d'] }), ' <b>',
  ]);
  expect(plain('**latch** 0 `a*b` 3 * 4')).toBe('latch 0 a*b 3 * 4');
});

test('another run is offered where the run can have another value, and none of a loop', () => {
  const asked = (more: Partial<PlaceNow>) => all(content({ ...shown, answer: { ...place, now: { ...now, ...more } } }, view()), ({ attributes }) => attributes['data-change'] !== undefined).map(({ attributes, children }) => `${attributes['data-change']}: ${children[0]}`);
  const word = { ...now.word!, settable: 'start' as const };
  expect(asked({})).toEqual(['untilValue: Random steps until count = …']);
  expect(asked({ settable: 'always', word: null })).toEqual(['flip: What if 0', 'until: Random steps until 1']);
  expect(asked({ settable: 'start', word: null })).toEqual(['until: Random steps until 1']);
  expect(asked({ settable: 'start', word, step: 0, value: '0' })).toEqual(['flip: What if 1', 'set: What if count = …', 'untilValue: Random steps until count = …']);
  expect(asked({ value: '', values: '', word: { ...word, settable: 'always' } })).toEqual(['set: What if count = …', 'untilValue: Random steps until count = …']); // at the line of a word
  expect(asked({ settable: 'always', word, loop: 2 })).toEqual([]);
  expect(asked({ outside: true })).toEqual([]);
  expect(asked({ kind: 'compared', property: '', of: 'difference in y', word })).toEqual([]); // nor of the run of a difference
});

test('what has to be asked for is open once it is there', () => {
  const opened = new Map([['why-now /count[1] 6@3/high 4@2', true]]);
  const open = (more: Shown['more']) => items(content({ ...shown, more }, view({ opened })), 'why-now').map(({ attributes }) => attributes['aria-expanded']);
  expect(open([])).toEqual(['true', undefined, 'false']);
  expect(open([{ tree: 'answer.now.why', signal: 4, step: 2, causes: [cause('low', 1)] }])).toEqual(['true', undefined, 'true', undefined]);
});

test('the radix of the word is chosen beside its value', () => {
  const [select, ...others] = all(content(shown, view()), ({ attributes }) => attributes['data-radix'] !== undefined);
  expect(others).toEqual([]);
  expect(select!.attributes['aria-label']).toBe('Radix of count');
  expect(all([select!], ({ attributes }) => attributes['selected'] === true).map(textOf)).toEqual(['signed decimal']);
  const without = { ...shown, answer: { ...place, now: { ...now, word: null } } };
  expect(all(content(without, view()), ({ attributes }) => attributes['data-radix'] !== undefined)).toEqual([]);
});
