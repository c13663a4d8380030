// The schematic panel between server, page and text: nothing late, nothing stale without a mark.
import { beforeEach, expect, test, vi } from 'vitest';
import type { Picture } from '../../src/protocol';
import { Schematic } from '../../src/schematic/schematic';
import { events, Uri, window } from './vscode';

const uri = 'file:///a.aag';
const place = { uri, range: { start: { line: 3, character: 0 }, end: { line: 3, character: 2 } } };

function picture(version: number, more: Partial<Picture> = {}): Picture {
  const node = (id: string, signal: number, cut = false) => ({ id, name: id, kind: 'and', signals: [signal], cut, location: place });
  return { uri, version, title: 'bad', dot: `v${version}`, errors: 0, instances: '', nodes: [node('n0', 7), node('n1', 9, true)], values: null, ...more };
}

/** What a panel is given, and what it does with it; one that is opened, or one that comes back with the window. */
async function open(kept?: unknown) {
  const execute = vi.fn();
  const posted: { type: string }[] = [];
  let receive: (message: unknown) => Promise<void> = async () => undefined;
  const webview = { html: '', options: {}, cspSource: 'csp:', asWebviewUri: (one: Uri) => one, onDidReceiveMessage: (run: typeof receive) => (receive = run), postMessage: (message: { type: string }) => posted.push(message) };
  const panel = { webview, title: '', onDidDispose: vi.fn(), onDidChangeViewState: vi.fn(), dispose: vi.fn(), reveal: vi.fn() };
  if (kept === undefined) window.createWebviewPanel.mockReturnValueOnce(panel);
  let step: (shown: { uri: string }) => void = () => undefined;
  const nothing = { onDidChange: () => ({ dispose: vi.fn() }) };
  const steps = { onDidChange: (run: typeof step) => ((step = run), { dispose: vi.fn() }) };
  const schematic = new Schematic(Uri.parse('file:///extension') as never, { execute }, nothing as never, steps as never);
  last = schematic;
  const serializer = (window.registerWebviewPanelSerializer.mock.lastCall as unknown as [string, { deserializeWebviewPanel(panel: unknown, kept: unknown): Promise<void> }])[1];
  if (kept === undefined) await schematic.show({ uri, property: 'bad:0' });
  else await serializer.deserializeWebviewPanel(panel, kept);
  const document = { uri: Uri.parse(uri), languageId: 'aiger' };
  const edit = () => events.text.fire({ document, contentChanges: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '\n' }] });
  return { execute, posted, receive: (message: unknown) => receive(message), edit, save: () => events.save.fire(document), step: () => step({ uri }), schematic, panel, serializer };
}

/** Of the picture that was sent last. */
const count = (posted: { type: string; count?: number }[]) => posted.findLast(({ type }) => type === 'picture')?.count;

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
  expect(posted.at(-1)).toEqual({ type: 'old', kept: { about: { uri, property: 'bad:0' }, title: 'bad' } });
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
  const { execute, receive, edit, posted } = await open();
  execute.mockResolvedValue(picture(1));
  await receive({ type: 'ready' });
  await receive({ type: 'expand', of: count(posted), node: 1 });
  expect(execute.mock.lastCall?.[1]).toEqual({ uri, property: 'bad:0', version: 1, expand: [9] });
  edit();
  await receive({ type: 'expand', of: count(posted), node: 1 });
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

test('comes back with the window, as long as the text has what was drawn', async () => {
  const first = await open();
  await first.schematic.show({ uri, position: { line: 3, character: 0 } });
  first.execute.mockResolvedValueOnce(picture(1, { title: 'low' }));
  await first.receive({ type: 'ready' });
  first.edit(); // a row above
  const { kept } = first.posted.at(-1) as unknown as { kept: object };
  expect(kept).toEqual({ about: { uri, position: { line: 4, character: 0 } }, title: 'low' });
  first.schematic.dispose();

  const second = await open(kept);
  expect(window.createWebviewPanel).toHaveBeenCalledTimes(1);
  second.edit(); // before it is drawn: what is kept stays
  expect(second.posted.at(-1)).toEqual({ type: 'old', kept: { about: { uri, position: { line: 5, character: 0 } }, title: 'low' } });
  second.execute.mockResolvedValueOnce(picture(1, { title: 'low' }));
  await second.receive({ type: 'ready' });
  expect(second.execute.mock.lastCall?.[1]).toEqual({ uri, position: { line: 5, character: 0 } });
  expect(second.posted.at(-1)).toMatchObject({ type: 'picture', title: 'low' });
  // There is one panel; one that was opened meanwhile stays.
  const another = { dispose: vi.fn() };
  await second.serializer.deserializeWebviewPanel(another, kept);
  expect(another.dispose).toHaveBeenCalled();
  second.schematic.dispose();

  // Another program has changed the file while the window was closed.
  const third = await open(kept);
  third.execute.mockResolvedValueOnce(picture(1, { title: 'high' }));
  await third.receive({ type: 'ready' });
  expect(third.posted).toEqual([{ type: 'nothing', message: expect.stringMatching(/has changed since low was drawn/) }]);
  third.execute.mockResolvedValueOnce(picture(1, { title: 'high' }));
  await third.schematic.show({ uri, position: { line: 4, character: 0 } }); // on request
  expect(third.posted.at(-1)).toMatchObject({ type: 'picture', title: 'high' });
  third.schematic.dispose();

  const lost = await open(null);
  expect(lost.panel.dispose).toHaveBeenCalled();
});

test('opens and closes instances, in the way that the server has chosen first', async () => {
  const { execute, receive, posted } = await open();
  const instance = (kind: string, name: string) => ({ id: name, name, kind, signals: [], cut: false, location: null });
  const drawn = (kind: string) => picture(1, { instances: 'closed', nodes: [instance(kind, 'u1'), instance('instance', 'u2')] });
  execute.mockResolvedValueOnce(drawn('instance'));
  await receive({ type: 'ready' });
  expect(posted.at(-1)).toMatchObject({ nodes: [{ words: 'instance u1', open: false, name: 'u1' }, {}] });
  execute.mockResolvedValueOnce(drawn('scope'));
  await receive({ type: 'go', of: count(posted), node: 0, focus: false });
  expect(execute.mock.lastCall?.[1]).toEqual({ uri, property: 'bad:0', instances: 'closed', except: ['u1'] });
  expect(posted.at(-1)).toMatchObject({ nodes: [{ words: 'instance u1', open: true, name: 'u1' }, {}] });
  execute.mockResolvedValueOnce(drawn('instance'));
  await receive({ type: 'go', of: count(posted), node: 0, focus: false });
  expect(execute.mock.lastCall?.[1]).toEqual({ uri, property: 'bad:0', instances: 'closed', except: [] });
});

test('an instance is closed with those inside of it, also where all are open', async () => {
  const { execute, receive, posted } = await open();
  const scope = (name: string) => ({ id: name, name, kind: 'scope', signals: [], cut: false, location: null });
  execute.mockResolvedValue(picture(1, { instances: 'open', nodes: [scope('u1'), scope('u1/v')] }));
  await receive({ type: 'ready' });
  await receive({ type: 'go', of: count(posted), node: 1, focus: false });
  expect(execute.mock.lastCall?.[1]).toMatchObject({ instances: 'open', except: ['u1/v'] });
  await receive({ type: 'go', of: count(posted), node: 0, focus: false });
  expect(execute.mock.lastCall?.[1]).toMatchObject({ instances: 'open', except: ['u1'] });
});
