// The state graph: all states of a property with its counterexample, steps and states in both
// directions, and what becomes of it when the text is edited. With AIGLENS_SCREENSHOTS=1 in
// each theme.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { camera, shownThemes } from './pictures';
import { openFile, openPackaged } from './session';

const state = (frame: Frame, words: string) => frame.locator(`g.node[aria-label*="${words}"]`);

test.each(shownThemes)('draws the states of a property: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'semaphore2_broken.aag', { width: 1500, height: 900 });
  const take = camera(page, name);
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();

  // Before a check: a shortest run, which is not a counterexample.
  await editor.goTo(11);
  await workbench.command('aiglens Picture: Draw State Graph');
  const frame = await workbench.frame('g.node.state');
  await expect.poll(() => frame.locator('#legend').innerText()).toContain('shortest run into a failure');
  const count = await frame.locator('g.node.state').count();
  expect(await frame.locator('#legend').innerText()).toContain(`${count} states`);
  expect(await frame.locator('g.node.initial').count()).toBe(1);
  expect(await frame.locator('g.node.bad').count()).toBeGreaterThan(0);
  expect(await frame.locator('g.node.state .value').count()).toBe(5); // steps 0 to 4

  // With the counterexample: its steps, and the one that is shown.
  await editor.goTo(11);
  await editor.save(); // begins a check
  await editor.lens('refuted at step 4').waitFor();
  await expect.poll(() => frame.locator('#legend').innerText()).toContain('counterexample');
  await workbench.command('aiglens Trace: Toggle Values of the Counterexample');
  await expect.poll(() => frame.locator('#step').innerText()).toBe('step 4 of 4: fails');
  await expect.poll(() => frame.locator('g.node.current').getAttribute('aria-label')).toMatch(/fails here, step 4, shown/);
  expect(await frame.locator('g.node.current.bad').count()).toBe(1);
  await state(frame, 'step 2').click();
  await expect.poll(() => frame.locator('#step').innerText()).toBe('step 2 of 4');
  await expect.poll(() => frame.locator('g.node.current').getAttribute('aria-label')).toMatch(/step 2, shown/);
  await frame.locator('#fit').click();
  await take('states');

  // An edit makes it one of an earlier text, saving draws the new one, in which nothing fails.
  await editor.replaceBefore(25, 9, '8'); // 46 44 14 → 46 44 18, in two edits
  await frame.locator('#old').waitFor();
  await editor.save();
  await frame.locator('#old').waitFor({ state: 'hidden' });
  await expect.poll(() => frame.locator('g.node.bad').count()).toBe(0);
  expect(await frame.locator('g.node.path').count()).toBe(0);
});

/** A counter of so many bits, with an input that clears it, bad at the end. */
function counter(bits: number): string {
  const gates: string[] = [];
  let next = 2 * (bits + 2);
  const and = (a: number, b: number) => {
    gates.push(`${next} ${Math.max(a, b)} ${Math.min(a, b)}`);
    next += 2;
    return next - 2;
  };
  let carry = 1;
  const rows = Array.from({ length: bits }, (_, i) => {
    const latch = 4 + 2 * i;
    const sum = carry === 1 ? latch ^ 1 : and(and(latch, carry) ^ 1, and(latch ^ 1, carry ^ 1) ^ 1);
    carry = carry === 1 ? latch : and(latch, carry);
    return `${latch} ${and(sum, 3)}`;
  });
  const names = Array.from({ length: bits }, (_, i) => `l${i} count[${i}]`);
  return [`aag ${next / 2 - 1} 1 ${bits} 0 ${gates.length} 1`, '2', ...rows, `${carry}`, ...gates, 'i0 clear', ...names, 'b0 full', ''].join('\n');
}

test('lays out hundreds of states, and says where there are too many', async () => {
  const vscode = await openPackaged();
  onTestFinished(() => vscode.close());
  writeFileSync(join(vscode.workspace, 'eight.aag'), counter(8));
  writeFileSync(join(vscode.workspace, 'nine.aag'), counter(9));
  const { page, workbench, path } = await openFile(vscode, 'nine.aag', { width: 1500, height: 900 });
  await (await workbench.editor(path)).lens('check').waitFor();
  await workbench.command('aiglens Picture: Draw State Graph');
  const frame = await workbench.frame('#legend');
  await expect.poll(() => frame.locator('#note').innerText()).toContain('too many states: runs reach more than 500; Draw Cone shows');
  const eight = await workbench.openFile('eight.aag');
  await eight.lens('check').waitFor();
  await workbench.command('aiglens Picture: Draw State Graph');
  await expect.poll(() => frame.locator('g.node.state').count()).toBe(256);
  await expect.poll(() => frame.locator('g.node.bad').textContent()).toContain('count=255');
  const milliseconds = await frame.locator('body').getAttribute('data-milliseconds');
  if (process.env['AIGLENS_MEASURE'] === '1') console.log(`256 states laid out and drawn in ${milliseconds} ms`);
  await camera(page, 'dark')('states-many');
});
