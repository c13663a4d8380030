// The verdict at the end of a row: when it is said, until when, and when not at all.
import { beforeEach, expect, test, vi } from 'vitest';
import { drawTime, restTime, RowVerdicts } from '../../src/rowVerdicts';
import type { LensQuestion } from '../../src/lenses';
import { StatusModel } from '../../src/status';
import { bad, delta, uri, whole } from './statuses';
import { configured, EventEmitter, events, Uri, window } from './vscode';

interface Drawing {
  range: { start: { line: number; character: number } };
  renderOptions: { after: { contentText: string } };
}

const refuted = { verdict: 'refuted', text: 'refuted at step 3' } as const;
const document = { uri: Uri.parse(uri), version: 1, languageId: 'aiger', lineCount: 20, lineAt: (line: number) => ({ range: { end: { line, character: 4 } } }) };
let model: StatusModel;
let questions: EventEmitter<LensQuestion>;
let verdicts: RowVerdicts;
let drawn: Drawing[];
let isHushed: boolean;
let hushings: EventEmitter<void>;
const askForLenses = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  configured.clear();
  configured.set('codeLens', true);
  document.version = 1;
  drawn = [];
  isHushed = false;
  hushings = new EventEmitter();
  askForLenses.mockReset();
  window.visibleTextEditors = [{ document, setDecorations: (_: unknown, all: Drawing[]) => (drawn = all) }];
  model = new StatusModel();
  questions = new EventEmitter();
  verdicts = new RowVerdicts(model, { onDidAskForLenses: questions.event as never, askForLenses }, { last: {} as never, isHushed: () => isHushed, onDidHush: hushings.event as never });
  return () => {
    verdicts.dispose();
    window.visibleTextEditors = [];
    vi.useRealTimers();
  };
});

const said = () => drawn.map(({ range: { start }, renderOptions }) => `${start.line}:${start.character} ${renderOptions.after.contentText.replaceAll('\u00a0', ' ')}`);

function edit(): void {
  document.version++;
  events.text.fire({ document, contentChanges: [{ text: '1' }] });
}

/** VS Code asks, and gets lenses with these titles at these lines. */
async function lenses(...titles: [line: number, title: string][]): Promise<void> {
  const answer = Promise.resolve(titles.map(([line, title]) => ({ range: { start: { line } }, command: { title } })));
  questions.fire({ document, answer } as never);
  await answer;
  await Promise.resolve();
}

test('a verdict is said as soon as it is known, and until its lens is drawn', async () => {
  model.apply(whole([bad(0)]));
  await lenses([10, 'check']);
  model.apply(delta([bad(0, { freshness: 'running', text: 'checking · depth 2' })]));
  expect(said()).toEqual([]);
  model.apply(delta([bad(0, refuted)]));
  expect(said()).toEqual(['10:4 refuted at step 3']);
  vi.advanceTimersByTime(5000); // the lens is late
  expect(said()).toEqual(['10:4 refuted at step 3']);
  await lenses([10, 'refuted at step 3']);
  vi.advanceTimersByTime(drawTime - 1);
  expect(said()).toEqual(['10:4 refuted at step 3']);
  vi.advanceTimersByTime(1);
  expect(said()).toEqual([]);
});

test('what is known only after VS Code has asked stays until it asks again', async () => {
  model.apply(whole([bad(0), bad(1)]));
  model.apply(delta([bad(0, refuted)]));
  const answered = lenses([10, 'refuted at step 3'], [11, 'check']);
  model.apply(delta([bad(1, refuted)]));
  await answered;
  vi.advanceTimersByTime(drawTime);
  expect(said()).toEqual(['11:4 refuted at step 3']);
});

test('a lens that was given before its status came is enough', async () => {
  model.apply(whole([bad(0), bad(1)]));
  model.apply(delta([bad(1, refuted)]));
  const answered = lenses([10, 'refuted at step 3'], [11, 'refuted at step 3']);
  model.apply(delta([bad(1, { ...refuted, seconds: 1 })]));
  await answered;
  model.apply(delta([bad(0, refuted)]));
  expect(said()).toEqual(['11:4 refuted at step 3']);
  vi.advanceTimersByTime(drawTime);
  expect(said()).toEqual([]);
});

test('no edit leaves a verdict, whatever it is of, nor does a status of an earlier text bring it back', () => {
  model.apply(whole([bad(0, refuted)]));
  expect(said()).toHaveLength(1);
  edit();
  expect(said()).toEqual([]);
  model.apply(delta([bad(0, { ...refuted, text: 'refuted at step 2' })], 1));
  expect(said()).toEqual([]);
  model.apply(delta([bad(0, refuted)], 2));
  expect(said()).toHaveLength(1);
  // Another text that it may rest on.
  events.text.fire({ document: { uri: Uri.parse('file:///part.blif'), languageId: 'blif', version: 2 }, contentChanges: [{ text: '1' }] });
  expect(said()).toEqual([]);
  model.apply(delta([bad(0, { ...refuted, freshness: 'stale' })], 2));
  expect(said()).toEqual([]);
});

test('what changes takes a verdict away: a check, a stop of the server', () => {
  model.apply(whole([bad(0, refuted)]));
  model.apply(delta([bad(0, { ...refuted, freshness: 'queued' })]));
  expect(said()).toEqual([]);
  model.apply(delta([bad(0, refuted)]));
  expect(said()).toHaveLength(1);
  model.clear();
  expect(said()).toEqual([]);
});

