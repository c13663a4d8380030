// Lenses: they change together with all else that says the same, and lead to what there
// is to see. With AIGLENS_SCREENSHOTS=1 with pictures in each theme and size.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Editor as Vscode } from '../lib/editor';
import { type Disagreement, disagreements, record, recorded, type Shown } from './frames';
import { openFile, openPackaged } from './session';

let vscode: Vscode;

beforeAll(async () => {
  vscode = await openPackaged();
});

afterAll(() => vscode?.close());

/** A tenth of a second, or on a machine that draws slowly as many frames as that has. */
const isLong = ({ milliseconds, frames }: Disagreement) => milliseconds > 100 && frames > 6;

test('lens, gutter, status bar and test change together', async () => {
  const { page, workbench, path } = await openFile(vscode, 'semaphore2.aag');
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  await workbench.command('Testing: Focus on Test Explorer View');
  await workbench.test('semaphore2.aag').click();
  await page.keyboard.press('ArrowRight');
  await workbench.test('two_at_work').waitFor();
  await editor.goTo(11);
  await workbench.status(/1 not checked/).waitFor();

  await record(page);
  const settled = (word: string) =>
    expect.poll(async () => (await recorded(page)).at(-1), { timeout: 60_000 }).toMatchObject({ lens: word, gutter: word, status: word.replace(/^stale .*/, 'stale'), test: word });
  await editor.clickLens('check');
  await settled('proved');
  await editor.replaceBefore(25, 9, '9');
  await settled('stale proved');
  await editor.save();
  await settled('refuted');
  await editor.undo(25, 2);
  await settled('proved');
  await editor.replaceBefore(25, 9, '9');
  await settled('refuted');

  const shown: Shown[] = await recorded(page);
  const all = disagreements(shown);
  expect(new Set(shown.map(({ lens }) => lens)).size).toBeGreaterThanOrEqual(4); // they were seen to change
  expect(all.filter(isLong)).toEqual([]);
  await page.close();
});
