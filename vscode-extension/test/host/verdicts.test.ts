// The life of verdicts with the real server: gutter, status bar and Test Explorer
// after a save, an edit, its undoing, a stop; the workspace, history, documents
// that are not files of the first folder.
import assert from 'node:assert/strict';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Drawn } from '../../src/extension';
import { hardCircuit } from './hard';
import { eventually, lensTitled, openExample, type OpenFile } from './support';

const { executeCommand } = vscode.commands;

const drawn = () => vscode.extensions.getExtension<Drawn>('aiglens.aiglens')!.exports;
const folder = (index: number) => vscode.workspace.workspaceFolders![index]!.uri.fsPath;

/** What every place says of a document, in few words. */
function seen(document: vscode.TextDocument) {
  const { model, gutter, statusBar, tests } = drawn();
  const uri = document.uri.toString();
  const editor = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  return {
    model: [...(model.file(uri)?.properties.values() ?? [])].map(({ verdict, freshness }) => `${verdict}/${freshness}`),
    gutter: Object.fromEntries([...(editor ? gutter.marksIn(editor) : [])].map(([mark, lines]) => [mark, lines.length])),
    bar: statusBar.text,
    tests: (tests.explorer?.showing(uri) ?? []).map(([, state]) => state),
  };
}

async function becomes(document: vscode.TextDocument, expected: Partial<ReturnType<typeof seen>>): Promise<void> {
  const part = () => Object.fromEntries(Object.entries(seen(document)).filter(([place]) => place in expected));
  await eventually('what is shown', () => {
    try {
      assert.deepEqual(part(), expected);
      return true;
    } catch {
      return undefined;
    }
  }).catch(() => assert.deepEqual(part(), expected));
}

/** lift.aag in a copy of its own, checked by a save: proved, refuted, proved. */
async function savedLift(name: string): Promise<OpenFile> {
  const lift = await openExample('lift.aag', name);
  await eventually('the server knows it', () => seen(lift.document).model.length === 3);
  await lift.replace('\nc\n', '\nc\nsaved\n');
  await lift.document.save();
  await becomes(lift.document, {
    model: ['proved/fresh', 'refuted/fresh', 'proved/fresh'],
    bar: '$(circuit-board) 2 proved, 1 refuted',
    gutter: { proved: 2, refuted: 1 },
  });
  return lift;
}

const hard: string[] = []; // files

async function openHard(name: string, properties: number): Promise<vscode.TextDocument> {
  const path = join(folder(0), name);
  hard.push(path);
  writeFileSync(path, hardCircuit(20, properties));
  const document = await vscode.workspace.openTextDocument(path);
  await vscode.window.showTextDocument(document);
  await eventually('the server knows it', () => seen(document).model.length === properties);
  return document;
}

const isActive = (state: string) => /running|queued/.test(state);

