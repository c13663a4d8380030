// A circuit compared with the last commit: the lens, both texts side by side, and back. With
// AIGLENS_SCREENSHOTS=1 with pictures in each theme.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Editor as Vscode } from '../lib/editor';
import { camera, shownThemes } from './pictures';
import { openFile, openPackaged } from './session';

/** Makes the workspace a repository with one commit of a file, which is tracked. */
function commit(vscode: Vscode, file: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', vscode.workspace, '-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', ...args], { stdio: 'ignore' });
  git('init', '-q');
  git('add', file);
  git('commit', '-q', '-m', 'first');
}

test.each(shownThemes)('an edit that changes the function shows beside the last commit, and is taken back: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'aiglens.compare.withLastCommit': true, 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  commit(vscode, 'semaphore2.aag');
  const { page, workbench, path } = await openFile(vscode, 'semaphore2.aag', { width: 1400, height: 760 });
  const take = camera(page, name);
  const editor = await workbench.editor(path);
  await editor.lens('same function as HEAD').waitFor();

  await editor.replaceBefore(25, 9, '9');
  await editor.goTo(1);
  await editor.lens('stale · same function as HEAD').waitFor();
  await editor.save();
  await editor.lens(/^differs from HEAD at step \d+ in two_at_work/).waitFor();
  await take('comparison-lens');

  const diff = page.locator('.monaco-diff-editor');
  await editor.clickLens('differs from HEAD', diff);
  const step = page.locator('#aiglens\\.aiglens\\.aiglens\\.comparison');
  await step.waitFor();
  const [, last] = /step (\d+) of \1$/.exec(await step.innerText()) ?? [];
  expect(Number(last)).toBeGreaterThan(0);
  const notesOf = (side: 'original' | 'modified') =>
    diff.locator(`.editor.${side}`).evaluate((root) => {
      const scope = globalThis as unknown as { getComputedStyle(element: unknown, pseudo: string): { content: string } };
      return [...root.querySelectorAll('.view-line span span')].map((span) => scope.getComputedStyle(span, '::after').content.replaceAll('\u00a0', ' ')).filter((text) => / = [01x]/.test(text));
    });
  await expect.poll(async () => (await notesOf('modified')).some((text) => text.includes('≠'))).toBe(true);
  await expect.poll(async () => (await notesOf('original')).some((text) => text.includes('≠'))).toBe(true);
  // Nothing else stands between the rows and their values: no hint, and no value of the counterexample.
  await expect.poll(() => diff.locator('.editor.modified .view-lines').innerText()).not.toContain('∧');
  await take('comparison');
  await workbench.titleButton('Previous Step of the Comparison');
  await expect.poll(() => step.innerText()).toContain(`step ${Number(last) - 1} of ${last}`);

  // The same as waves, which share the step with the texts.
  await workbench.command('Notifications: Clear All Notifications');
  await workbench.command('aiglens Compare: Show the Difference as Waves');
  const panel = await workbench.panelFrame();
  const rows = async () => (await panel.locator('.row:visible .name').allInnerTexts()).map((text) => text.trim());
  await expect.poll(rows).toEqual(expect.arrayContaining(['two_at_work', 'HEAD: two_at_work']));
  await panel.locator('#live', { hasText: `step ${Number(last) - 1} of ${last}` }).waitFor();
  await workbench.hasKeyboard(panel.locator('#view'));
  await page.keyboard.press('End');
  await expect.poll(() => step.innerText()).toContain(`step ${last} of ${last}`);
  expect(await panel.locator('#why').isVisible()).toBe(false);
  await take('comparison-panel');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await panel.locator('#live', { hasText: `step ${last} of ${last}, where they differ` }).waitFor();
  await diff.locator('.editor.modified .view-lines').click();

  await workbench.command('View: Close Editor');
  await editor.lens('differs from HEAD').waitFor();
  await editor.undo(25, 2);
  await editor.save();
  await editor.goTo(1);
  await editor.lens('same function as HEAD').waitFor();
  await workbench.command('aiglens: Compare with…');
  await workbench.pick('The Last Commit');
  await page.locator('.notification-toast', { hasText: 'same function as HEAD' }).waitFor();

  // A commit, and what is taken back of it, while the window keeps the focus.
  await editor.replaceBefore(25, 9, '9');
  await editor.save();
  await editor.goTo(1);
  await editor.lens('differs from HEAD').waitFor();
  commit(vscode, 'semaphore2.aag');
  await editor.lens(/^same function as HEAD/).waitFor();
  execFileSync('git', ['-C', vscode.workspace, 'reset', '-q', '--soft', 'HEAD~1'], { stdio: 'ignore' });
  await editor.lens('differs from HEAD').waitFor();
  await page.close();
});

/** A chain of three latches: what the first one takes shows at the output three steps later. */
const chain = 'aag 4 1 3 1 0\n2\n4 2\n6 4\n8 6\n8\ni0 a\nl0 first\nl1 second\nl2 third\no0 y\n';

