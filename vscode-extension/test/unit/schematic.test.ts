// The schematic panel between server, page and text: nothing late, nothing stale without a mark.
import { beforeEach, expect, test, vi } from 'vitest';
import type { Picture } from '../../src/protocol';
import { Schematic } from '../../src/schematic/panel';
import { events, Uri, window } from './vscode';

const uri = 'file:///a.aag';
const place = { uri, range: { start: { line: 3, character: 0 }, end: { line: 3, character: 2 } } };

function picture(version: number, more: Partial<Picture> = {}): Picture {
  const node = (id: string, signal: number, cut = false) => ({ id, name: id, kind: 'and', signals: [signal], cut, location: place });
  return { uri, version, title: 'bad', dot: `v${version}`, errors: 0, nodes: [node('n0', 7), node('n1', 9, true)], values: null, ...more };
}

/** What a panel is given, and what it does with it. */
async function open() {
  const execute = vi.fn();
  const posted: { type: string }[] = [];
  let receive: (message: unknown) => Promise<void> = async () => undefined;
  const webview = { html: '', options: {}, cspSource: 'csp:', asWebviewUri: (one: Uri) => one, onDidReceiveMessage: (run: typeof receive) => (receive = run), postMessage: (message: { type: string }) => posted.push(message) };
  window.createWebviewPanel.mockReturnValueOnce({ webview, title: '', onDidDispose: vi.fn(), dispose: vi.fn() });
  let step: (shown: { uri: string }) => void = () => undefined;
  const nothing = { onDidChange: () => ({ dispose: vi.fn() }) };
  const steps = { onDidChange: (run: typeof step) => ((step = run), { dispose: vi.fn() }) };
  const schematic = new Schematic(Uri.parse('file:///extension') as never, { execute }, nothing as never, steps as never);
  last = schematic;
  await schematic.show({ uri, property: 'bad:0' });
  const document = { uri: Uri.parse(uri), languageId: 'aiger' };
  const edit = () => events.text.fire({ document, contentChanges: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '\n' }] });
  return { execute, posted, receive: (message: unknown) => receive(message), edit, save: () => events.save.fire(document), step: () => step({ uri }), schematic };
}

let last: Schematic | undefined;

beforeEach(() => {
  last?.dispose();
  vi.clearAllMocks();
});

test('an edit marks the picture, and saving draws the new text', async () => {
  const { execute, posted, receive, edit, save, schematic } = await open();
  execute.mockResolvedValueOnce(picture(1));
  await receive({ type: 'ready' });
  expect(posted.map(({ type }) => type)).toEqual(['picture']);
  edit();
  expect(posted.at(-1)).toEqual({ type: 'old' });
  expect(schematic.isOld).toBe(true);
  execute.mockResolvedValueOnce(picture(2));
  save();
  await vi.waitFor(() => expect(posted.at(-1)).toMatchObject({ type: 'picture', dot: 'v2' }));
  expect(schematic.isOld).toBe(false);
});

test('an answer that an edit has overtaken is not shown', async () => {
  const { execute, posted, receive, edit, schematic } = await open();
  execute.mockResolvedValueOnce(picture(1));
  await receive({ type: 'ready' });
  let answer: (one: Picture) => void = () => undefined;
  execute.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  const asked = receive({ type: 'renew' });
  await vi.waitFor(() => expect(execute).toHaveBeenCalledTimes(2));
  edit();
  answer(picture(1));
  await asked;
  expect(posted.map(({ type }) => type)).toEqual(['picture', 'old']);
  expect(schematic.isOld).toBe(true);
});

test('goes on where it has ended, in the same text only', async () => {
  const { execute, receive, edit } = await open();
  execute.mockResolvedValue(picture(1));
  await receive({ type: 'ready' });
  await receive({ type: 'expand', node: 1 });
  expect(execute.mock.lastCall?.[1]).toEqual({ uri, property: 'bad:0', version: 1, expand: [9] });
  edit();
  await receive({ type: 'expand', node: 1 });
  expect(execute).toHaveBeenCalledTimes(2);
  execute.mockResolvedValue(picture(2));
  await receive({ type: 'renew' });
  await receive({ type: 'renew' });
  expect(execute.mock.lastCall?.[1]).toEqual({ uri, property: 'bad:0' });
});

test('another step asks for its values, not while the picture is old', async () => {
  const { execute, receive, edit, step } = await open();
  execute.mockResolvedValue(picture(1));
  await receive({ type: 'ready' });
  step();
  await vi.waitFor(() => expect(execute).toHaveBeenCalledTimes(2));
  edit();
  step();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(execute).toHaveBeenCalledTimes(2);
});