describe('verdicts', () => {
  it('of a save are the same everywhere', async () => {
    const { document } = await savedLift('everywhere.aag');
    await becomes(document, {
      gutter: { proved: 2, refuted: 1 },
      bar: '$(circuit-board) 2 proved, 1 refuted',
      tests: ['proved/fresh', 'refuted/fresh', 'proved/fresh'],
    });
    const items = drawn().tests.explorer!.showing(document.uri.toString());
    assert.deepEqual(items.map(([item]) => item.label), ['moves_with_open_door', 'runs_past_the_end', 'on_two_floors']);
    await executeCommand('aiglens.goToProperty', items[1]?.[0]);
    const marks = drawn().gutter.marksIn(vscode.window.activeTextEditor!);
    assert.deepEqual(marks.get('refuted'), [vscode.window.activeTextEditor?.selection.active.line]);
  });

  it('are stale after an edit of their cones everywhere, and fresh after its undoing', async () => {
    const { document } = await savedLift('stale.aag');
    const before = document.getText();
    const [header] = before.split('\n');
    const counts = header!.split(' ').map(Number);
    // The next row of the first latch: its line follows those of the inputs.
    const latch = document.lineAt(1 + counts[2]!);
    const edit = new vscode.WorkspaceEdit();
    const [lit, next, ...reset] = latch.text.split(' ');
    edit.replace(document.uri, latch.range, [lit, Number(next) ^ 1, ...reset].join(' '));
    await vscode.workspace.applyEdit(edit);
    await eventually('stale', () => seen(document).model.some((state) => state.endsWith('/stale')));
    await becomes(document, { tests: seen(document).model });
    const { gutter, bar, model } = seen(document);
    const stale = model.filter((state) => state.endsWith('/stale')).length;
    assert.equal((gutter['staleProved'] ?? 0) + (gutter['staleRefuted'] ?? 0), stale, JSON.stringify(gutter));
    assert(bar?.includes(`${stale} stale`), bar);
    await executeCommand('undo');
    assert.equal(document.getText(), before);
    await becomes(document, {
      model: ['proved/fresh', 'refuted/fresh', 'proved/fresh'],
      gutter: { proved: 2, refuted: 1 },
      tests: ['proved/fresh', 'refuted/fresh', 'proved/fresh'],
    });
  });

  it('are nowhere fresh beside a syntax error', async () => {
    const { document, replace } = await savedLift('error.aag');
    const header = document.lineAt(0).text;
    await replace(header, `${header} nonsense`);
    await eventually('no fresh verdict', () => !seen(document).model.some((state) => /(proved|refuted)\/fresh/.test(state)));
    // Both follow the messages of the server, of which one may still be on its way.
    await eventually('tests that say what the model says', () => {
      const { model, tests } = seen(document);
      return (model.length === 3 && model.join() === tests.join()) || undefined;
    });
    const { gutter, bar } = seen(document);
    assert(!('proved' in gutter) && !('refuted' in gutter), JSON.stringify(gutter));
    assert(bar !== undefined && !/proved|refuted/.test(bar), bar);
  });

  it('move with their rows', async () => {
    const { editor } = await savedLift('rows.aag');
    const lines = () => [...drawn().gutter.marksIn(editor)].flatMap(([, of]) => of).sort((a, b) => a - b);
    const before = await eventually('marks', () => lines().length === 3 && lines());
    await editor.edit((edit) => edit.insert(new vscode.Position(before[0]!, 0), '\n'));
    await eventually('moved marks', () => lines().every((line, index) => line === before[index]! + 1) || undefined);
    await executeCommand('undo');
    await eventually('marks where they were', () => lines().every((line, index) => line === before[index]) || undefined);
  });
});

