// What helps to read a file of numbers, each feature once in the real extension
// host. Nothing here changes a file on disk.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Drawn } from '../../src/extension';
import { errorsOf, eventually, hoverText, openExample, position } from './support';

const { executeCommand } = vscode.commands;

/** The counter of the examples, and asks for what stands at a place of it. */
async function counter() {
  const { document, replace } = await openExample('counter.aag');
  const ask = <T>(command: string, ...args: unknown[]) =>
    executeCommand<T>(`vscode.${command}`, document.uri, ...args);
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  return { document, replace, ask, all };
}

/** The place of the first input. */
const firstInput = (document: vscode.TextDocument) => position(document, '2');

describe('reading', () => {
  it('hints give names and roles', async () => {
    const { editor } = await openExample('counter.aag');
    const drawn = vscode.extensions.getExtension<Drawn>('aiglens.aiglens')!.exports;
    const texts = await eventually('notes', () => drawn.notes.textsIn(editor).length > 0 && drawn.notes.textsIn(editor));
    assert(texts.some((text) => text.endsWith('input 0')), texts.join(' | '));
    assert(texts.some((text) => /^= .*[a-z]{3,}/.test(text)), texts.join(' | '));
  });

  it('the layout changes at once, and between the numbers hints are those of VS Code', async () => {
    const { editor } = await openExample('counter.aag');
    const { ask, all } = await counter();
    const drawn = vscode.extensions.getExtension<Drawn>('aiglens.aiglens')!.exports;
    const labels = async () => (await ask<vscode.InlayHint[]>('executeInlayHintProvider', all)).map(({ label }) => label);
    await eventually('notes', () => drawn.notes.textsIn(editor).length > 0);
    assert(!(await labels()).some((label) => label === 'AND'));
    const settings = vscode.workspace.getConfiguration('aiglens');
    try {
      await settings.update('inlayHints.layout', 'between', vscode.ConfigurationTarget.Global);
      await eventually('hints between', async () => (await labels()).some((label) => label === 'AND'));
      await eventually('no notes', () => drawn.notes.textsIn(editor).length === 0);
    } finally {
      await settings.update('inlayHints.layout', undefined, vscode.ConfigurationTarget.Global);
    }
    await eventually('notes again', () => drawn.notes.textsIn(editor).length > 0);
  });

  it('tokens tell the kinds of literals apart', async () => {
    const { ask } = await counter();
    const legend = await ask<vscode.SemanticTokensLegend>('provideDocumentSemanticTokensLegend');
    const tokens = await ask<vscode.SemanticTokens>('provideDocumentSemanticTokens');
    const types = new Set<string>();
    for (let i = 3; i < tokens.data.length; i += 5) types.add(legend.tokenTypes[tokens.data[i]!]!);
    assert(types.size >= 3, [...types].join(' '));
  });

  it('highlights show all uses', async () => {
    const { document, ask } = await counter();
    const found = await ask<vscode.DocumentHighlight[]>('executeDocumentHighlights', firstInput(document));
    assert(found.some(({ kind }) => kind === vscode.DocumentHighlightKind.Write));
    assert(found.length >= 2);
  });

  it('folding has the sections and the comment', async () => {
    const { document, ask } = await counter();
    const found = await ask<vscode.FoldingRange[]>('executeFoldingRangeProvider');
    assert(found.length >= 3);
    assert(found.some(({ end }) => end >= document.lineCount - 2));
  });

  it('selection grows from a number to its row and on', async () => {
    const { document, ask } = await counter();
    const at = firstInput(document);
    const [range] = await ask<vscode.SelectionRange[]>('executeSelectionRangeProvider', [at]);
    assert(range?.parent);
    assert(range.parent.range.contains(range.range));
  });

  it('calls are fan-in and fan-out', async () => {
    const { document, ask } = await counter();
    const [item] = await ask<vscode.CallHierarchyItem[]>('prepareCallHierarchy', firstInput(document));
    assert(item);
    const users = await executeCommand<vscode.CallHierarchyIncomingCall[]>('vscode.provideIncomingCalls', item);
    assert(users.length > 0);
    const operands = await executeCommand<vscode.CallHierarchyOutgoingCall[]>('vscode.provideOutgoingCalls', item);
    assert.deepEqual(operands, []);
  });

  it('names are found in the whole workspace', async () => {
    await counter();
    await eventually('a latch of another example', async () => {
      const found = await executeCommand<vscode.SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', 'sleep_a');
      return found.some(({ location }) => location.uri.path.endsWith('semaphore3.aag'));
    });
  });

  it('hover knows level, fan-out and cone', async () => {
    const { document } = await counter();
    const text = await hoverText(document, firstInput(document));
    assert.match(text, /fan-out/);
  });

  it('a fault has its explanation and its fix', async () => {
    const { document, replace, ask, all } = await counter();
    const header = document.lineAt(0).text;
    await replace(header, header.replace('aag', 'aag ')); // two spaces
    const [fault] = await eventually('an error', () => errorsOf(document).length > 0 && errorsOf(document));
    assert(fault && typeof fault.code === 'object' && 'target' in fault.code, JSON.stringify(fault?.code));
    const actions = await ask<vscode.CodeAction[]>('executeCodeActionProvider', all, vscode.CodeActionKind.QuickFix.value, 50);
    const fix = actions.find(({ edit, isPreferred }) => edit !== undefined && isPreferred);
    assert(fix?.edit, actions.map(({ title }) => title).join(' | '));
    assert(await vscode.workspace.applyEdit(fix.edit));
    await eventually('no error', () => errorsOf(document).length === 0);
    assert.equal(document.lineAt(0).text, header);
  });
});
