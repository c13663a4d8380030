// What stands at the ends of rows: what is drawn of it, when, and what is left to VS Code.
import { beforeEach, expect, test, vi } from 'vitest';
import { Notes, pieces } from '../../src/notes';
import type * as protocol from '../../src/protocol';
import { Refusal } from '../../src/refusal';
import { StatusModel } from '../../src/status';
import { ColorThemeKind, configured, EventEmitter, events, Uri, window, workspace } from './vscode';

interface Drawing {
  range: { start: { line: number; character: number } };
  renderOptions: { after: { contentText: string; width?: string; textDecoration?: string; color?: { id: string } } };
}

const uri = 'file:///a.aag';
const rows = ['aag 3 1 1 0 1', '2', '6 8', '8 6 2'];
const document = {
  uri: Uri.parse(uri),
  version: 1,
  lineCount: rows.length,
  lineAt: (line: number) => ({ range: { end: { line, character: rows[line]!.length } } }),
};
const words = (...texts: string[]): protocol.NotePart[] => texts.map((text) => ({ text, look: 'text' }));
const plain: protocol.Notes = {
  version: 1,
  notes: [
    { line: 1, column: 8, value: [], words: words('input 0') },
    { line: 3, column: 0, value: [], words: [...words('= '), { text: '6', look: 'number' }, ...words(' ∧ i0')] },
  ],
};
const stepped = (value: string): protocol.Notes => ({
  version: 1,
  notes: plain.notes.map((note) => ({ ...note, value: [{ text: value, look: 'changed' as const }] })),
});

let model: StatusModel;
let steps: EventEmitter<protocol.ShownStep>;
let notes: Notes;
let drawn: Map<string, Drawing[]>;
let setDecorations: ReturnType<typeof vi.fn>;
let answers: ((answer: protocol.Notes) => void)[];
const server = { running: {} as unknown, request: vi.fn() };

beforeEach(() => {
  window.activeColorTheme = { kind: ColorThemeKind.Dark };
  configured.clear();
  configured.set('inlayHints.enabled', 'on');
  document.version = 1;
  server.running = {};
  answers = [];
  server.request.mockReset().mockImplementation(() => new Promise((resolve) => answers.push(resolve)));
  let made = 6;
  window.createTextEditorDecorationType.mockReset().mockImplementation(() => ({ key: `Type${made++}`, dispose: vi.fn() }));
  drawn = new Map();
  setDecorations = vi.fn((type: { key: string }, all: Drawing[]) => drawn.set(type.key, all));
  window.visibleTextEditors = [{ document, setDecorations, visibleRanges: [{ start: { line: 10 }, end: { line: 19 } }] }];
  model = new StatusModel();
  steps = new EventEmitter();
  notes = new Notes(server as never, { onDidChange: steps.event as never }, model);
  return () => {
    notes.dispose();
    window.visibleTextEditors = [];
    window.activeColorTheme = { kind: ColorThemeKind.Dark };
  };
});

const settle = () => vi.waitFor(() => Promise.resolve());
const editor = () => window.visibleTextEditors[0] as never;

async function answer(found: protocol.Notes): Promise<void> {
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  answers.shift()!(found);
  await settle();
}

function provide(hints: unknown[] = []): Promise<unknown> {
  const next = vi.fn(async () => hints);
  return notes.middleware.provideInlayHints!(document as never, { contains: () => true } as never, {} as never, next as never) as Promise<unknown>;
}

/** Texts by line, in the order in which VS Code draws them. */
function seen(): Record<number, string[]> {
  const lines: Record<number, string[]> = {};
  for (const key of [...drawn.keys()].sort()) {
    for (const { range, renderOptions } of drawn.get(key)!) (lines[range.start.line] ??= []).push(renderOptions.after.contentText);
  }
  return lines;
}

test('notes are drawn in the order of their pieces; other hints are left to VS Code', async () => {
  const header = { label: 'M:' };
  expect(await provide([header, { label: '   input 0', data: 'note' }])).toEqual([header]);
  await answer(plain);
  expect(server.request).toHaveBeenCalledWith('aiglens/notes', { uri, range: { start: { line: 0, character: 0 }, end: { line: 29, character: 0 } } });
  const nbsp = '\u00a0';
  expect(seen()).toEqual({ 1: ['\t', `input${nbsp}0`], 3: [nbsp.repeat(3), `=${nbsp}`, '6', `${nbsp}∧${nbsp}i0`] });
  const [gap] = drawn.get([...drawn.keys()].sort()[0]!)!;
  expect(gap!.range.start).toEqual({ line: 1, character: 1 });
  expect(gap!.renderOptions.after.textDecoration).toContain('tab-size: 8');
  expect(notes.textsIn(editor())).toEqual(['input 0', '= 6 ∧ i0']);
});