describe('stopping', () => {
  // Later tests should not check them.
  after(() => hard.forEach((path) => rmSync(path)));

  it('works from the status bar, and nothing goes on', async () => {
    const document = await openHard('bar.aag', 3);
    void executeCommand('aiglens.checkFile');
    await eventually('running', () => seen(document).model.includes('none/running'));
    await eventually('the bar', () => seen(document).bar === '$(sync~spin) 2 being checked, 1 queued');
    await becomes(document, { gutter: { running: 2, queued: 1 }, tests: ['running', 'running', 'queued'] });
    const stopped = executeCommand('aiglens.stopAllChecks');
    assert.equal(seen(document).bar, '$(loading~spin) stopping…');
    await stopped;
    await becomes(document, {
      model: Array(3).fill('none/stale'),
      bar: '$(circuit-board) 3 not checked',
      gutter: {},
      tests: Array(3).fill('skipped'),
    });
  });

  it('works from the lens, for one property', async () => {
    const document = await openHard('lens.aag', 2);
    void executeCommand('aiglens.checkFile');
    await eventually('running', () => seen(document).model.every((state) => state === 'none/running') || undefined);
    const lens = await eventually('the lens', () => lensTitled(document, /^checking/));
    void executeCommand(lens.command, ...(lens.arguments ?? []));
    await eventually('one runs', () => seen(document).model.filter(isActive).length === 1);
    await executeCommand('aiglens.stopChecks');
    await eventually('none runs', () => !seen(document).model.some(isActive));
  });

  it('works from the Test Explorer', async () => {
    const document = await openHard('tests.aag', 2);
    await eventually('running', async () => {
      const { model, tests } = seen(document);
      if (!model.some(isActive)) {
        // Once more: items take a moment until they can be run.
        void executeCommand('testing.runCurrentFile');
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
      return tests.every((state) => state === 'running');
    });
    await executeCommand('testing.cancelRun');
    await becomes(document, { model: ['none/stale', 'none/stale'] });
    // Skipped by this run, or shown by none, when another one followed the checks.
    await eventually('no item that runs', () => seen(document).tests.every((state) => state === 'skipped' || state === undefined));
  });
});

describe('the Test Explorer', () => {
  it('checks what it is asked to run, and runs what failed again', async () => {
    // Items have a file, by which VS Code finds them, where it draws the gutter itself.
    const settings = vscode.workspace.getConfiguration('aiglens');
    await settings.update('gutter.enabled', false, vscode.ConfigurationTarget.Global);
    const { document } = await openExample('lift.aag', 'run.aag');
    await eventually('items', () => seen(document).tests.length === 3);
    await eventually('their file', () => drawn().tests.explorer?.showing(document.uri.toString())[0]?.[0].uri !== undefined);
    const again = async (command: string) => {
      // Once more: items and results take a moment until they can be run.
      void executeCommand(command);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    };
    await eventually('a run', async () => {
      await again('testing.runCurrentFile');
      return seen(document).tests.some((state) => state !== undefined);
    });
    await becomes(document, { tests: ['proved/fresh', 'refuted/fresh', 'proved/fresh'] });
    const checks = async () => (await executeCommand<{ property: string }[]>('aiglens.history', { uri: document.uri.toString() })).map(({ property }) => property);
    const before = (await checks()).length;
    await eventually('one more check', async () => {
      await again('testing.reRunFailTests');
      return (await checks()).length > before;
    });
    assert.deepEqual([...new Set((await checks()).slice(0, -before))], ['bad:1']);
    await settings.update('gutter.enabled', undefined, vscode.ConfigurationTarget.Global);
  });
});

describe('the workspace', () => {
  it('is checked with the files that are not open, in every folder', async () => {
    copyFileSync(join(folder(0), 'lift.aag'), join(folder(1), 'second.aag'));
    await executeCommand('aiglens.checkAllCircuits');
    const of = (path: string) => [...(drawn().model.file(vscode.Uri.file(path).toString())?.properties.values() ?? [])];
    await eventually('a file of the first folder', () => of(join(folder(0), 'river_crossing.aag')).some(({ verdict }) => verdict === 'refuted'));
    const second = join(folder(1), 'second.aag');
    await eventually('a file of the second folder', () => of(second).map(({ verdict }) => verdict).join() === 'proved,refuted,proved');
    assert.equal(drawn().model.file(vscode.Uri.file(second).toString())?.version, null);
    const items = () => drawn().tests.explorer!.showing(vscode.Uri.file(second).toString());
    const [[item]] = await eventually('its items', () => (items().length === 3 ? (items() as [[vscode.TestItem, string]]) : undefined));
    assert.equal(item.parent?.parent?.label, 'second');
    await executeCommand('aiglens.stopAllChecks');
    await eventually('an end', () => drawn().model.quietFor > 0);
  });

  it('has files in a second folder that are checked as those in the first', async () => {
    const path = join(folder(1), 'open.aag');
    copyFileSync(join(folder(0), 'lift.aag'), path);
    const document = await vscode.workspace.openTextDocument(path);
    await vscode.window.showTextDocument(document);
    await eventually('a lens', () => lensTitled(document, /./));
    await executeCommand('aiglens.checkFile');
    await becomes(document, { bar: '$(circuit-board) 2 proved, 1 refuted', gutter: { proved: 2, refuted: 1 } });
  });
});

describe('documents that are not files', () => {
  it('have verdicts when they are untitled', async () => {
    const content = 'aag 2 1 1 0 0 1\n2\n4 2\n4\n';
    const document = await vscode.workspace.openTextDocument({ content, language: 'aiger' });
    await vscode.window.showTextDocument(document);
    await eventually('a lens', () => lensTitled(document, /^check$/));
    await executeCommand('aiglens.checkFile');
    await becomes(document, { model: ['refuted/fresh'], bar: '$(circuit-board) 1 refuted', gutter: { refuted: 1 }, tests: ['refuted/fresh'] });
    await eventually('the lens', () => lensTitled(document, /^refuted/));
  });

  it('have verdicts when they are decoded and cannot be written', async () => {
    const path = join(folder(0), 'readonly.aig');
    writeFileSync(path, 'aig 3 2 0 0 1 1\n6\n\x02\x02i0 request\n', 'latin1');
    await executeCommand('vscode.open', vscode.Uri.file(path));
    const shown = () => vscode.window.activeTextEditor?.document;
    const document = await eventually('the text', () => (shown()?.uri.scheme === 'aiglens-aig' ? shown() : undefined));
    await eventually('a lens', () => lensTitled(document, /./));
    await executeCommand('aiglens.checkFile');
    await becomes(document, { model: ['refuted/fresh'], bar: '$(circuit-board) 1 refuted', gutter: { refuted: 1 }, tests: ['refuted/fresh'] });
  });
});

describe('history and navigation', () => {
  it('history is a text that cannot be changed, and follows', async () => {
    const { document } = await savedLift('history.aag');
    await executeCommand('aiglens.showHistory');
    const history = await eventually('the text', () => vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'aiglens-history'));
    const rows = () => history.getText().trim().split('\n').slice(3);
    await eventually('three verdicts', () => rows().length === 3);
    assert(rows().some((row) => /runs_past_the_end \(bad:1\) +refuted at step 4/.test(row)), history.getText());
    await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    await executeCommand('aiglens.recheck');
    await eventually('a fourth', () => rows().length === 4);
    await vscode.window.showTextDocument(history);
    const text = history.getText();
    await executeCommand('type', { text: 'x' });
    assert.equal(history.getText(), text);
  });

  it('statistics are a text that follows when the file is saved', async () => {
    const { document } = await savedLift('stats.aag');
    await executeCommand('aiglens.showStats');
    const stats = await eventually('the text', () => vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'aiglens-stats'));
    await eventually('the sizes', () => /^The circuit of stats\.aag\n\n +inputs +3\n +latches +7 /.test(stats.getText()));
    assert(/bad:1 \(runs_past_the_end\) +3 +7 +30\n/.test(stats.getText()), stats.getText());
    const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'x'));
    await document.save();
    await eventually('the errors', () => /^The text has \d+ errors?\./m.test(stats.getText()));
  });

  it('the next refuted property is where the cursor goes', async () => {
    const { document, editor } = await savedLift('next.aag');
    const line = drawn().model.file(document.uri.toString())!.properties.get('bad:1')!.range.start.line;
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await executeCommand('aiglens.nextRefuted');
    assert.equal(vscode.window.activeTextEditor?.document, document);
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, line);
  });
});

describe('settings', () => {
  it('take gutter, status bar and tests away and bring them back', async () => {
    const { document } = await savedLift('settings.aag');
    const all = seen(document);
    const settings = vscode.workspace.getConfiguration('aiglens');
    const names = ['gutter.enabled', 'statusBar.enabled', 'tests.enabled'];
    for (const name of names) await settings.update(name, false, vscode.ConfigurationTarget.Global);
    await becomes(document, { gutter: {}, bar: undefined, tests: [] });
    await settings.update('tests.enabled', true, vscode.ConfigurationTarget.Global);
    const item = await eventually('an item', () => drawn().tests.explorer?.showing(document.uri.toString())[0]?.[0]);
    assert.equal(item.uri?.toString(), document.uri.toString());
    assert.equal(item.range?.start.line, drawn().model.file(document.uri.toString())?.properties.get('bad:0')?.range.start.line);
    for (const name of names) await settings.update(name, undefined, vscode.ConfigurationTarget.Global);
    await becomes(document, { gutter: all.gutter, bar: all.bar, tests: all.model });
  });
});
