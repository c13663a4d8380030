import { beforeEach, expect, test, vi } from 'vitest';
import { Lenses, patience } from '../../src/lenses';
import type { PropertyStatus } from '../../src/protocol';
import { type StatusChange, StatusModel } from '../../src/status';
import { bad, delta, uri, whole } from './statuses';
import { configure, configured, Uri, window } from './vscode';

let model: StatusModel;
let lenses: Lenses;
let told: number;
let changes: StatusChange[];
/** What the server would answer. */
let answer: unknown[];

const document = { uri: Uri.parse(uri) };
const none = { isCancellationRequested: false };

beforeEach(() => {
  vi.useFakeTimers();
  configured.clear();
  window.visibleTextEditors = [{ document, visibleRanges: [{ start: { line: 0 }, end: { line: 11 } }] }];
  model = new StatusModel();
  told = 0;
  changes = [];
  model.onDidChange((change) => changes.push(change));
  lenses = new Lenses(model, () => told++);
  return () => {
    lenses.dispose();
    window.visibleTextEditors = [];
    vi.useRealTimers();
  };
});

interface Lens {
  range: unknown;
  command?: { title: string };
  data?: unknown;
}

function lensOf({ property, verdict, standing, freshness, range, text }: PropertyStatus): Lens {
  return { range, command: { title: text }, data: { properties: [{ property, verdict, standing, freshness }] } };
}

/** VS Code asks for the lenses of these statuses. */
async function ask(...statuses: PropertyStatus[]): Promise<Lens[]> {
  answer = statuses.map(lensOf);
  return (await lenses.middleware.provideCodeLenses!(document as never, none as never, async () => answer as never)) as unknown as Lens[];
}

/** VS Code is about to draw what it was given without a command. */
async function draw(given: Lens[]): Promise<void> {
  for (const lens of given) {
    if (lens.command === undefined) await lenses.middleware.resolveCodeLens!(lens as never, none as never, async (one) => one);
    expect(lens.command).toBeDefined();
  }
}

const shown = (index = 0) => model.file(uri)?.properties.get(`bad:${index}`);
const proved = bad(0, { verdict: 'proved' });
const running = bad(0, { freshness: 'running' });

/** The lenses of two properties are drawn, the second out of view. */
async function begin(): Promise<void> {
  lenses.receive(whole([bad(0), bad(2)]));
  await draw(await ask(bad(0), bad(2)));
}

test('what a lens in view is to say waits for the lens', async () => {
  await begin();
  expect(model.waits(uri, proved)).toBe(true); // for a listener that has heard of it elsewhere
  lenses.receive(delta([proved]));
  expect(shown()).toMatchObject({ verdict: 'none' });
  expect(changes.at(-1)).toMatchObject({ sent: [] }); // or it would pass for an answer
  expect(told).toBe(0); // VS Code has just been given lenses, and draws them before it asks
  vi.advanceTimersByTime(400);
  expect(told).toBe(1);
  const given = await ask(proved, bad(2));
  expect(given.map(({ command }) => command === undefined)).toEqual([true, false]);
  expect(shown()).toMatchObject({ verdict: 'none' });
  await draw(given);
  expect(shown()).toMatchObject({ verdict: 'proved' });
  expect(changes.at(-1)).toMatchObject({ drawn: true, sent: [proved] });
  expect(model.waits(uri, proved)).toBe(false);
});

test('what no lens in view says shows at once', async () => {
  await begin();
  lenses.receive(delta([bad(2, { verdict: 'refuted' })]));
  expect(shown(2)).toMatchObject({ verdict: 'refuted' });
  configure('codeLens', false); // the stub has one set of settings
  lenses.receive(delta([proved]));
  expect(shown()).toMatchObject({ verdict: 'proved' });
});

test('progress, and what comes after its lens, shows at once', async () => {
  await begin();
  vi.advanceTimersByTime(500);
  await draw(await ask(running, bad(2)));
  lenses.receive(delta([running]));
  expect(shown()).toMatchObject({ freshness: 'running' });
  lenses.receive(delta([{ ...running, depth: 9 }]));
  expect(shown()).toMatchObject({ depth: 9 });
});

test('a lens is drawn with what was known when it was asked for: no more is shown', async () => {
  await begin();
  lenses.receive(delta([running]));
  const given = await ask(running, bad(2));
  lenses.receive(delta([proved]));
  await draw(given);
  expect(shown()).toMatchObject({ freshness: 'running' });
  vi.advanceTimersByTime(400);
  await draw(await ask(proved, bad(2)));
  expect(shown()).toMatchObject({ verdict: 'proved' });
});

test('what is undone before it was drawn leaves no trace', async () => {
  await begin();
  vi.advanceTimersByTime(500);
  await draw(await ask(proved, bad(2)));
  lenses.receive(delta([proved]));
  lenses.receive(delta([bad(0, { verdict: 'proved', freshness: 'stale' })]));
  lenses.receive(delta([proved]));
  vi.advanceTimersByTime(2 * patience);
  expect(shown()).toEqual(proved);
});

test('rows that move are known at once, whatever waits', async () => {
  await begin();
  const range = { start: { line: 3, character: 0 }, end: { line: 3, character: 2 } };
  lenses.receive(delta([{ ...proved, range }], 2));
  expect(shown()).toMatchObject({ verdict: 'none', range });
  expect(model.file(uri)).toMatchObject({ version: 2 });
});

test('nothing waits for a lens that is never drawn', async () => {
  await begin();
  lenses.receive(delta([proved]));
  vi.advanceTimersByTime(patience - 1);
  expect(shown()).toMatchObject({ verdict: 'none' });
  vi.advanceTimersByTime(1);
  expect(shown()).toMatchObject({ verdict: 'proved' });
  expect(changes.at(-1)).toMatchObject({ drawn: true });
});

test('other properties, and the end of the server, are known at once', async () => {
  await begin();
  lenses.receive(delta([proved]));
  lenses.receive(whole([bad(0, { verdict: 'refuted' })]));
  expect(shown()).toMatchObject({ verdict: 'refuted' });
  lenses.receive(delta([proved]));
  model.clear();
  vi.advanceTimersByTime(2 * patience);
  expect(shown()).toBeUndefined();
});

test('VS Code is told one thing after the other, and again when it does not ask', async () => {
  await begin();
  vi.advanceTimersByTime(500);
  for (let i = 0; i < 10; i++) {
    lenses.refresh();
    vi.advanceTimersByTime(30);
  }
  expect(told).toBe(1);
  const given = await ask(bad(0), bad(2));
  lenses.refresh();
  vi.advanceTimersByTime(200);
  expect(told).toBe(1);
  await draw(given);
  expect(told).toBe(2); // drawn: the next may come
  vi.advanceTimersByTime(10_000);
  expect(told).toBe(4);
});

test('a server that adds nothing to its lenses is followed at once', async () => {
  lenses.receive(whole([bad(0)]));
  for (let round = 0; round < 2; round++) {
    answer = [{ range: bad(0).range, command: { title: 'check' } }];
    const [lens] = (await lenses.middleware.provideCodeLenses!(document as never, none as never, async () => answer as never)) as unknown as Lens[];
    expect(lens!.command).toBeDefined();
  }
  lenses.receive(delta([proved]));
  expect(shown()).toMatchObject({ verdict: 'proved' });
});
