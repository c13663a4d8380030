// A folder that is not trusted, with settings of its own that name a server and a
// cell library.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Drawn } from '../../src/extension';
import { agentTools, errorsOf, eventually, openExample } from './support';

describe('a folder that is not trusted', () => {
  let drawn: Drawn;
  const folder = () => vscode.workspace.workspaceFolders![0]!.uri.fsPath;

  before(async () => {
    drawn = await vscode.extensions.getExtension<Drawn>('aiglens.aiglens')!.activate();
  });

  it('is one', () => assert.equal(vscode.workspace.isTrusted, false));

  it('chooses neither the server nor a cell library', () => {
    const settings = vscode.workspace.getConfiguration('aiglens');
    assert.equal(settings.get('server.path'), '');
    assert.equal(settings.get('blif.genlib'), '');
    assert.equal(settings.get('check.trigger'), 'onType');
    assert.equal(existsSync(join(folder(), 'started')), false);
  });

  it('has its texts diagnosed, and nothing checked', async () => {
    const { document, replace } = await openExample('counter.aag', 'own.aag');
    const uri = document.uri.toString();
    await eventually('the properties', () => drawn.model.file(uri)?.properties.size);
    await replace('aag', 'aag ');
    await document.save();
    for (const command of ['aiglens.check', 'aiglens.recheckFailed', 'aiglens.checkWorkspace']) {
      await assert.rejects(async () => vscode.commands.executeCommand(command, command === 'aiglens.check' ? { uri } : {}), /not trusted/, command);
    }
    await replace('aag', 'agg');
    await eventually('the error', () => errorsOf(document).length > 0);
    for (const { verdict, freshness } of drawn.model.file(uri)!.properties.values()) {
      assert.equal(verdict, 'none');
      assert.ok(freshness === 'fresh' || freshness === 'stale', freshness);
    }
    assert.equal(drawn.statusBar.text, '$(shield) untrusted: nothing is checked');
  });

  it('follows no .search line', async () => {
    const path = join(folder(), 'search.blif');
    writeFileSync(path, '.model top\n.inputs x\n.outputs bad\n.search pipeline.blif\n.subckt pipeline x=bad\n.end\n');
    const document = await vscode.workspace.openTextDocument(path);
    await eventually('that the model is unknown', () => vscode.languages.getDiagnostics(document.uri).some(({ message }) => message.includes('pipeline')));
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', document.uri);
    assert.deepEqual(links, []);
  });

  it('gives agents no tools', async function () {
    if (vscode.lm.registerMcpServerDefinitionProvider === undefined) this.skip();
    assert.deepEqual(await agentTools(), []);
  });
});
