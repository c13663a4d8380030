// A small window with the panel at the bottom open: what the trace panel has room for, below a short text and
// beside a long one. With AIGLENS_SCREENSHOTS=1 in each theme.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { areTaken, camera, shownThemes } from './pictures';
import { openFile, openPackaged } from './session';

/** A shift register in BLIF, which fails once a 1 has gone through. Each latch takes two rows more in a long text. */
function shift(latches: number, isLong: boolean): string {
  const names = Array.from({ length: latches }, (_, index) => `stage${index}_q`);
  const rows = names.map((name, index) => `.latch ${index === 0 ? 'in' : names[index - 1]} ${name} 0${isLong ? '\n# a stage\n' : ''}`);
  return ['.model shift', '.inputs in', '.outputs bad', ...rows, `.names ${names.at(-1)} bad`, '1 1', '.end', ''].join('\n');
}

test.each(shownThemes)('twelve signals are in view at 1280 by 720: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  writeFileSync(join(vscode.workspace, 'short.blif'), shift(14, false));
  writeFileSync(join(vscode.workspace, 'long.blif'), shift(14, true));
  for (const file of ['short.blif', 'long.blif']) {
    const { page, workbench, path } = await openFile(vscode, file, { width: 1280, height: 720 });
    const take = camera(page, name);
    const editor = await workbench.editor(path);
    await editor.lens('check').waitFor();
    await workbench.command('View: Toggle Problems');
    await page.locator('.markers-panel').waitFor();
    await editor.goTo(3);
    await editor.clickLens('check', editor.lens('refuted'));
    await editor.clickLens('refuted', page.locator('iframe.webview').first());
    const panel = await workbench.panelFrame();
    await panel.locator('.row', { hasText: 'stage3_q' }).first().waitFor();
    const inView = () => panel.evaluate(() => {
      const scope = globalThis as unknown as { document: { querySelectorAll(selector: string): Iterable<{ getBoundingClientRect(): { top: number; bottom: number } }>; querySelector(selector: string): { getBoundingClientRect(): { bottom: number } } } };
      const end = scope.document.querySelector('#scroll').getBoundingClientRect().bottom;
      return [...scope.document.querySelectorAll('.row:not(.group):not([hidden])')].filter((row) => row.getBoundingClientRect().bottom > row.getBoundingClientRect().top && row.getBoundingClientRect().bottom <= end + 1).length;
    });
    await take(`small-${file}`);
    await expect.poll(inView).toBeGreaterThanOrEqual(12);
    expect(await panel.locator('#bar').evaluate((bar: unknown) => (bar as { offsetHeight: number }).offsetHeight)).toBeLessThan(36);
    // The list to choose from takes no rows.
    await panel.locator('#signals').click();
    await panel.getByRole('treeitem', { name: 'stage3_q' }).waitFor();
    await take(`small-signals-${file}`);
    await expect.poll(inView).toBeGreaterThanOrEqual(12);
    await panel.locator('#signals').click();
    if (areTaken) {
      await panel.locator('#more').click();
      await take(`small-menu-${file}`);
      await page.setViewportSize({ width: 1920, height: 1080 });
      await panel.locator('#signals').click();
      await take(`large-signals-${file}`);
    }
    await page.close();
  }
});
