// What is different where the extension runs in the page: the project web-extension.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Editor as Vscode } from '../lib/editor';
import { openFile, openPackaged } from './session';

let vscode: Vscode;

beforeAll(async () => {
  vscode = await openPackaged();
});

afterAll(() => vscode?.close());

test('a circuit is compared with another file, and no last commit is offered', async () => {
  const { page, workbench, path } = await openFile(vscode, 'semaphore2.aag');
  await (await workbench.editor(path)).lens('check').waitFor();
  await workbench.command('aiglens: Compare with…');
  const offered = workbench.quickInput.locator('.monaco-list-row .label-name');
  await expect.poll(() => offered.allTextContents()).toEqual([expect.stringContaining('The File on Disk'), expect.stringContaining('Another File…')]);
  await workbench.pick('Another File…');
  await workbench.quickInput.locator('input').first().fill('semaphore2_broken');
  await workbench.pick('semaphore2_broken.aag');
  await page.locator('.notification-toast', { hasText: 'differs from semaphore2_broken.aag at step' }).waitFor();
  await page.close();
});

test('models come from other files of the folder, and a binary file is shown as text', async () => {
  mkdirSync(join(vscode.workspace, 'cells'));
  writeFileSync(join(vscode.workspace, 'top.blif'), '.search cells/inverter.blif\n.model top\n.inputs a\n.outputs y\n# prop: bad y\n.subckt inverter a=a y=y\n.end\n');
  writeFileSync(join(vscode.workspace, 'cells', 'inverter.blif'), '.model inverter\n.inputs a\n.outputs y\n.names a y\n0 1\n.end\n');
  const { page, workbench, path } = await openFile(vscode, 'top.blif');
  const editor = await workbench.editor(path);
  await editor.clickLens('check', editor.lens('refuted at step 0'));
  await page.close();

  writeFileSync(join(vscode.workspace, 'and.aig'), Uint8Array.of(...Buffer.from('aig 3 2 0 1 1\n6\n'), 2, 2));
  const binary = await openFile(vscode, 'and.aig');
  await binary.page.locator('.view-line', { hasText: /^aag 3 2 0 1 1/ }).waitFor();
  await binary.page.close();
});

test('Verilog has no commands', async () => {
  const { page, workbench } = await openFile(vscode, 'semaphore2.aag');
  await workbench.language('AIGER'); // the extension runs
  await workbench.openFile('counter.sv');
  await workbench.typeInto('F1', '>aiglens: Check All Properties');
  await workbench.quickInput.locator('.monaco-list-row', { hasText: 'No matching commands' }).waitFor();
  await page.close();
});
