import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the extension', () => {
  it('is there', async () => {
    const extension = vscode.extensions.getExtension('aiglens.aiglens');
    assert(extension);
    const document = await vscode.workspace.openTextDocument({ language: 'aiger', content: 'aag 0 0 0 0 0\n' });
    await vscode.window.showTextDocument(document);
    await extension.activate();
    assert(extension.isActive);
  });
});
