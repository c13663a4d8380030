import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { registerRowsLeft } from '../../src/rowsLeft';
import { configured, events, Range, TextDocumentSaveReason, Uri, window } from './vscode';

/** A document of a few lines, in the editor that has the focus. */
function opened(...lines: string[]) {
  const document = { languageId: 'aiger', uri: Uri.parse('file:///a.aag'), version: 1, lines, lineCount: lines.length, lineAt: (line: number) => ({ text: document.lines[line] ?? '' }) };
  const applied: unknown[] = [];
  const editor = {
    document,
    edit: vi.fn(async (build: (builder: unknown) => void) => build({ replace: (range: unknown, text: string) => applied.push([range, text]) })),
  };
  window.activeTextEditor = editor;
  return { document, editor, applied };
}

const header = { range: new Range(0, 4, 0, 5), newText: '2' };

function started() {
  const sendRequest = vi.fn(async (_method: string, _params: { position: { line: number }; ch: string }) => [header]);
  const running = {
    sendRequest,
    code2ProtocolConverter: { asUri: String },
    protocol2CodeConverter: { asTextEdits: async (edits: unknown) => edits },
  };
  const registered = registerRowsLeft({ running } as never);
  return { sendRequest, registered, asked: () => sendRequest.mock.calls.map(([, { position }]) => position.line) };
}

let server: ReturnType<typeof started>;

beforeEach(() => {
  configured.set('formatOnType', true);
  server = started();
});
afterEach(() => {
  server.registered.dispose();
  configured.delete('formatOnType');
  window.activeTextEditor = undefined;
});

type Document = ReturnType<typeof opened>['document'];

const change = (document: Document, range: Range, text: string, reason?: number) => {
  document.version++;
  events.text.fire({ document, contentChanges: [{ range, text }], reason });
};
const move = (editor: unknown, line: number) => events.selection.fire({ textEditor: editor, selections: [{ active: { line } }] });
const settled = () => vi.waitFor(() => expect(server.sendRequest).toHaveBeenCalled());

test('a row from which a number was taken is counted when the cursor leaves it', async () => {
  const { document, editor, applied } = opened('aag 2 1 0 0 1', '2', '4 11');
  change(document, new Range(2, 4, 2, 6), '');
  move(editor, 2);
  expect(server.sendRequest).not.toHaveBeenCalled();
  move(editor, 1);
  await vi.waitFor(() => expect(applied).toEqual([[header.range, '2']]));
  expect(server.asked()).toEqual([3]);
  move(editor, 2);
  expect(server.sendRequest).toHaveBeenCalledOnce();
});

test('a row that is gone is counted at once, from the line that has its place', async () => {
  const { document } = opened('aag 2 1 0 0 1', '2');
  change(document, new Range(2, 0, 3, 0), ''); // Delete Line
  change(document, new Range(1, 1, 2, 0), ''); // Backspace on an emptied line
  change(document, new Range(1, 1, 2, 5), ''); // Delete Line, of the last one
  change(document, new Range(1, 0, 3, 0), ''); // two rows
  await vi.waitFor(() => expect(server.asked()).toEqual([2, 2, 2, 1]));
  expect(server.sendRequest.mock.calls.map(([, { ch }]) => ch)).toEqual(['\b', '\b', '\b', '\b\b']);
});

test('a row that was emptied is counted once its line is gone', async () => {
  const { document, editor } = opened('aag 1 1 0 1', '2', '');
  change(document, new Range(2, 0, 2, 1), '');
  const waitUntil = vi.fn();
  events.willSave.fire({ document, reason: TextDocumentSaveReason.Manual, waitUntil });
  move(editor, 1);
  expect(waitUntil).not.toHaveBeenCalled();
  expect(server.sendRequest).not.toHaveBeenCalled();
  change(document, new Range(1, 1, 2, 0), '');
  await settled();
  expect(server.asked()).toEqual([2]);
});

test('a row that was joined with another is not gone', () => {
  const { document } = opened('aag 2 1 0 0 1', '24 11');
  change(document, new Range(1, 1, 2, 0), '');
  expect(server.sendRequest).not.toHaveBeenCalled();
});

test('the header, what is undone, other languages and other settings are left alone', () => {
  const { document, editor } = opened('aag 2 1 0 0 1', '2', '4 11');
  change(document, new Range(0, 4, 0, 5), '3');
  move(editor, 1);
  change(document, new Range(2, 4, 2, 6), '', 1);
  move(editor, 1);
  configured.set('formatOnType', false);
  change(document, new Range(2, 4, 2, 6), '');
  move(editor, 1);
  configured.set('formatOnType', true);
  document.languageId = 'plaintext';
  change(document, new Range(2, 4, 2, 6), '');
  move(editor, 1);
  expect(server.sendRequest).not.toHaveBeenCalled();
});

test('an answer about an older text is dropped', async () => {
  const { document, editor } = opened('aag 2 1 0 0 1', '2', '4 11');
  let answer = (_edits: (typeof header)[]) => {};
  server.sendRequest.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
  change(document, new Range(2, 4, 2, 6), '');
  move(editor, 1);
  change(document, new Range(1, 1, 1, 1), '0');
  answer([header]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(editor.edit).not.toHaveBeenCalled();
});

test('saving counts the row that is being worked on, unless the editor saves by itself', async () => {
  const { document } = opened('aag 2 1 0 0 1', '2', '4 11');
  change(document, new Range(2, 4, 2, 6), '');
  const waitUntil = vi.fn();
  events.willSave.fire({ document, reason: TextDocumentSaveReason.AfterDelay, waitUntil });
  expect(waitUntil).not.toHaveBeenCalled();
  events.willSave.fire({ document, reason: TextDocumentSaveReason.Manual, waitUntil });
  expect(await waitUntil.mock.calls[0]![0]).toEqual([header]);
});
