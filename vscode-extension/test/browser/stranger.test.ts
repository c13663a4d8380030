// A stranger's path in VS Code: the package is installed as docs/install.md says, into an editor
// with nothing else in it, a circuit is opened and saved, and there is the first verdict.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../lib/paths';
import { openFile, openPackaged } from './session';

test('from the package to the first verdict', async () => {
  const install = readFileSync(join(root, 'docs/install.md'), 'utf8');
  // What openPackaged does with the package that the command before makes.
  expect(install).toMatch(/`make vsix` builds a package to install: `code --install-extension\s+out\/aiglens-TARGET\.vsix`/);
  const vscode = await openPackaged();
  onTestFinished(() => vscode.close());
  const began = performance.now();
  const { page, workbench, path } = await openFile(vscode, 'semaphore2_broken.aag');
  const editor = await workbench.editor(path);
  await editor.goTo(1);
  await editor.save();
  await editor.lens('refuted at step 4').waitFor();
  console.log(`from the window to the first verdict: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  await page.close();
});
