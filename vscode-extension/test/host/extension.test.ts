// The extension with the real server in the real extension host. The workspace
// is a copy of examples/; a test that saves does so in a copy of its own.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { errorsOf, eventually, hoverText, lenses, lensTitled, openExample, position, rowOf } from './support';

const { executeCommand } = vscode.commands;

before(async () => {
  await openExample('semaphore2.aag');
  await eventually('activation', () => vscode.extensions.getExtension('aiglens.aiglens')?.isActive);
});

afterEach(async () => {
  // Not closeAllEditors, which would ask about files that are not saved.
  while (vscode.window.activeTextEditor !== undefined) {
    await executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
});

describe('activation', () => {
  it('registers the commands of the manifest and those of the server', async () => {
    const known = await vscode.commands.getCommands(true);
    const manifest = ['checkProperty', 'checkFile', 'stopChecks', 'checkAllCircuits', 'stopAllChecks', 'recheck', 'showStatus', 'showHistory', 'showStats'];
    const more = ['goToProperty', 'nextRefuted', 'previousRefuted', 'pickLatch', 'restartServer', 'showLog'];
    const server = ['check', 'stop', 'checkWorkspace', 'recheckFailed', 'properties', 'history', 'stats', 'latches', 'goToLatch', ...more];
    for (const name of [...manifest, ...server]) assert(known.includes(`aiglens.${name}`), name);
  });

  it('knows AIGER by its first line too', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'aag 1 1 0 1 0\n2\n2\n' });
    await vscode.window.showTextDocument(document);
    await eventually('AIGER', () => document.languageId === 'aiger');
  });
});

describe('diagnostics', () => {
  it('point at the number that is wrong, and go when it is right again', async () => {
    const { document, replace } = await openExample('semaphore2.aag');
    await replace('46 44 18', '46 44 218');
    const [error] = await eventually('an error', () => {
      const errors = errorsOf(document);
      return errors.length > 0 && errors;
    });
    assert(error);
    assert.equal(document.getText(error.range), '218');
    await replace('46 44 218', '46 44 18');
    await eventually('no error', () => errorsOf(document).length === 0);
  });
});

describe('features', () => {
  it('hover names a literal by its symbol', async () => {
    const { document } = await openExample('semaphore2.aag');
    assert.match(await hoverText(document, position(document, '18 69 1')), /latch.*`free`/);
  });

  it('definition leads from a use to the definition', async () => {
    const { document } = await openExample('semaphore2.aag');
    const places = await executeCommand<vscode.Location[]>(
      'vscode.executeDefinitionProvider',
      document.uri,
      position(document, '46 44 18', '44'),
    );
    assert.deepEqual(places.map(({ range }) => rowOf(document, range)), ['44 20 14']);
  });

  it('references are the uses of either sign', async () => {
    const { document } = await openExample('semaphore2.aag');
    const places = await executeCommand<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      document.uri,
      position(document, '46 44 18', '44'),
    );
    const rows = document.getText().split('\nc\n')[0]?.split('\n').slice(1) ?? [];
    const using = rows.filter((row) => /\b4[45]\b/.test(row));
    assert.deepEqual(new Set(places.map(({ range }) => rowOf(document, range))), new Set(using));
  });

  it('symbols list what the file defines', async () => {
    const { document } = await openExample('semaphore2.aag');
    const symbols = await executeCommand<vscode.DocumentSymbol[]>('vscode.executeDocumentSymbolProvider', document.uri);
    const names = (some: vscode.DocumentSymbol[]): string[] => some.flatMap(({ name, children }) => [name, ...names(children)]);
    const all = names(symbols).join('\n');
    for (const name of ['move_a', 'wait_b', 'free', 'two_at_work']) assert.match(all, new RegExp(name));
  });
});