test('an edit that shows three steps later: the lens, both texts, a file with both sides, and back', async () => {
  const vscode = await openPackaged({ 'aiglens.compare.withLastCommit': true });
  onTestFinished(() => vscode.close());
  const name = 'chain.aag';
  writeFileSync(join(vscode.workspace, name), chain);
  commit(vscode, name);
  const { page, workbench, path } = await openFile(vscode, name, { width: 1400, height: 760 });
  const editor = await workbench.editor(path);
  await editor.lens(/^same function as HEAD$/).waitFor();
  await editor.replaceBefore(3, 4, '3');
  await editor.save();
  await editor.goTo(1);
  await editor.lens(/^differs from HEAD at step 3 in y$/).waitFor();
  const diff = page.locator('.monaco-diff-editor');
  await editor.clickLens('differs from HEAD', diff);
  await page.locator('#aiglens\\.aiglens\\.aiglens\\.comparison', { hasText: 'step 3 of 3' }).waitFor();
  // A hover of either text has the values of both in all steps; what comes after the first input does not matter.
  for (const side of ['original', 'modified']) {
    await diff.locator(`.editor.${side} .view-line`).nth(4).hover({ position: { x: 5, y: 9 } });
    const hover = page.locator('.monaco-hover:not(.hidden)', { hasText: 'third differs from step 3 on' });
    await hover.waitFor();
    await page.mouse.move(5, 5);
    await hover.waitFor({ state: 'hidden' });
  }

  await workbench.titleMenu('Save the Difference…');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Save as VCD' }).click();
  const target = join(vscode.workspace, 'chain.differs.output0.vcd');
  const box = page.locator('.quick-input-widget input');
  await expect.poll(() => box.inputValue()).toBe(target);
  await page.keyboard.press('Enter');
  await expect.poll(() => existsSync(target)).toBe(true);
  const vcd = readFileSync(target, 'utf8');
  expect(vcd).toContain('$scope module chain.aag $end');
  expect(vcd).toContain('$scope module HEAD $end');
  // Nothing is overwritten unasked.
  writeFileSync(target, 'mine');
  await workbench.titleMenu('Save the Difference…');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Save as VCD' }).click();
  await expect.poll(() => box.inputValue()).toBe(target);
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-widget', { hasText: 'already exists' }).waitFor();
  expect(readFileSync(target, 'utf8')).toBe('mine');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  await workbench.command('View: Close Editor');
  await editor.lens('differs from HEAD').waitFor();
  await editor.undo(3, 2);
  await editor.save();
  await editor.goTo(1);
  await editor.lens(/^same function as HEAD$/).waitFor();
  await page.close();
});

test('a rename is verified with one click, and what is typed after it is not taken for it', async () => {
  const vscode = await openPackaged();
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'semaphore2.aag', { width: 1400, height: 760 });
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  await editor.goTo(38, 5);
  await workbench.command('Rename Symbol');
  await page.locator('.rename-box input').fill('go_0');
  await page.keyboard.press('Enter');
  await editor.goTo(1);
  await editor.clickLens('verify this edit', page.locator('.notification-toast', { hasText: 'same function as the text before “Rename' }));
  await editor.lens('same function as before this edit').waitFor();
  await workbench.command('Notifications: Clear All Notifications');

  await editor.replaceBefore(25, 9, '9');
  await editor.goTo(1);
  await editor.lens('same function as before this edit').waitFor({ state: 'detached' });
  await workbench.command('aiglens Compare: Verify This Edit');
  await page.locator('.notification-toast', { hasText: 'differs from the text before “Rename' }).waitFor();
  await page.locator('.monaco-diff-editor').waitFor();
  await page.close();
});

test('what a property does not need to fail is left out, in a text beside', async () => {
  const vscode = await openPackaged();
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'semaphore2.aag', { width: 1400, height: 760 });
  const editor = await workbench.editor(path);
  await editor.replaceBefore(25, 9, '9');
  await editor.save();
  await editor.goTo(11);
  await editor.lens(/^refuted/).waitFor();
  await workbench.command('aiglens Edit: Reduce the Circuit to a Counterexample');
  await page.locator('.notification-toast', { hasText: /gates.* are left of 26 gates/ }).waitFor();
  const text = page.locator('.editor-group-container').nth(1).locator('.view-lines');
  await expect.poll(() => text.innerText()).toMatch(/l0\s\w+/);
  await page.close();
});

test('what cannot be compared with the last commit says why', async () => {
  const vscode = await openPackaged();
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'semaphore2.aag');
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  const refused = async (words: string) => {
    await workbench.command('aiglens: Compare with…');
    await workbench.pick('The Last Commit');
    await page.locator('.notification-toast', { hasText: words }).waitFor();
    await workbench.command('Notifications: Clear All Notifications');
  };
  await refused('is in no git repository');
  execFileSync('git', ['-C', vscode.workspace, 'init', '-q']);
  await refused('the repository has no commit yet');
  commit(vscode, 'peterson.aag');
  await refused('is not in the last commit: it is not tracked, or had another name');

  // Unsaved, against the disk.
  await editor.replaceBefore(25, 9, '9');
  await workbench.command('aiglens: Compare with…');
  await workbench.pick('The File on Disk');
  await page.locator('.monaco-diff-editor').waitFor();
  await page.locator('.notification-toast', { hasText: 'differs from the file on disk at step' }).waitFor();
  await page.close();
});
