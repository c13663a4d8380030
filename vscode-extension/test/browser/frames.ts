// What a page shows of one property in each frame: its lens, its mark in the gutter, the
// status bar and its test. Each is brought to the same words, so that they can be compared.
import type { Page } from 'playwright-core';

/** What is shown from one frame on; a place that shows nothing has ''. */
export interface Shown {
  /** Milliseconds since the recording began. */
  at: number;
  /** The number of the frame. */
  frame: number;
  lens: string;
  gutter: string;
  status: string;
  test: string;
}

/** A time during which a place said something else than the lens. */
export interface Disagreement {
  place: 'gutter' | 'status' | 'test';
  says: string;
  lens: string;
  milliseconds: number;
  frames: number;
}

/** Begins to record, for a file with one property; anew when it was begun before. */
export async function record(page: Page): Promise<void> {
  await page.evaluate(() => {
    type Node = { textContent: string | null; className: string; classList: { contains(name: string): boolean } };
    const scope = globalThis as unknown as {
      document: { querySelector(selector: string): Node | null; querySelectorAll(selector: string): Iterable<Node> };
      getComputedStyle(node: Node): { backgroundImage: string };
      requestAnimationFrame(run: () => void): void;
      recording?: { shown: Shown[]; live: boolean };
    };
    const { document } = scope;
    const marks: [RegExp, string][] = [
      [/M8 1\.7A6\.3/, 'running'],
      [/M8 4\.6V8\.2/, 'queued'],
      [/M5 8\.3/, 'proved'],
      [/M5\.6 5\.6/, 'refuted'],
      [/M6 6\.3/, 'unknown'],
    ];
    const lens = () => {
      const text = document.querySelector('.editor-instance .codelens-decoration')?.textContent ?? '';
      const [, stale, word] = /^\s*(stale · )?(\w+)/.exec(text) ?? [];
      if (word === undefined) return '';
      return `${stale ?? ''}${{ check: 'none', checking: 'running' }[word] ?? word}`.replace(' · ', ' ');
    };
    const gutter = () => {
      for (const node of document.querySelectorAll('.editor-instance .glyph-margin-widgets > *')) {
        const [, image] = /data:image\/svg\+xml;base64,([^")]*)/.exec(scope.getComputedStyle(node).backgroundImage) ?? [];
        if (image === undefined) continue;
        const svg = atob(image);
        const mark = marks.find(([shape]) => shape.test(svg))?.[1];
        if (mark !== undefined) return svg.includes('dasharray') ? `stale ${mark}` : mark;
      }
      return 'none';
    };
    const status = () => {
      const text = document.querySelector('#aiglens\\.aiglens\\.aiglens\\.status')?.textContent ?? '';
      const word = /^\s*(?:paused: )?1 (.*\S)\s*$/.exec(text)?.[1] ?? '';
      return { 'not checked': 'none', 'being checked': 'running' }[word] ?? word;
    };
    const test = () => {
      for (const row of document.querySelectorAll('.test-explorer .monaco-list-row[aria-level="2"] .computed-state')) {
        const state = /codicon-testing-(\w+)-icon/.exec(row.className)?.[1] ?? (row.className.includes('loading') ? 'running' : '');
        const word = { passed: 'proved', failed: 'refuted', error: 'unknown', unset: 'none', skipped: 'none' }[state] ?? state;
        return row.classList.contains('retired') ? `stale ${word}` : word;
      }
      return '';
    };
    if (scope.recording !== undefined) scope.recording.live = false;
    const recording = (scope.recording = { shown: [] as Shown[], live: true });
    const began = performance.now();
    let frame = 0;
    const look = () => {
      if (!recording.live) return;
      const now = { lens: lens(), gutter: gutter(), status: status(), test: test() };
      const last = recording.shown.at(-1);
      if (last === undefined || last.lens !== now.lens || last.gutter !== now.gutter || last.status !== now.status || last.test !== now.test) {
        recording.shown.push({ at: performance.now() - began, frame, ...now });
      }
      frame++;
      scope.requestAnimationFrame(look);
    };
    look();
  });
}

/** What was shown since then. */
export function recorded(page: Page): Promise<Shown[]> {
  return page.evaluate(() => (globalThis as unknown as { recording: { shown: Shown[] } }).recording.shown);
}

/** When places said something else than a lens that said something. */
export function disagreements(all: readonly Shown[]): Disagreement[] {
  const found: Disagreement[] = [];
  for (const place of ['gutter', 'status', 'test'] as const) {
    let since: Shown | undefined;
    for (const now of all) {
      if (since !== undefined && (now[place] !== since[place] || now.lens !== since.lens)) {
        found.push({ place, says: since[place], lens: since.lens, milliseconds: now.at - since.at, frames: now.frame - since.frame });
        since = undefined;
      }
      if (since === undefined && now.lens !== '' && !agrees(place, now[place], now.lens)) since = now;
    }
    if (since !== undefined) found.push({ place, says: since[place], lens: since.lens, milliseconds: Number.POSITIVE_INFINITY, frames: Number.POSITIVE_INFINITY });
  }
  return found;
}

/** The status bar counts what is stale, whatever it was. */
function agrees(place: string, says: string, lens: string): boolean {
  return says === lens || (place === 'status' && says === 'stale' && lens.startsWith('stale '));
}
