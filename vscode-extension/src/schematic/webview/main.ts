/// <reference lib="dom" />
// The page of a picture: the picture, and what stands above it.
import { Changes } from './changes';
import { Drawing } from './drawing';
import type { FromPage, Kept, PageLegend, PageNode, ToPage } from '../messages';

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void; setState(kept: Kept | undefined): void };

const api = acquireVsCodeApi();
const element = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;
const note = element('note');

let drawn: { count: number; nodes: PageNode[] } | undefined;
const drawing = new Drawing(element('view'), (node, focus) => {
  if (drawn === undefined) return;
  const of = drawn.count;
  api.postMessage(drawn.nodes[node]!.cut ? { type: 'expand', of, node } : { type: 'go', of, node, focus });
});

/** Messages one after the other: laying out takes time. */
let work: Promise<void> = Promise.resolve();
const changes = new Changes();
addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
  if (data.type === 'picture' || data.type === 'old') api.setState(data.kept);
  if (data.type === 'old') {
    changes.happened();
    return old(true); // at once
  }
  const isOld = changes.sinceNow();
  work = work.then(() => receive(data, isOld)).catch((error: unknown) => api.postMessage({ type: 'failed', message: String(error) }));
});

/** @param isOld whether the text has changed since the message came */
async function receive(message: ToPage, isOld: () => boolean): Promise<void> {
  switch (message.type) {
    case 'picture': {
      element('title').textContent = message.title;
      element('step').textContent = message.at;
      const begun = performance.now();
      showLegend(message.legend);
      say(message.note);
      element('bits').hidden = message.bits === undefined;
      element('bits').setAttribute('aria-pressed', String(message.bits === true));
      await drawing.show(message);
      drawn = { count: message.count, nodes: message.nodes };
      old(isOld());
      document.body.dataset['milliseconds'] = String(Math.round(performance.now() - begun));
      return;
    }
    case 'select':
      return drawing.select(message.nodes);
    case 'nothing':
      drawn = undefined;
      drawing.clear();
      element('title').textContent = '';
      element('step').textContent = '';
      showLegend([]);
      old(isOld());
      return say(message.message);
  }
}

function say(words: string): void {
  note.textContent = words;
  note.hidden = words === '';
}

function showLegend(legend: PageLegend[]): void {
  const legendRow = element('legend');
  legendRow.hidden = legend.length === 0;
  legendRow.replaceChildren(
    ...legend.map(({ look, words }) => {
      const entry = document.createElement('span');
      if (look !== '') {
        const sample = document.createElement('span');
        sample.className = `sample ${look}`;
        entry.append(sample);
      }
      entry.append(words);
      return entry;
    }),
  );
}

function old(isOld: boolean): void {
  element('old').hidden = !isOld;
  document.body.classList.toggle('stale', isOld);
}

element('smaller').addEventListener('click', () => drawing.zoom(1 / 1.25));
element('larger').addEventListener('click', () => drawing.zoom(1.25));
element('fit').addEventListener('click', () => drawing.zoom(undefined));
element('bits').addEventListener('click', () => api.postMessage({ type: 'bits' }));
element('renew').addEventListener('click', () => api.postMessage({ type: 'renew' }));
addEventListener('keydown', (event) => {
  const by = { '+': 1.25, '-': 1 / 1.25 }[event.key];
  if (by !== undefined) drawing.zoom(by);
  else if (event.key === '0') drawing.zoom(undefined);
});
api.postMessage({ type: 'ready' });
