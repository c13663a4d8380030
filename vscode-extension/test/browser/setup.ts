// The editor and the browser that the tests share: the extension is packaged, installed and started
// once, before the first test; in the project web-extension it is the package for browsers. Each test brings a folder and a window of its own.
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumArguments, chromiumPath, openServer } from '../lib/editor';
import { root } from '../lib/paths';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The package. */
    vsix: string;
    /** Host and port of the editor that has it. */
    host: string;
    /** The extension runs in the page, where there are no programs. */
    inPage: boolean;
    /** Where to reach the browser. */
    browser: string;
  }
}

/** User settings of all tests. */
export const settings = {
  'editor.hover.delay': 50,
  'editor.minimap.enabled': false,
  'window.commandCenter': false,
  // Each file that is opened stays open, and with it what is known of it.
  'workbench.editor.enablePreview': false,
};

/** What tests meet of the extensions that come with VS Code. Those of test/host have all of them. */
export const builtIn = ['theme-defaults', 'git', 'git-base', 'json', 'json-language-features', 'markdown-basics', 'markdown-language-features'];

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const script = join(root, 'scripts', 'package.sh');
  const inPage = project.name === 'web-extension';
  project.provide('inPage', inPage);
  const vsix = execFileSync(script, inPage ? ['web'] : [], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
  const server = await openServer({ vsix, settings, builtIn });
  try {
    const browser = await chromium.launchServer({ executablePath: chromiumPath(), args: chromiumArguments });
    // Where no test packages once more.
    const copy = join(server.home, 'aiglens.vsix');
    copyFileSync(vsix, copy);
    project.provide('vsix', copy);
    project.provide('host', server.host);
    project.provide('browser', browser.wsEndpoint());
    return () => browser.close().finally(server.close);
  } catch (error) {
    await server.close();
    throw error;
  }
}
