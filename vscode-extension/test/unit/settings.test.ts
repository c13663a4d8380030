import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { answerWithTrust, serverPath, serverSettings } from '../../src/settings';
import { configured, workspace } from './vscode';

beforeEach(() => configured.clear());

test('the server gets the settings as plain data', () => {
  configured.set('check', { trigger: 'manual', timeout: 0 }).set('diagnostics', { proved: 'off' });
  expect(serverSettings()).toEqual({ check: { trigger: 'manual', timeout: 0 }, diagnostics: { proved: 'off' }, trusted: true });
});

test('a path to a server is one that is not blank', () => {
  expect(serverPath()).toBeUndefined();
  configured.set('server.path', '  ');
  expect(serverPath()).toBeUndefined();
  configured.set('server.path', ' /bin/aiglens ');
  expect(serverPath()).toBe('/bin/aiglens');
});

test('the server is told whether the folders are trusted, whatever a setting of that name says', async () => {
  configured.set('trusted', true);
  workspace.isTrusted = false;
  onTestFinished(() => void (workspace.isTrusted = true));
  expect(serverSettings()).toMatchObject({ trusted: false });
  const answered = await answerWithTrust({ items: [{ section: 'aiglens' }, { section: 'editor' }] }, {} as never, () => [{ check: {}, trusted: true }, { tabSize: 2 }]);
  expect(answered).toEqual([{ check: {}, trusted: false }, { tabSize: 2 }]);
});
