import { beforeEach, expect, test } from 'vitest';
import manifest from '../../package.json';
import { serverPath, serverSettings } from '../../src/settings';
import { configured } from './vscode';

beforeEach(() => configured.clear());

test('without settings the server gets the defaults that the manifest shows', () => {
  const shown = manifest.contributes.configuration.properties;
  expect(serverSettings()).toEqual({
    check: {
      trigger: shown['aiglens.check.trigger'].default,
      timeout: shown['aiglens.check.timeout'].default,
      workers: shown['aiglens.check.workers'].default,
    },
    diagnostics: { proved: shown['aiglens.diagnostics.proved'].default },
    format: { onType: shown['aiglens.format.onType'].default },
  });
  expect(serverPath()).toBeUndefined();
});

test('what is set arrives', () => {
  configured.set('check.trigger', 'manual').set('check.timeout', 0).set('diagnostics.proved', 'off').set('server.path', ' /bin/aiglens ');
  expect(serverSettings()).toEqual({ check: { trigger: 'manual', timeout: 0, workers: 2 }, diagnostics: { proved: 'off' }, format: { onType: 'counts' } });
  expect(serverPath()).toBe('/bin/aiglens');
});
