// A check that ends without an answer leads to what stands in its way. With
// AIGLENS_SCREENSHOTS=1 with pictures in each theme.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { camera, shownThemes } from './pictures';
import { openFile, openPackaged } from './session';
import { squares } from './squares';

test.each(shownThemes)('a timeout leads to what stands in the way: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme, 'aiglens.check.timeout': 2 });
  onTestFinished(() => vscode.close());
  writeFileSync(join(vscode.workspace, 'squares.blif'), squares());
  // High enough for what follows the rows of all latches.
  const { page, workbench, path } = await openFile(vscode, 'squares.blif', { width: 1180, height: 1400 });
  const editor = await workbench.editor(path);
  await editor.clickLens('check', editor.lens('unknown'));
  await editor.lenses(/^unknown: timeout of 2 s, no violation in \d+ steps \| what stands in the way \| suggest lemmas$/);
  const shown = page.locator('.monaco-editor[data-uri^="aiglens-proof"]');
  await editor.clickLens('what stands in the way', shown);
  const line = (text: string) => shown.locator('.view-line', { hasText: text });
  await line('bad is unknown: timeout of 2 s').waitFor();
  await line('NOT KNOWN whether a run from reset gets there').waitFor();
  await line('before  after').waitFor();
  expect(await line('latch').count()).toBeGreaterThan(1);
  await camera(page, name)('obstacle');

  // A signal leads to its definition.
  await workbench.followLink(shown.locator('.detected-link', { hasText: 'sum' }).first());
  await workbench.editor(path);
  await page.close();
});
