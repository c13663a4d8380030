// A check that ends without an answer leads to what stands in its way. With
// AIGLENS_SCREENSHOTS=1 with pictures in each theme.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../lib/paths';
import { openFile, openPackaged } from './session';

const bits = [...Array(10).keys()];

/**
 * A circuit that sums up odd numbers, which gives the squares, as long as `go` is 1. Whether its sum
 * is ever 17 is seen only after very many steps.
 */
function squares(): string {
  const names = (inputs: string[], output: string, ...rows: string[]) => [`.names ${[...inputs, output].join(' ')}`, ...rows.map((row) => `${row} 1`)];
  const rows = ['.model squares', '.inputs go', '.outputs bad', ...names(bits.map((i) => `sum${i}`), 'bad', bits.map((i) => (i === 0 || i === 4 ? '1' : '0')).join(''))];
  for (const i of bits) {
    rows.push(`.latch sum_next${i} sum${i} 0`, `.latch odd_next${i} odd${i} ${i === 0 ? 1 : 0}`);
    rows.push(...names(['go', `s${i}`, `sum${i}`], `sum_next${i}`, '11-', '0-1'), ...names(['go', `o${i}`, `odd${i}`], `odd_next${i}`, '11-', '0-1'));
    const carry = i === 0 ? [] : [`c${i - 1}`];
    rows.push(...names([`sum${i}`, `odd${i}`, ...carry], `s${i}`, ...(i === 0 ? ['10', '01'] : ['100', '010', '001', '111'])));
    rows.push(...names([`sum${i}`, `odd${i}`, ...carry], `c${i}`, ...(i === 0 ? ['11'] : ['11-', '1-1', '-11'])));
    if (i === 0) rows.push(...names(['odd0'], 'o0', '1'));
    else if (i === 1) rows.push(...names(['odd1'], 'o1', '0'), ...names(['odd1'], 'd1', '1'));
    else rows.push(...names([`odd${i}`, `d${i - 1}`], `o${i}`, '10', '01'), ...names([`odd${i}`, `d${i - 1}`], `d${i}`, '11'));
  }
  return [...rows, '.end', ''].join('\n');
}

const themes = [
  ['dark', 'Default Dark Modern'],
  ['light', 'Default Light Modern'],
  ['high-contrast', 'Default High Contrast'],
] as const;

const pictures = process.env['AIGLENS_SCREENSHOTS'] === '1';

test.each(pictures ? themes : themes.slice(0, 1))('a timeout leads to what stands in the way: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme, 'aiglens.check.timeout': 2 });
  onTestFinished(() => vscode.close());
  writeFileSync(join(vscode.workspace, 'squares.blif'), squares());
  const { page, workbench, path } = await openFile(vscode, 'squares.blif');
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
  if (pictures) {
    const folder = join(root, 'docs', 'screenshots');
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `obstacle-${name}.png`), animations: 'disabled' });
  }

  // A signal leads to its definition.
  await workbench.followLink(shown.locator('.detected-link', { hasText: 'sum' }).first());
  await workbench.editor(path);
  await page.close();
});
