import { beforeEach, expect, test, vi } from 'vitest';
import { Gutter, rangesOf } from '../../src/gutter';
import { palettes, svgOf } from '../../src/gutterIcons';
import { type Mark, StatusModel } from '../../src/status';
import { bad, delta, uri, whole } from './statuses';
import { ColorThemeKind, configure, configured, events, Uri, window } from './vscode';

interface Type {
  options: { dark: { gutterIconPath: { toString(): string } }; overviewRulerColor?: { id: string } };
  dispose: ReturnType<typeof vi.fn>;
}

const marks: Mark[] = ['proved', 'refuted', 'unknown', 'staleProved', 'staleRefuted', 'staleUnknown', 'queued', 'running'];
let model: StatusModel;
let gutter: Gutter;
let types: Type[];
let drawn: Map<Type, number[]>;
let setDecorations: ReturnType<typeof vi.fn>;
const document = { uri: Uri.parse(uri), version: 1 };

beforeEach(() => {
  vi.useFakeTimers();
  configured.clear();
  window.activeColorTheme = { kind: ColorThemeKind.Dark };
  types = [];
  drawn = new Map();
  document.version = 1;
  window.createTextEditorDecorationType.mockImplementation((options) => {
    const type: Type = { options, dispose: vi.fn(() => drawn.delete(type)) };
    types.push(type);
    return type;
  });
  setDecorations = vi.fn((type: Type, ranges: { start: { line: number } }[]) => drawn.set(type, ranges.map(({ start }) => start.line)));
  window.visibleTextEditors = [{ document, setDecorations }];
  model = new StatusModel();
  gutter = new Gutter(model);
  return () => {
    gutter.dispose();
    window.visibleTextEditors = [];
    vi.useRealTimers();
  };
});

/** Marks and their lines, as they are in the editor. */
function seen(): Partial<Record<Mark, number[]>> {
  const living = types.slice(-marks.length);
  return Object.fromEntries(marks.flatMap((mark, index) => (drawn.get(living[index]!)?.length ? [[mark, drawn.get(living[index]!)]] : [])));
}

function edit(text: string): void {
  document.version++;
  events.text.fire({ document, contentChanges: [{ range: { start: { line: 2 }, end: { line: 2 } }, text }] });
}

test('each mark is a shape and a line pattern of its own, whatever its colour', () => {
  const plain = { proved: '#000', refuted: '#000', unknown: '#000', stale: '#000', queued: '#000', running: '#000' };
  expect(new Set(marks.map((mark) => svgOf(mark, plain))).size).toBe(marks.length);
  for (const palette of Object.values(palettes)) expect(svgOf('staleRefuted', palette)).toContain('stroke-dasharray');
});

test('properties are marked on their lines, those without a verdict not at all', () => {
  const properties = whole([bad(0, { verdict: 'proved' }), bad(1), bad(2, { verdict: 'proved' }), bad(3, { verdict: 'refuted', freshness: 'stale' })]);
  model.apply(properties);
  expect(seen()).toEqual({ proved: [10, 12], staleRefuted: [13] });
  expect([...rangesOf(model.file(uri)!).keys()]).toEqual(['proved', 'staleRefuted']);
});

test('only a fresh refutation is in the overview ruler', () => {
  model.apply(whole([bad(0, { verdict: 'refuted' })]));
  expect(types.filter(({ options }) => options.overviewRulerColor !== undefined)).toEqual([types[1]]);
});

test('a change touches only the marks that are there or were', () => {
  model.apply(whole([bad(0, { verdict: 'proved' })]));
  setDecorations.mockClear();
  model.apply(delta([bad(0, { verdict: 'proved', freshness: 'stale' })]));
  expect(seen()).toEqual({ staleProved: [10] });
  expect(setDecorations).toHaveBeenCalledTimes(2);
});

test('while rows move, marks about the text before stay where VS Code has moved them', () => {
  model.apply(whole([bad(0, { verdict: 'proved' })]));
  edit('\n');
  setDecorations.mockClear();
  model.apply(delta([bad(0, { freshness: 'running' })], 1));
  expect(setDecorations).not.toHaveBeenCalled();
  model.apply(delta([bad(0, { freshness: 'running', range: bad(1).range })], 2));
  expect(seen()).toEqual({ running: [11] });
});

test('an edit within a row delays nothing', () => {
  model.apply(whole([bad(0, { verdict: 'proved' })]));
  edit('1');
  model.apply(delta([bad(0, { verdict: 'proved', freshness: 'stale' })], 1));
  expect(seen()).toEqual({ staleProved: [10] });
});

test('after a pause the last word is drawn, even if the server had nothing to add', () => {
  model.apply(whole([bad(0, { verdict: 'proved' })]));
  edit('\n');
  setDecorations.mockClear();
  vi.advanceTimersByTime(300);
  edit('\n');
  vi.advanceTimersByTime(300);
  expect(setDecorations).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(setDecorations).toHaveBeenCalledOnce();
  // From then on it is about this text, whatever draws again.
  events.visibleEditors.fire(undefined);
  expect(setDecorations).toHaveBeenCalledTimes(2);
});

test('a late word about an earlier text is drawn after a pause, if nothing better comes', () => {
  model.apply(whole([bad(0, { verdict: 'proved' })]));
  edit('\n');
  vi.advanceTimersByTime(1000);
  model.apply(delta([bad(0, { verdict: 'proved', freshness: 'stale' })], 1));
  expect(seen()).toEqual({ proved: [10] });
  vi.advanceTimersByTime(1000);
  expect(seen()).toEqual({ staleProved: [10] });
});

test('high contrast has colours of its own', () => {
  model.apply(whole([bad(0, { verdict: 'proved' })]));
  const before = types[0]!;
  window.activeColorTheme = { kind: ColorThemeKind.HighContrast };
  events.theme.fire(undefined);
  expect(before.dispose).toHaveBeenCalled();
  expect(seen()).toEqual({ proved: [10] });
  expect(types.at(-marks.length)!.options.dark.gutterIconPath.toString()).not.toBe(before.options.dark.gutterIconPath.toString());
});

test('goes with its setting and with the server', () => {
  model.apply(whole([bad(0, { verdict: 'proved' })]));
  configure('gutter.enabled', false);
  expect(drawn.size).toBe(0);
  configure('gutter.enabled', true);
  expect(seen()).toEqual({ proved: [10] });
  model.clear();
  expect(seen()).toEqual({});
});
