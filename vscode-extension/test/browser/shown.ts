// What a page shows of one property at a moment: its lens, its mark in the gutter, the
// status bar and its test. Each is brought to the same words, so that they can be compared.
import type { Page } from 'playwright-core';

/** A place that shows nothing has ''. */
export interface Shown {
  lens: string;
  gutter: string;
  status: string;
  test: string;
}

/** Reads all places at one moment, for a file with one property. */
export function shown(page: Page): Promise<Shown> {
  return page.evaluate(() => {
    type Node = { textContent: string | null; className: string; classList: { contains(name: string): boolean } };
    const { document, getComputedStyle } = globalThis as unknown as {
      document: { querySelector(selector: string): Node | null; querySelectorAll(selector: string): Iterable<Node> };
      getComputedStyle(node: Node): { backgroundImage: string };
    };
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
        const [, image] = /data:image\/svg\+xml;base64,([^")]*)/.exec(getComputedStyle(node).backgroundImage) ?? [];
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
    return { lens: lens(), gutter: gutter(), status: status(), test: test() };
  });
}
