// A counterexample from a refuted example to every place where it shows: values in
// the text, causes, the trace panel, files, another checker's witness, the debugger.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Drawn } from '../../src/extension';
import { eventually, type OpenFile, openExample, position } from './support';

const { executeCommand } = vscode.commands;
const drawn = () => vscode.extensions.getExtension<Drawn>('aiglens.aiglens')!.exports;
const folder = () => vscode.workspace.workspaceFolders![0]!.uri.fsPath;
const property = 'bad:0';

/** What is drawn at the ends of rows. */
const notes = (editor: vscode.TextEditor) => drawn().notes.textsIn(editor);

/** The broken semaphore, refuted, in the active editor; nothing of it is shown. */
async function broken(): Promise<OpenFile & { uri: string }> {
  const file = await openExample('semaphore2_broken.aag');
  const uri = file.document.uri.toString();
  const verdict = () => drawn().model.file(uri)?.properties.get(property);
  await eventually('the server knows it', () => verdict() !== undefined);
  if (verdict()?.verdict !== 'refuted') await executeCommand('aiglens.checkFile');
  await eventually('a counterexample', () => verdict()?.verdict === 'refuted' && verdict()?.freshness === 'fresh');
  await executeCommand('aiglens.step', { uri, to: 'hide' });
  return { ...file, uri };
}

const shows = (uri: string, step: number | undefined) => eventually(`step ${step}`, () => drawn().counterexamples.steps.shownIn(uri)?.step === step);

describe('the steps of a counterexample', () => {
  it('show in the text, one after the other', async () => {
    const { document, editor, uri } = await broken();
    await executeCommand('aiglens.showValues');
    await shows(uri, 4);
    await eventually('the failing step', () => notes(editor).some((text) => text.endsWith('step 4 of 4: fails')));
    await executeCommand('aiglens.firstStep');
    await shows(uri, 0);
    await eventually('the first step', () => notes(editor).some((text) => text.endsWith('step 0 of 4')));
    await executeCommand('aiglens.nextStep');
    await shows(uri, 1);
    assert.equal(drawn().counterexamples.steps.text, '$(debug-step-over) step 1 of 4');
    // work_b is 1 in the last step only.
    const at = position(document, '16 61');
    editor.selection = new vscode.Selection(at, at);
    await executeCommand('aiglens.nextChange');
    await shows(uri, 4);
    await executeCommand('aiglens.previousStep');
    await shows(uri, 3);
    await executeCommand('aiglens.showValues');
    await shows(uri, undefined);
    await eventually('no values', () => !notes(editor).some((text) => /step \d/.test(text)));
  });
});

describe('why', () => {
  it('is shown of the property in the step in which it fails, to inputs and resets', async () => {
    const { uri } = await broken();
    await executeCommand('aiglens.whyFails');
    await shows(uri, 4);
    const { circuit } = drawn().counterexamples;
    const why = await eventually('the causes', () => circuit.shown?.answer.property?.why ?? undefined);
    assert.deepEqual([why.name, why.value, why.step], ['two_at_work', '1', 4]);
  });

  it('begins at the cursor, too', async () => {
    const { document, editor } = await broken();
    const at = position(document, '18 69 1');
    editor.selection = new vscode.Selection(at, at);
    await executeCommand('aiglens.whyAtCursor');
    const { circuit } = drawn().counterexamples;
    await eventually('the causes', () => circuit.shown?.answer.now?.why?.name === 'free');
  });
});

