// Documents about proofs: what they say once the circuit has been edited.
import { beforeEach, expect, test, vi } from 'vitest';
import { registerProofs, showProof } from '../../src/proof';
import { StatusModel } from '../../src/status';
import { events, Uri, window, workspace } from './vscode';

const circuit = { uri: Uri.file('/w/a.aag'), version: 1 };
const other = { uri: Uri.file('/w/b.aag'), version: 1 };
const execute = vi.fn(async (_command: unknown, _about: unknown) => ({ text: `checked ${execute.mock.calls.length}\n`, links: [], version: circuit.version, property: 'bad:0', name: 'never', circuit: 'c1' }));

let content: (document: Uri) => Promise<string>;
let shown: Uri;
let model: StatusModel;

beforeEach(() => {
  circuit.version = 1;
  execute.mockClear();
  workspace.textDocuments.splice(0, workspace.textDocuments.length, circuit, other);
  vi.mocked(workspace.openTextDocument).mockImplementation(async (uri: unknown) => ({ uri: (shown = uri as Uri) }) as never);
  window.showTextDocument = vi.fn() as never;
  registerProofs({ execute } as never, (model = new StatusModel()));
  const [, provider] = vi.mocked(workspace.registerTextDocumentContentProvider).mock.calls.at(-1) as unknown as [string, { provideTextDocumentContent: typeof content }];
  content = provider.provideTextDocumentContent;
});

async function open(): Promise<string> {
  await showProof('file:///w/a.aag', 'bad:0');
  const text = await content(shown);
  workspace.textDocuments.push({ uri: shown, getText: () => text });
  return text;
}

function edit(document: { uri: Uri; version: number }, languageId = 'aiger'): void {
  document.version++;
  events.text.fire({ document: { ...document, languageId }, contentChanges: [{}] });
}

test('a document about an earlier text says so, until it is shown again', async () => {
  expect(await open()).toBe('checked 1\n');
  edit(other);
  expect(await content(shown)).toBe('checked 2\n');
  edit(circuit);
  expect(await content(shown)).toBe('a.aag has changed, or a circuit beside it: this is about the text before. Show it again for the present one.\n\nchecked 1\n');
  expect(await open()).toBe('checked 3\n');
});

test('an answer that an edit overtakes is one about an earlier text', async () => {
  execute.mockImplementationOnce(async () => {
    edit(circuit);
    return { text: 'checked\n', links: [], version: 1, property: 'bad:0', name: 'never', circuit: 'c1' };
  });
  expect(await open()).toMatch(/^a.aag has changed.*\n\nchecked\n$/);
});

test('a document that comes back with a window begins no search', async () => {
  const back = (kind: string) => content(Uri.from({ scheme: 'aiglens-proof', path: '/a.txt', query: JSON.stringify(['file:///w/a.aag', 'bad:0', kind]) }));
  expect(await back('isolation')).toContain('Find What Makes the Property Hard');
  expect(execute).not.toHaveBeenCalled();
  expect(await back('proof')).toBe('checked 1\n');
});

const tell = (told: object) =>
  model.apply({ uri: 'file:///w/a.aag', version: 1, whole: true, properties: [{ property: 'bad:0', name: 'never', verdict: 'proved', freshness: 'fresh', circuit: 'c1', ...told }] } as never);

test.each([
  ['the circuit is another one', { circuit: 'c2' }],
  ['the verdict is about an earlier text', { circuit: undefined, freshness: 'stale' }],
  ['another property has its place', { name: 'else' }],
])('without an edit a document says so when %s, until that is taken back', async (_, told) => {
  tell({});
  expect(await open()).toBe('checked 1\n');
  tell({ freshness: 'running' });
  expect(await content(shown)).toBe('checked 2\n');
  tell(told);
  expect(await content(shown)).toMatch(/^a.aag has changed.*\n\nchecked 2\n$/);
  tell({});
  expect(await content(shown)).toBe('checked 3\n');
});

test('an answer that a status overtakes is one about an earlier text', async () => {
  tell({});
  execute.mockImplementationOnce(async () => {
    tell({ circuit: 'c2' });
    return { text: 'checked\n', links: [], version: 1, property: 'bad:0', name: 'never', circuit: 'c1' };
  });
  expect(await open()).toMatch(/^a.aag has changed.*\n\nchecked\n$/);
});

test('an answer that an edit of a model overtakes is one about an earlier text', async () => {
  const top = { uri: Uri.file('/w/top.blif'), version: 1 };
  const models = { uri: Uri.file('/w/lib.blif'), version: 1 };
  workspace.textDocuments.push(top, models);
  execute.mockImplementationOnce(async () => {
    edit(models, 'blif');
    return { text: 'checked\n', links: [], version: 1, property: 'bad:0', name: 'never', circuit: 'c1' };
  });
  await showProof('file:///w/top.blif', 'bad:0');
  expect(await content(shown)).toMatch(/^top.blif has changed.*\n\nchecked\n$/);
});
