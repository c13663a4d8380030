// BLIF with the real server in the real extension host.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { errorsOf, eventually, hoverText, lensTitled, openExample, position, rowOf } from './support';

const { executeCommand } = vscode.commands;

const instance = '.subckt account plus2=take2 plus1=take1 clear=drink q1=credit1 q0=credit0';

describe('BLIF', () => {
  it('a check ends in lenses, an error and a counterexample', async () => {
    const { document } = await openExample('vending.blif');
    assert.equal(document.languageId, 'blif');
    await executeCommand('aiglens.checkFile');
    await eventually('proved', () => lensTitled(document, /^proved/));
    await eventually('refuted', () => lensTitled(document, /^refuted at step 2/));
    const [error] = await eventually('the error', () => errorsOf(document).length > 0 && errorsOf(document));
    assert(error);
    assert.match(error.message, /drink_and_coin.*refuted at step 2/);
    const latches = await executeCommand<{ name: string; literal?: number; values: string; location: vscode.Location }[]>(
      'aiglens.latches',
      { uri: document.uri.toString(), property: 'bad:1' },
    );
    assert(latches.every(({ name, literal }) => /^credit1\/q[01]$/.test(name) && literal === undefined), JSON.stringify(latches));
    // They stand in another file, and that is where the way leads.
    const { document: account } = await openExample('account.blif');
    assert.deepEqual(new Set(latches.map(({ location }) => location.uri.toString())), new Set([account.uri.toString()]));
    assert(latches.every(({ location }) => rowOf(account, location.range).startsWith('.latch ')), JSON.stringify(latches));
  });

  it('covers are read back, formals lead to their ports', async () => {
    const { document: account } = await openExample('account.blif');
    const row = '.names q0 plus1 sum0';
    assert.match(await hoverText(account, position(account, row, 'sum0')), /q0 ⊕ plus1/);
    const { document } = await openExample('vending.blif');
    const places = await executeCommand<vscode.Location[]>('vscode.executeDefinitionProvider', document.uri, position(document, instance, 'plus1'));
    assert.deepEqual(places.map(({ uri, range }) => [uri.toString(), rowOf(account, range)]), [[account.uri.toString(), '.inputs plus2 plus1 clear']]);
  });

  it('an edit takes a proof away, and its undoing gives it back', async () => {
    const { document, replace } = await openExample('semaphore.blif', 'saved.blif');
    await replace('.names turn_b wait_b free takes_b\n111 1', '.names turn_b wait_b free takes_b\n11- 1');
    await document.save();
    await eventually('refuted', () => lensTitled(document, /^refuted at step 4/));
    await replace('takes_b\n11- 1', 'takes_b\n111 1');
    await document.save();
    await eventually('proved', () => lensTitled(document, /^proved/));
  });
});
