// What changes a file, and binary files shown as text, in the real extension
// host. A test that saves does so in a copy of its own.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { errorsOf, eventually, hoverText, lenses, lensTitled, openExample, position } from './support';

const { executeCommand } = vscode.commands;

async function apply(edit: vscode.WorkspaceEdit | undefined): Promise<void> {
  assert(edit);
  assert(await vscode.workspace.applyEdit(edit));
}

const rows = (document: vscode.TextDocument) => document.getText().split('\n');

/** Makes the refactoring or source action whose title starts so. */
async function act(document: vscode.TextDocument, at: vscode.Position, kind: string, title: string): Promise<void> {
  const actions = await executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    document.uri,
    new vscode.Range(at, at),
    kind,
    50, // with their edits
  );
  const action = actions.find((action) => action.title.startsWith(title));
  assert(action, `${title} among ${actions.map((action) => action.title).join(', ')}`);
  await apply(action.edit);
}

describe('rename', () => {
  it('of a name changes its symbol line', async () => {
    const { document } = await openExample('semaphore2.aag');
    const at = position(document, '18 69 1');
    await apply(await executeCommand('vscode.executeDocumentRenameProvider', document.uri, at, 'token'));
    await eventually('the name', () => rows(document).some((row) => /^l\d+ token$/.test(row)));
  });

  it('of a number changes every use', async () => {
    const { document } = await openExample('semaphore2.aag');
    await apply(await executeCommand('vscode.executeDocumentRenameProvider', document.uri, position(document, '44 20 14'), '500'));
    assert(rows(document).includes('500 20 14'));
    assert(rows(document).includes('46 500 18'));
    await eventually('no error', () => errorsOf(document).length === 0);
  });
});

describe('completion', () => {
  it('offers literals by name', async () => {
    const { document, replace } = await openExample('semaphore2.aag');
    await replace('46 44 18', '46 44 fre');
    const { items } = await executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      position(document, '46 44 fre', undefined, 9).translate(0, 9),
      undefined,
      5,
    );
    const free = items.find(({ label }) => (typeof label === 'string' ? label : label.label) === 'free');
    assert(free, JSON.stringify(items.map(({ label }) => label)));
    assert.equal(free.insertText ?? free.textEdit?.newText, '18');
  });
});

describe('formatting', () => {
  it('on save comes before the check, which sees the formatted text', async () => {
    const editor = vscode.workspace.getConfiguration('editor', { languageId: 'aiger' });
    await editor.update('formatOnSave', true, vscode.ConfigurationTarget.Global, true);
    try {
      const { document, replace } = await openExample('semaphore2.aag', 'formatted.aag');
      await replace('46 44 18', '46 18  44');
      await document.save();
      await eventually('the canonical row', () => rows(document).includes('46 44 18'));
      await eventually('proved', () => lensTitled(document, /^proved/));
      assert(!document.isDirty);
    } finally {
      await editor.update('formatOnSave', undefined, vscode.ConfigurationTarget.Global, true);
    }
  });

  it('makes line ends those of the format', async () => {
    const { document } = await openExample('counter.aag', 'windows.aag');
    const editor = vscode.window.activeTextEditor;
    assert(await editor?.edit((edit) => edit.setEndOfLine(vscode.EndOfLine.CRLF)));
    assert.equal(document.eol, vscode.EndOfLine.CRLF);
    await eventually('an error', () => errorsOf(document).length > 0);
    await executeCommand('editor.action.formatDocument');
    await eventually('LF', () => document.eol === vscode.EndOfLine.LF);
    await eventually('no error', () => errorsOf(document).length === 0);
  });

  it('leaves a file alone whose structure is in doubt', async () => {
    const { document, replace } = await openExample('semaphore2.aag');
    await replace('46 44 18', '46 44');
    const edits = await executeCommand<vscode.TextEdit[] | undefined>('vscode.executeFormatDocumentProvider', document.uri, {});
    assert.deepEqual(edits ?? [], []);
  });

  it('while typing renews the header', async () => {
    const { document, editor } = await openExample('semaphore2.aag');
    const row = position(document, '46 44 18').line;
    const [, , , , , before] = rows(document)[0]?.split(' ') ?? [];
    const end = document.lineAt(row).range.end;
    editor.selection = new vscode.Selection(end, end);
    for (const text of ['\n', '500 46 44', '\n']) await executeCommand('type', { text });
    await eventually('the header', () => rows(document)[0]?.split(' ')[5] === String(Number(before) + 1));
  });
});

describe('actions', () => {
  it('add a latch, with the header', async () => {
    const { document } = await openExample('semaphore2.aag');
    const count = () => Number(rows(document)[0]?.split(' ')[3]);
    const before = count();
    await act(document, position(document, '18 69 1'), 'refactor', 'Add a latch');
    assert.equal(count(), before + 1);
    await eventually('no error', () => errorsOf(document).length === 0);
  });

  it('rewrite the whole file as one change', async () => {
    const { document } = await openExample('semaphore2.aag');
    const before = document.getText();
    await act(document, new vscode.Position(0, 0), 'refactor', 'Turn all bads into outputs');
    assert.equal(rows(document)[0]?.split(' ')[6] ?? '0', '0');
    await executeCommand('undo');
    assert.equal(document.getText(), before);
  });
});

describe('binary files', () => {
  const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const shown = () => vscode.window.activeTextEditor?.document;
  const text = 'aag 3 2 0 0 1 1\n2\n4\n6\n6 4 2\ni0 request\n';

  it('are shown as text with every feature, and cannot be changed', async () => {
    const path = join(folder(), 'and.aig');
    writeFileSync(path, 'aig 3 2 0 0 1 1\n6\n\x02\x02i0 request\n', 'latin1');
    await executeCommand('vscode.open', vscode.Uri.file(path));
    const document = await eventually('the text', () => (shown()?.uri.scheme === 'aiglens-aig' ? shown() : undefined));
    assert.equal(document.getText(), text);
    assert.equal(document.languageId, 'aiger');
    await eventually('a hover', async () => /`request`/.test(await hoverText(document, new vscode.Position(1, 0))));
    await executeCommand('aiglens.checkFile');
    await eventually('refuted', () => lensTitled(document, /^refuted at step 0/));
    await executeCommand('type', { text: 'x' });
    assert.equal(document.getText(), text);

    writeFileSync(path, 'aig 2 2 0 0 0 1\n4\n', 'latin1');
    await eventually('the new text', () => document.getText() === 'aag 2 2 0 0 0 1\n2\n4\n4\n');
  });
});

describe('other views of a file', () => {
  it('get no lenses: what is not being worked on has no verdict', async () => {
    const provider = vscode.workspace.registerTextDocumentContentProvider('before', {
      provideTextDocumentContent: () => 'aag 1 1 0 0 0 1\n2\n2\n',
    });
    try {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.parse('before:/a.aag'));
      assert.equal(document.languageId, 'aiger');
      await openExample('semaphore2.aag');
      await eventually('lenses of a file', async () => (await lenses(vscode.window.activeTextEditor!.document)).length > 0);
      assert.deepEqual(await lenses(document), []);
    } finally {
      provider.dispose();
    }
  });
});
