// A circuit that is simulated in the debugger: from reset, with inputs that are set among the
// variables. With AIGLENS_SCREENSHOTS=1 in each theme, with pictures for the documentation.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../lib/paths';
import { openFile, openPackaged } from './session';

const folder = join(root, 'docs', 'screenshots');
const pictures = process.env['AIGLENS_SCREENSHOTS'] === '1';

const themes = [
  ['dark', 'Default Dark Modern'],
  ['light', 'Default Light Modern'],
  ['high-contrast', 'Default High Contrast'],
] as const;

test.each(pictures ? themes : themes.slice(0, 1))('a simulation in the debugger: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'semaphore2_broken.aag');
  page.setDefaultTimeout(30_000);
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  await workbench.command('aiglens Trace: Simulate the Circuit in the Debugger');
  await page.locator('.debug-toolbar').waitFor();
  const frame = (text: string | RegExp) => page.locator('.debug-call-stack .monaco-list-row', { hasText: text }).first();
  const variable = (text: string | RegExp) => page.locator('.debug-variables .monaco-list-row', { hasText: text }).first();
  await frame('step 0').waitFor();
  await variable(/move_a.*0/).waitFor(); // the view is there, with the inputs open
  const open = (scope: string, inside: Locator) =>
    expect.poll(async () => {
      if ((await variable(scope).getAttribute('aria-expanded')) === 'false') await variable(scope).click();
      return inside.isVisible();
    }, { interval: 1000 }).toBe(true);
  await open('Property', variable('two_at_work'));

  // A value that is set holds in the step that is shown; the next step follows from it.
  await variable('move_a').dblclick();
  const input = page.locator('.debug-variables .monaco-inputbox input');
  await input.fill('1');
  await input.press('Enter');
  await variable(/move_a.*1/).waitFor();
  await page.keyboard.press('F10');
  await frame(/step 1 · .*wait_a 0→1/).waitFor();

  await page.keyboard.press('F5');
  await frame(/step \d+: fails two_at_work/).waitFor();
  const console = page.locator('.repl', { hasText: /Fails in step \d+: two_at_work/ });
  await console.waitFor();
  await page.locator('.exception-widget', { hasText: 'two_at_work' }).waitFor();
  // The views follow one after the other; what they asked of the step before is refused for a moment.
  await variable(/two_at_work.*1 \(was 0\)/).waitFor();
  await variable(/move_b.*[01]/).waitFor();
  await expect.poll(() => page.locator('.debug-variables .monaco-list-row', { hasText: 'there are no variables' }).count()).toBe(0);
  if (pictures) {
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `simulate-${name}.png`), animations: 'disabled' });
  }
  await page.keyboard.press('Shift+F5');
  await expect.poll(() => page.locator('.debug-toolbar:visible').count()).toBe(0);
});