test('beside a lens with a verdict none is said, neither the same nor another', async () => {
  model.apply(whole([bad(0, refuted)]));
  await lenses([10, 'refuted at step 3']);
  vi.advanceTimersByTime(drawTime);
  model.apply(delta([bad(0, { ...refuted, seconds: 2 })]));
  model.apply(delta([bad(0, { verdict: 'proved', text: 'proved' })]));
  expect(said()).toEqual([]);
  // A lens that calls itself stale, or a check under way, is no verdict on this text.
  model.apply(delta([bad(0, { ...refuted, freshness: 'stale', text: 'stale · refuted at step 3' })]));
  await lenses([10, 'stale · refuted at step 3']);
  model.apply(delta([bad(0, { verdict: 'proved', text: 'proved' })]));
  expect(said()).toEqual([]); // VS Code may show the lens before
  vi.advanceTimersByTime(drawTime);
  expect(said()).toEqual(['10:4 proved']);
});

test('a row with several properties has one lens for all, and no verdict of one of them', () => {
  const row = { range: bad(0).range };
  model.apply(whole([bad(0), bad(1, row), bad(2)]));
  model.apply(delta([bad(1, { ...row, ...refuted }), bad(2, refuted)]));
  expect(said()).toEqual(['12:4 refuted at step 3']);
});

test('nothing is drawn where something else stands at the rows, for as long as it does', () => {
  isHushed = true;
  model.apply(whole([bad(0, refuted)]));
  expect(said()).toEqual([]);
  isHushed = false;
  hushings.fire();
  expect(said()).toEqual(['10:4 refuted at step 3']);
  isHushed = true;
  hushings.fire();
  expect(said()).toEqual([]);
});

test('where lenses are off it stays, and is back once the server knows that it holds for the next text', async () => {
  configured.set('codeLens', false);
  model.apply(whole([bad(0, refuted), bad(1, { verdict: 'proved', text: 'proved' })]));
  expect(said()).toEqual(['10:4 refuted at step 3', '11:4 proved']);
  edit();
  expect(said()).toEqual([]);
  vi.advanceTimersByTime(restTime - 1);
  expect(askForLenses).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(askForLenses).toHaveBeenCalledExactlyOnceWith(document);
  // What the server says of the text decides, where the status is that of the text before.
  await lenses([10, 'refuted at step 3'], [11, 'stale · proved']);
  expect(said()).toEqual(['10:4 refuted at step 3']);
  configured.set('codeLens', true);
  events.configuration.fire({ affectsConfiguration: (section: string) => section === 'editor.codeLens' });
  expect(said()).toEqual([]);
});

/** Has VS Code show these editors. */
function show(...editors: unknown[]): void {
  window.visibleTextEditors = editors;
  events.visibleEditors.fire(editors);
}

test('what becomes known of a text that is not in view takes its verdicts away', () => {
  model.apply(whole([bad(0, refuted), bad(1, refuted)]));
  const [editor] = window.visibleTextEditors;
  show();
  model.apply(delta([bad(0, { ...refuted, freshness: 'queued' })]));
  show(editor);
  expect(said()).toEqual([]);
});

test('of a text that is closed no verdict and no lens is left', async () => {
  model.apply(whole([bad(0, refuted)]));
  await lenses([10, 'refuted at step 3']);
  events.close.fire(document);
  drawn = [];
  vi.advanceTimersByTime(drawTime);
  const [editor] = window.visibleTextEditors;
  show({ ...(editor as object) }); // it is opened again
  expect(said()).toEqual([]);
  model.apply(delta([bad(0, refuted)]));
  expect(said()).toEqual(['10:4 refuted at step 3']); // no lens of this editor says it yet
});

test('the verdict of a property that is gone goes with it', () => {
  model.apply(whole([bad(0, refuted), bad(1, refuted)]));
  expect(said()).toHaveLength(2);
  model.apply(whole([bad(0, refuted)]));
  expect(said()).toEqual(['10:4 refuted at step 3']);
  model.apply(whole([]));
  expect(said()).toEqual([]);
});

test('where lenses are off an edit has all texts in view asked about', () => {
  configured.set('codeLens', false);
  model.apply(whole([bad(0, refuted)]));
  const part = { uri: Uri.parse('file:///part.blif'), languageId: 'blif', version: 2 };
  events.text.fire({ document: part, contentChanges: [{ text: '1' }] });
  expect(said()).toEqual([]);
  vi.advanceTimersByTime(restTime);
  expect(askForLenses).toHaveBeenCalledExactlyOnceWith(document);
});

test('where lenses are off an old answer takes no newer verdict away, and says none after an edit', async () => {
  configured.set('codeLens', false);
  model.apply(whole([bad(0, refuted), bad(1)]));
  const old = lenses([10, 'refuted at step 3'], [11, 'check']);
  model.apply(delta([bad(1, { verdict: 'proved', text: 'proved' })]));
  await old;
  expect(said()).toEqual(['10:4 refuted at step 3', '11:4 proved']);
  const before = lenses([10, 'refuted at step 3']);
  events.text.fire({ document: { uri: Uri.parse('file:///part.blif'), languageId: 'blif', version: 2 }, contentChanges: [{ text: '1' }] });
  await before;
  expect(said()).toEqual([]);
});