test('a document that is hushed has no notes and no hints, until it is not', async () => {
  const fire = vi.fn();
  server.running = { getFeature: () => ({ getProvider: () => ({ onDidChangeInlayHints: { fire } }) }) };
  const before = workspace.textDocuments;
  workspace.textDocuments = [document];
  const header = { label: 'M:' };
  await provide([header]);
  await answer(plain);
  const told = vi.fn();
  notes.onDidHush(() => told(notes.isHushed(document as never)));
  notes.hush([uri]);
  expect(told).toHaveBeenLastCalledWith(true);
  expect(fire).toHaveBeenCalledTimes(1);
  expect(await provide([header])).toEqual([]);
  await vi.waitFor(() => expect(seen()).toEqual({}));
  expect(answers).toEqual([]);
  notes.hush([uri]);
  expect(fire).toHaveBeenCalledTimes(1);
  notes.hush([]);
  expect(told).toHaveBeenLastCalledWith(false);
  expect(fire).toHaveBeenCalledTimes(2);
  expect(await provide([header])).toEqual([header]);
  await answer(plain);
  expect(notes.textsIn(editor())).toEqual(['input 0', '= 6 ∧ i0']);
  workspace.textDocuments = before;
});

test('in a high contrast theme all hints are drawn here, and given back with another theme', async () => {
  const fire = vi.fn();
  server.running = { getFeature: () => ({ getProvider: () => ({ onDidChangeInlayHints: { fire } }) }) };
  const theme = (kind: number) => {
    window.activeColorTheme = { kind };
    events.theme.fire(undefined);
  };
  theme(ColorThemeKind.HighContrast);
  expect(fire).toHaveBeenCalledTimes(1);
  const hints = [
    { label: 'M:', position: { line: 0, character: 4 } },
    { label: 'a', position: { line: 1, character: 1 }, paddingLeft: true },
    { label: 'input 0', position: { line: 1, character: 1 }, paddingLeft: true },
  ];
  expect(await provide(hints)).toEqual([]);
  expect(seen()).toEqual({ 0: ['M:'], 1: ['a', 'input\u00a00'] });
  await answer(plain);
  theme(ColorThemeKind.Light);
  expect(fire).toHaveBeenCalledTimes(2);
  expect(await provide(hints)).toEqual(hints);
  await answer(plain);
  expect(seen()[0]).toBeUndefined();
});

test('hints that show only while keys are held are those of VS Code', async () => {
  configured.set('inlayHints.enabled', 'offUnlessPressed');
  const hints = [{ label: '   input 0', data: 'note' }];
  expect(await provide(hints)).toEqual(hints);
  expect(server.request).not.toHaveBeenCalled();
});

test('switched off, nothing stays', async () => {
  await provide();
  await answer(plain);
  configured.set('inlayHints.enabled', 'off');
  events.configuration.fire({ affectsConfiguration: (section: string) => section === 'editor.inlayHints.enabled' });
  await settle();
  expect(seen()).toEqual({});
  expect(server.request).toHaveBeenCalledTimes(1);
});

test('another step draws only values', async () => {
  await provide();
  await answer(stepped('│0→1│'));
  setDecorations.mockClear();
  steps.fire({ uri, property: 'bad:0', step: 2, steps: 3 });
  await answer(stepped('│  1│'));
  expect(setDecorations).toHaveBeenCalledTimes(1);
  expect(notes.textsIn(editor())).toEqual(['│  1│ input 0', '│  1│ = 6 ∧ i0']);
  steps.fire({ uri: 'file:///other.aag', step: 0, steps: 0 });
  await settle();
  expect(answers).toHaveLength(0);
});

test('after an edit all is drawn again: VS Code may have moved it', async () => {
  await provide();
  await answer(plain);
  setDecorations.mockClear();
  document.version = 2;
  await provide();
  await answer({ ...plain, version: 2 });
  expect(setDecorations.mock.calls.filter(([, all]) => all.length > 0)).toHaveLength(4);
});

test('what is about an earlier text is not drawn', async () => {
  await provide();
  document.version = 2;
  await answer(plain);
  expect(setDecorations).not.toHaveBeenCalled();
});

test('news while an answer is on its way asks once more', async () => {
  await provide();
  for (const step of [0, 1, 2]) steps.fire({ uri, property: 'bad:0', step, steps: 3 });
  await answer(plain);
  await answer(stepped('│0→1│'));
  await settle();
  expect(answers).toHaveLength(0);
  expect(server.request).toHaveBeenCalledTimes(2);
});

test('a server that stops takes its notes along, and none is asked that does not run', async () => {
  await provide();
  await answer(plain);
  model.clear();
  expect(seen()).toEqual({});
  server.running = undefined;
  await provide();
  expect(server.request).toHaveBeenCalledTimes(1);
});

test('a refusal draws nothing, and the next answer counts', async () => {
  server.request.mockRejectedValueOnce(new Refusal('busy'));
  await provide();
  await settle();
  await provide();
  await answer(plain);
  expect(notes.textsIn(editor())).toHaveLength(2);
});

test('values are as wide as they are long, and very many pieces become one', () => {
  const value: protocol.NotePart[] = [{ text: '│0→1│', look: 'changed' }, { text: '›0', look: 'next' }];
  const many = Array.from({ length: 60 }, (_, index) => ({ text: `${index} `, look: index % 2 === 0 ? ('text' as const) : ('number' as const) }));
  const all = pieces({ line: 0, column: 9, value, words: many });
  expect(all).toHaveLength(24);
  expect(all.slice(0, 2).map(({ width }) => width)).toEqual(['5ch', '2ch']);
  expect(all.map(({ text }) => text).join('')).toBe(`│0→1│›0 ${many.map(({ text }) => text).join('')}`);
  expect(pieces({ line: 0, column: 9, value, words: [] })).toHaveLength(2);
});