describe('checks', () => {
  it('of the property at the cursor end in a lens: proved', async () => {
    const { document, editor } = await openExample('semaphore2.aag');
    await eventually('a lens', () => lensTitled(document, /^check$/));
    const property = position(document, '70', undefined, 1);
    editor.selection = new vscode.Selection(property, property);
    await executeCommand('aiglens.checkProperty');
    await eventually('proved', () => lensTitled(document, /^proved/));
    assert.deepEqual(errorsOf(document), []);
  });

  it('of the whole file end in a lens, an error and a counterexample: refuted', async () => {
    const { document } = await openExample('semaphore2_broken.aag');
    await executeCommand('aiglens.checkFile');
    await eventually('refuted', () => lensTitled(document, /^refuted at step 4/));
    const [error] = await eventually('the error', () => errorsOf(document).length > 0 && errorsOf(document));
    assert(error);
    assert.match(error.message, /two_at_work.*refuted at step 4/);

    const latches = await executeCommand<{ name: string; literal: number; values: string; location: vscode.Location }[]>(
      'aiglens.latches',
      { uri: document.uri.toString(), property: 'bad:0' },
    );
    const work = latches.find(({ name }) => name === 'work_b');
    assert(work);
    assert.equal(work.literal, 16);
    assert.equal(work.values, '00001');
    assert.equal(rowOf(document, work.location.range), '16 61');
    assert.match(await hoverText(document, position(document, '16 61')), /counterexample of `two_at_work`: `0000\[1\]`/);
  });

  it('begin with saving; an edit makes a verdict stale, the same cone gives it back', async () => {
    // Or the proof of an earlier test would be known from the start.
    const settings = vscode.workspace.getConfiguration('aiglens');
    await settings.update('check.cache', false, vscode.ConfigurationTarget.Global);
    const { document, replace } = await openExample('semaphore2.aag', 'saved.aag');
    await replace('46 44 18', '46 44 19');
    await document.save();
    await eventually('refuted', () => lensTitled(document, /^refuted at step 4/));
    await replace('46 44 19', '46 44 18');
    await eventually('stale', () => lensTitled(document, /^stale · refuted/));
    await document.save();
    await eventually('proved', () => lensTitled(document, /^proved/));
    await replace('46 44 18', '46 44 19');
    await eventually('refuted again without a check', () => lensTitled(document, /^refuted at step 4/));
    await settings.update('check.cache', undefined, vscode.ConfigurationTarget.Global);
  });

  it('are not begun by saving when the setting says so', async () => {
    const settings = vscode.workspace.getConfiguration('aiglens');
    await settings.update('check.trigger', 'manual', vscode.ConfigurationTarget.Global);
    try {
      const { document, replace } = await openExample('counter.aag', 'manual.aag');
      await replace('aag ', 'aag  ');
      await replace('aag  ', 'aag ');
      await document.save();
      await eventually('a lens', () => lensTitled(document, /^check$/));
      await executeCommand('aiglens.checkFile');
      await eventually('proved', () => lensTitled(document, /^proved/));
    } finally {
      await settings.update('check.trigger', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('can be stopped when none runs', async () => {
    const { document } = await openExample('semaphore2.aag');
    await eventually('a lens', async () => (await lenses(document)).length > 0);
    await executeCommand('aiglens.stopChecks');
  });
});

describe('latches of a counterexample', () => {
  it('are behind a lens of the refuted property; the first one is previewed, the chosen one stays', async () => {
    const { document, editor } = await openExample('semaphore2_broken.aag');
    await executeCommand('aiglens.checkFile');
    const lens = await eventually('the lens', () => lensTitled(document, /^latches/));
    const before = editor.selection;

    const picked = executeCommand(lens.command, ...(lens.arguments ?? []));
    await eventually('a preview', () => !editor.selection.isEqual(before));
    await executeCommand('workbench.action.quickOpenSelectNext');
    await executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await picked;
    assert.match(rowOf(document, editor.selection), /^(6|8|1[0-8]) \d+( [01])?$/);
  });

  it('leave the cursor where it was when none is chosen', async () => {
    const { document, editor } = await openExample('semaphore2_broken.aag');
    await executeCommand('aiglens.checkFile');
    await eventually('refuted', () => lensTitled(document, /^refuted/));
    const before = position(document, '70', undefined, 1);
    editor.selection = new vscode.Selection(before, before);

    const picked = executeCommand('aiglens.pickLatch');
    await eventually('a preview', () => !editor.selection.active.isEqual(before));
    await executeCommand('workbench.action.closeQuickOpen');
    await picked;
    assert(vscode.window.activeTextEditor?.selection.active.isEqual(before));
  });
});

describe('the server', () => {
  it('can be restarted and works as before', async () => {
    const settings = vscode.workspace.getConfiguration('aiglens');
    await settings.update('check.cache', false, vscode.ConfigurationTarget.Global);
    try {
      const { document } = await openExample('semaphore2.aag');
      await executeCommand('aiglens.checkFile');
      await eventually('proved', () => lensTitled(document, /^proved/));
      await executeCommand('aiglens.restartServer');
      await eventually('a lens of a server that knows nothing yet', () => lensTitled(document, /^check$/));
      await executeCommand('aiglens.checkFile');
      await eventually('proved', () => lensTitled(document, /^proved/));
    } finally {
      await settings.update('check.cache', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('knows after a restart what it found before', async () => {
    const settings = vscode.workspace.getConfiguration('aiglens');
    await settings.update('check.cache', true, vscode.ConfigurationTarget.Global);
    const { document } = await openExample('counter.aag', 'known.aag');
    await eventually('a lens', () => lensTitled(document, /./));
    await executeCommand('aiglens.checkFile');
    await eventually('proved', () => lensTitled(document, /^proved/));
    await executeCommand('aiglens.restartServer');
    await eventually('proved without a check', () => lensTitled(document, /^proved/));
    await settings.update('check.cache', false, vscode.ConfigurationTarget.Global);
  });

  it('is replaced by the one that the setting names, and comes back', async () => {
    const settings = vscode.workspace.getConfiguration('aiglens');
    const { document } = await openExample('semaphore2.aag');
    await eventually('lenses', () => lensTitled(document, /./));
    await settings.update('server.path', '/nowhere/aiglens', vscode.ConfigurationTarget.Global);
    await eventually('no lenses', async () => (await lenses(document)).length === 0);
    await settings.update('server.path', undefined, vscode.ConfigurationTarget.Global);
    await eventually('lenses', () => lensTitled(document, /./));
  });
});
