/// <reference lib="dom" />
// The page of a picture: Graphviz lays out what the server has said, in this page and without a
// connection. Then values, causes, steps and what is at the cursor are classes on the boxes.
import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { Changes } from './changes';
import type { FromPage, Kept, PageLegend, PageMark, PageNode, PagePicture, ToPage } from '../messages';

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void; setState(kept: Kept | undefined): void };

const api = acquireVsCodeApi();
const element = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;
const view = element('view');
const note = element('note');
const graphviz = Graphviz.load();

let drawn: { count: number; dot: string; nodes: PageNode[]; groups: (SVGGElement | null)[] } | undefined;
let natural = { width: 1, height: 1 }; // of the picture, in CSS pixels
let scale: number | undefined; // undefined: all of it is shown

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
      const isNew = message.dot !== drawn?.dot;
      if (isNew) layOut(message, (await graphviz).layout(message.dot, 'svg', 'dot'));
      else drawn = { ...drawn!, count: message.count, nodes: message.nodes };
      showMarks(message.marks);
      const look = message.look ?? (isNew ? message.first : undefined);
      const group = look === undefined ? null : drawn?.groups[look];
      if (group != null) bringIntoView(group);
      old(isOld());
      document.body.dataset['milliseconds'] = String(Math.round(performance.now() - begun));
      return;
    }
    case 'select':
      return select(message.nodes);
    case 'nothing':
      drawn = undefined;
      view.replaceChildren();
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

function layOut({ count, dot, nodes }: PagePicture & { count: number }, svg: string): void {
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  for (const title of parsed.querySelectorAll('title')) title.remove(); // the ids of Graphviz
  const { left, top } = { left: view.scrollLeft, top: view.scrollTop };
  view.replaceChildren(document.adoptNode(parsed));
  const groups = nodes.map(({ id }) => view.querySelector<SVGGElement>(`g[id="${id}"]`));
  const box = parsed.getAttribute('viewBox')?.split(/[ ,]+/).map(Number) ?? [];
  natural = { width: ((box[2] ?? 1) * 4) / 3, height: ((box[3] ?? 1) * 4) / 3 };
  drawn = { count, dot, nodes, groups };
  groups.forEach((group, index) => group !== null && prepare(group, nodes[index]!, index));
  rescale();
  view.scrollTo(left, top);
}

function prepare(group: SVGGElement, node: PageNode, index: number): void {
  group.setAttribute('tabindex', '0');
  group.setAttribute('role', 'button');
  if (node.tip !== undefined) {
    const tip = document.createElementNS('http://www.w3.org/2000/svg', 'title');
    tip.textContent = node.tip;
    group.prepend(tip);
  }
  const act = (focus: boolean) => {
    select([index]);
    const of = drawn?.count ?? 0;
    api.postMessage(node.cut ? { type: 'expand', of, node: index } : { type: 'go', of, node: index, focus });
  };
  group.addEventListener('click', () => act(false));
  group.addEventListener('dblclick', () => act(true));
  group.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    act(event.key === 'Enter');
  });
}

/** The elements that a mark has given classes to, with these. */
let marked: [Element, string[]][] = [];

function showMarks(marks: PageMark[]): void {
  for (const badge of view.querySelectorAll('.value')) badge.remove();
  for (const [one, classes] of marked) one.classList.remove(...classes);
  marked = [];
  const give = (one: Element, classes: string[]) => {
    one.classList.add(...classes);
    marked.push([one, classes]);
  };
  drawn?.groups.forEach((group, index) => {
    if (group === null) return;
    const mark = marks[index];
    const node = drawn!.nodes[index]!;
    group.classList.toggle('placed', node.placed);
    group.setAttribute('aria-label', [node.words, mark?.words].filter(Boolean).join(', '));
    if (mark === undefined) return;
    give(group, mark.classes);
    if (mark.wire !== '') for (const wire of view.querySelectorAll(`.from-${node.id}`)) give(wire, [mark.wire]);
    if (mark.badge !== '') group.append(badge(group, mark.badge));
  });
}

/** A value above the right edge of a box, where its wires begin; steps above the left one of a state, whose loops are on the right. */
function badge(group: SVGGElement, value: string): SVGTextElement {
  const { x, y, width } = group.getBBox();
  const text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
  text.classList.add('value');
  const isState = group.classList.contains('state');
  text.setAttribute('x', String(isState ? x - 2 : x + width + 2));
  if (isState) text.setAttribute('text-anchor', 'end');
  text.setAttribute('y', String(isState ? y + 9 : y + 3));
  text.textContent = value;
  return text;
}

function select(nodes: number[]): void {
  drawn?.groups.forEach((group, index) => group?.classList.toggle('selected', nodes.includes(index)));
  const first = nodes[0] === undefined ? null : drawn?.groups[nodes[0]];
  if (first != null) bringIntoView(first);
}

function bringIntoView(group: SVGGElement): void {
  const [box, frame] = [group.getBoundingClientRect(), view.getBoundingClientRect()];
  if (box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom) {
    view.scrollBy((box.left + box.right - frame.left - frame.right) / 2, (box.top + box.bottom - frame.top - frame.bottom) / 2);
  }
}

function fitting(): number {
  return Math.min(1.3, (view.clientWidth - 8) / natural.width, (view.clientHeight - 8) / natural.height);
}

/** The scale below which nothing is made without being asked. */
const smallest = 0.75;

function rescale(): void {
  const svg = view.querySelector('svg');
  if (svg === null) return;
  // Words that are too small to be read are useless: a larger picture is scrolled.
  const by = scale ?? Math.max(smallest, fitting());
  svg.setAttribute('width', `${natural.width * by}`);
  svg.setAttribute('height', `${natural.height * by}`);
}

function zoom(by: number | undefined): void {
  scale = by === undefined ? fitting() : Math.min(4, Math.max(0.05, (scale ?? Math.max(smallest, fitting())) * by));
  rescale();
}

element('smaller').addEventListener('click', () => zoom(1 / 1.25));
element('larger').addEventListener('click', () => zoom(1.25));
element('fit').addEventListener('click', () => zoom(undefined));
element('bits').addEventListener('click', () => api.postMessage({ type: 'bits' }));
element('renew').addEventListener('click', () => api.postMessage({ type: 'renew' }));
view.addEventListener(
  'wheel',
  (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.1 : 1 / 1.1);
  },
  { passive: false },
);
addEventListener('keydown', (event) => {
  const by = { '+': 1.25, '-': 1 / 1.25 }[event.key];
  if (by !== undefined) zoom(by);
  else if (event.key === '0') zoom(undefined);
});
addEventListener('resize', rescale);
api.postMessage({ type: 'ready' });
