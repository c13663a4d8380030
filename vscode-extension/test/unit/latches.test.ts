import { beforeEach, expect, test, vi } from 'vitest';
import { changes, pickLatch, valuesOf } from '../../src/latches';
import { latches as latchesCommand, type LatchTrace } from '../../src/protocol';
import { Refusal } from '../../src/refusal';
import { window } from './vscode';

const uri = 'file:///semaphore.aag';

function latch(name: string, values: string, line: number): LatchTrace {
  return { name, literal: 2 * line, values, location: { uri, range: { start: { line, character: 0 }, end: { line, character: 1 } } } };
}

/** A quick pick that does what the test says once it is shown. */
function fakePick(act: (pick: FakePick) => void): FakePick {
  const handlers: Record<string, (event?: unknown) => void> = {};
  const on = (event: string) => (handler: (event?: unknown) => void) => void (handlers[event] = handler);
  const pick: FakePick = {
    items: [],
    activeItems: [],
    onDidChangeActive: on('active'),
    onDidAccept: on('accept'),
    onDidHide: on('hide'),
    dispose: vi.fn(),
    focus: (index) => {
      pick.activeItems = pick.items.slice(index, index + 1);
      handlers['active']?.(pick.activeItems);
    },
    accept: () => handlers['accept']?.(),
    hide: () => handlers['hide']?.(),
    show: () => act(pick),
  };
  window.createQuickPick.mockReturnValue(pick);
  return pick;
}

interface FakePick {
  title?: string;
  items: { label: string; description: string; detail: string }[];
  activeItems: unknown[];
  onDidChangeActive: unknown;
  onDidAccept: unknown;
  onDidHide: unknown;
  dispose: () => void;
  focus: (index: number) => void;
  accept: () => void;
  hide: () => void;
  show: () => void;
}

function serverWith(latches: LatchTrace[] | null | undefined) {
  return { execute: vi.fn(async () => latches) };
}

const editor = {
  document: { uri: { toString: () => uri } },
  viewColumn: 2,
  selections: ['where it was'],
  visibleRanges: ['what was visible'],
  revealRange: vi.fn(),
};

beforeEach(() => {
  vi.clearAllMocks();
  window.activeTextEditor = editor;
  window.visibleTextEditors = [editor];
  window.showTextDocument.mockResolvedValue({ ...editor, selections: [] });
});

const linesShown = () => window.showTextDocument.mock.calls.map(([, { selection, preserveFocus }]) => [selection?.start.line, preserveFocus]);

test('shows each latch over the steps, previews in focus, jumps on accept', async () => {
  const pick = fakePick((pick) => {
    pick.focus(0);
    pick.focus(1);
    pick.accept();
  });
  const server = serverWith([latch('sleep_a', '10000', 3), latch('free', '11000', 9)]);
  await pickLatch(server as never, { uri, property: 'bad:0' });

  expect(server.execute).toHaveBeenCalledWith(latchesCommand, { uri, property: 'bad:0' });
  expect(pick.title).toBe('Latches over 5 steps, the failing step in brackets');
  expect(pick.items).toMatchObject([
    { label: 'sleep_a', description: 'literal 6, line 4: changes at step 1', detail: '1000[0]' },
    { label: 'free', description: 'literal 18, line 10: changes at step 2', detail: '1100[0]' },
  ]);
  expect(linesShown()).toEqual([[3, true], [9, true], [9, false]]);
  expect(window.showTextDocument.mock.calls[0]?.[1]).toMatchObject({ viewColumn: 2 });
  expect(pick.dispose).toHaveBeenCalledOnce();
});

test('goes back to where the user was when nothing is chosen', async () => {
  const returned = { ...editor, selections: [] as string[], revealRange: vi.fn() };
  fakePick((pick) => {
    pick.focus(0);
    window.showTextDocument.mockResolvedValue(returned);
    pick.hide();
  });
  await pickLatch(serverWith([latch('free', '1', 9)]) as never, { uri });
  expect(returned.selections).toEqual(['where it was']);
  expect(returned.revealRange).toHaveBeenCalledWith('what was visible', expect.anything());
});

test.each([[null], [[]]])('says so when there is no counterexample (%j)', async (answer) => {
  await pickLatch(serverWith(answer) as never, { uri });
  expect(window.createQuickPick).not.toHaveBeenCalled();
  expect(window.showInformationMessage).toHaveBeenCalledWith(expect.stringContaining('no counterexample here'));
});

test('asks about the file where the cursor is on no property', async () => {
  fakePick((pick) => pick.hide());
  const server = serverWith([latch('free', '1', 9)]);
  server.execute.mockRejectedValueOnce(new Refusal('there is no property on line 1'));
  await pickLatch(server as never, { uri, position: { line: 0, character: 0 } }, { uri });
  expect(server.execute).toHaveBeenLastCalledWith(latchesCommand, { uri });
});

test('stays silent when the server does not run, which was said before', async () => {
  await pickLatch(serverWith(undefined) as never, { uri });
  expect(window.showInformationMessage).not.toHaveBeenCalled();
});

test('sets the failing step apart and keeps the end of a long run', () => {
  expect(valuesOf('1')).toBe('[1]');
  expect(valuesOf('01101')).toBe('0110[1]');
  expect(valuesOf(`${'0'.repeat(500)}11`)).toBe(`…${'0'.repeat(47)}1[1]`);
});

test('names the steps in which a latch changes', () => {
  expect(changes('000')).toBe('always 0');
  expect(changes('0x1')).toBe('changes at steps 1, 2');
  expect(changes('0010', 2)).toBe('changes at steps 2, 3 and in each round');
  expect(changes('0011', 2)).toBe('changes at step 2');
  expect(changes('01'.repeat(7))).toBe('changes at steps 1, 2, 3, 4, 5, 6, 7, 8 and 5 more');
});

test('says in which other file a latch is', async () => {
  const pick = fakePick((pick) => pick.hide());
  const other = latch('stage/q', '01', 4);
  other.location.uri = 'file:///lib/two%20stages.blif';
  await pickLatch(serverWith([latch('q', '01', 3), other]) as never, { uri, property: 'bad:0' });
  expect(pick.items.map((item) => item.description)).toEqual([
    'literal 6, line 4: changes at step 1',
    'literal 8, two stages.blif, line 5: changes at step 1',
  ]);
});
