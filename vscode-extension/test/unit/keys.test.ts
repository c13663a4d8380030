// The keys of the page of the trace panel.
import { expect, onTestFinished, test, vi } from 'vitest';
import { listenToKeys, type Page } from '../../src/counterexample/webview/keys';

/** Presses a key, and returns whether the page takes it. */
function press(key: string, page: object): boolean {
  vi.stubGlobal('document', { addEventListener: vi.fn() });
  onTestFinished(() => void vi.unstubAllGlobals());
  const view = { addEventListener: vi.fn() };
  listenToKeys(page as Page, view as never);
  const event = { key, preventDefault: vi.fn() };
  (view.addEventListener.mock.calls[0]?.[1] as (event: object) => void)(event);
  return event.preventDefault.mock.calls.length > 0;
}

test.each([[undefined, true], [true, false]])('R is for the selected word of a run; compared: %s', (compared, taken) => {
  const page = { state: { trace: { compared } }, turnRadix: vi.fn(), turnWordRadix: vi.fn() };
  expect(press('R', page)).toBe(taken);
  expect(page.turnWordRadix).toHaveBeenCalledTimes(taken ? 1 : 0);
  expect(press('r', page)).toBe(true);
  expect(page.turnRadix).toHaveBeenCalledTimes(1);
});
