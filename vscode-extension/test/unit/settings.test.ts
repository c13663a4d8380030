import { beforeEach, expect, test } from 'vitest';
import { serverPath, serverSettings } from '../../src/settings';
import { configured } from './vscode';

beforeEach(() => configured.clear());

test('the server gets the settings as plain data', () => {
  configured.set('check', { trigger: 'manual', timeout: 0 }).set('diagnostics', { proved: 'off' });
  expect(serverSettings()).toEqual({ check: { trigger: 'manual', timeout: 0 }, diagnostics: { proved: 'off' } });
});

test('a path to a server is one that is not blank', () => {
  expect(serverPath()).toBeUndefined();
  configured.set('server.path', '  ');
  expect(serverPath()).toBeUndefined();
  configured.set('server.path', ' /bin/aiglens ');
  expect(serverPath()).toBe('/bin/aiglens');
});