describe('the trace panel', () => {
  it('opens, draws, shares its step with the text, and takes a gate', async () => {
    const { document, editor, uri, replace } = await broken();
    await executeCommand('aiglens.showTrace');
    const { panels, steps } = drawn().counterexamples;
    const panel = await eventually('a panel', () => panels.of({ uri, property }));
    const shown = await eventually('a picture', () => panel.shown);
    assert.equal(shown.steps, 5);
    assert(shown.rows > 0, 'nothing is in view');
    const before = shown.signals;
    await vscode.window.showTextDocument(document, editor.viewColumn);
    steps.follow({ uri, property, to: '2' });
    await shows(uri, 2);
    const at = position(document, '46 44 14');
    vscode.window.activeTextEditor!.selection = new vscode.Selection(at, at);
    await executeCommand('aiglens.addToTrace');
    await eventually('one signal more', () => panel.shown?.signals === before + 1);
    assert.deepEqual(panel.trace?.signals.at(-1)?.group, 'gates');

    // The slip is mended: what is shown is about an earlier text, whatever becomes of the new one.
    await replace('46 44 14', '46 44 18');
    await eventually('a stale trace', () => panel.trace?.stale);
    assert.equal(panel.trace?.signals.length, before + 1);
    await executeCommand('aiglens.checkFile');
    await eventually('a proof', () => drawn().model.file(uri)?.properties.get(property)?.verdict === 'proved');
    await new Promise((resolve) => setTimeout(resolve, 600));
    assert.equal(panel.trace?.stale, true);
    await replace('46 44 18', '46 44 14');
    await executeCommand('aiglens.checkFile');
    await eventually('a fresh trace', () => panel.trace?.stale === false);
    await eventually('the gate again', () => panel.shown?.signals === before + 1);
    await executeCommand('workbench.action.closeEditorsInOtherGroups');
    await eventually('no panel', () => panels.of({ uri, property }) === undefined);
  });
});

describe('files', () => {
  it('a counterexample goes out and comes in again; one that violates nothing is refused', async () => {
    const { uri } = await broken();
    const { exchange } = drawn().counterexamples;
    const about = { uri, property };
    const witness = await exchange.export(about, 'witness');
    assert.match(witness!.text, /^1\nb0\n/);
    assert.match((await exchange.export(about, 'vcd'))!.text, /\$enddefinitions/);
    assert.equal((JSON.parse((await exchange.export(about, 'json'))!.text) as object) instanceof Object, true);
    await exchange.copy(about);
    assert.match(await vscode.env.clipboard.readText(), /^\|/m);
    const good = join(folder(), 'good.wit');
    const bad = join(folder(), 'bad.wit');
    try {
      writeFileSync(good, witness!.text);
      assert.deepEqual(await exchange.openWitness(uri, vscode.Uri.file(good)), { property, steps: 5 });
      await shows(uri, 4);
      // No input is ever 1.
      writeFileSync(bad, witness!.text.replace(/^[01]{2}$/gm, '00'));
      assert.equal(await exchange.openWitness(uri, vscode.Uri.file(bad)), undefined);
    } finally {
      for (const file of [good, bad]) rmSync(file, { force: true });
    }
  });
});

describe('debugging', () => {
  it('walks through the counterexample of the text in the editor, and back', async () => {
    const { uri } = await broken();
    const stopped: string[] = [];
    const tracker = vscode.debug.registerDebugAdapterTrackerFactory('aiglens', {
      createDebugAdapterTracker: () => ({
        onDidSendMessage: (message: { event?: string; body?: { reason?: string } }) => {
          if (message.event === 'stopped') stopped.push(message.body?.reason ?? '');
        },
      }),
    });
    try {
      await executeCommand('aiglens.debugCounterexample');
      const session = await eventually('a session', () => vscode.debug.activeDebugSession);
      assert.equal(session.configuration['property'], property);
      await eventually('a stop', () => stopped.length === 1);
      const frame = async () => ((await session.customRequest('stackTrace', { threadId: 1 })) as { stackFrames: { name: string }[] }).stackFrames[0]!.name;
      const first = await frame();
      await executeCommand('workbench.action.debug.stepOver');
      await eventually('the next step', () => stopped.length === 2);
      assert.notEqual(await frame(), first);
      await shows(uri, 1); // text and trace panel go with the debugger
      await executeCommand('workbench.action.debug.stepBack');
      await eventually('the step before', () => stopped.length === 3);
      assert.equal(await frame(), first);
      assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uri);
    } finally {
      tracker.dispose();
      await vscode.debug.stopDebugging();
    }
  });
});
