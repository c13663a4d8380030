// What is different where the extension runs in the page: the project web-extension.
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

test('Verilog has no commands', async () => {
  const { page, workbench, path } = await openFile(vscode, 'semaphore2.aag');
  await (await workbench.editor(path)).lens('check').waitFor();
  await workbench.openFile('counter.sv');
  await workbench.typeInto('F1', '>aiglens: Check All');
  await workbench.quickInput.locator('.monaco-list-row', { hasText: 'Check All Circuits in the Workspace' }).waitFor();
  expect(await workbench.quickInput.locator('.monaco-list-row', { hasText: 'Check All Properties of the File' }).count()).toBe(0);
  await page.close();
});
