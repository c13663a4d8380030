// Messages: of none is the reason cut off.
import { beforeEach, expect, test, vi } from 'vitest';
import { tell, tellInto } from '../../src/telling';
import { window } from './vscode';

const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn(), show: vi.fn() };

beforeEach(() => {
  vi.clearAllMocks();
  tellInto(log);
  return () => tellInto(undefined);
});

test('what fits into a row has no button', async () => {
  await tell('information', 'the present text no longer has this latch.');
  expect(window.showInformationMessage.mock.calls).toEqual([['aiglens: the present text no longer has this latch.']]);
  expect(log.info).not.toHaveBeenCalled();
});

test('what does not fit has a button, with which VS Code shows all of it, and is in the log', async () => {
  const reason = 'the limit of 60 s was reached; aiglens.check.timeout raises it';
  window.showWarningMessage.mockResolvedValueOnce('Show in Log' as never);
  expect(await tell('warning', reason)).toBeUndefined();
  expect(window.showWarningMessage.mock.calls).toEqual([[`aiglens: ${reason}`, 'Show in Log']]);
  expect(log.warn).toHaveBeenCalledWith(reason);
  expect(log.show).toHaveBeenCalledOnce();
});

test('a very long one is cut at a word, and its end is in the log', async () => {
  const reason = 'word '.repeat(200);
  window.showErrorMessage.mockResolvedValueOnce('Retry' as never);
  expect(await tell('error', reason, 'Retry')).toBe('Retry');
  const [text, ...offers] = window.showErrorMessage.mock.lastCall as unknown as string[];
  expect(text).toMatch(/^aiglens: (word )+word…$/);
  expect(text!.length).toBeLessThanOrEqual(401);
  expect(offers).toEqual(['Retry', 'Show in Log']);
  expect(log.error).toHaveBeenCalledWith(reason);
});

test('where there is something to choose all is shown', async () => {
  const reason = 'the server was started 30 s ago and has not answered yet.';
  await tell('error', reason, 'Restart Server');
  expect(window.showErrorMessage.mock.calls).toEqual([[`aiglens: ${reason}`, 'Restart Server']]);
});
