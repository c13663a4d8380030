/// <reference lib="dom" />
// The page of the Circuit view: draws what the server knows of a place, and passes on what is clicked.
import { Drawing } from '../../schematic/webview/drawing';
import type { Choice, FromPage, Question, Section, Shown, ToPage } from '../messages';
import type { Radix } from '../../radices';
import type { Child } from './nodes';
import { patch } from './patch';
import { bar, content } from './render';
import { moveOf } from './tree';

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void };

const api = acquireVsCodeApi();
const element = (id: string): HTMLElement => document.getElementById(id)!;

/** After so many milliseconds no frame shows an earlier place, whatever the answer does, */
const patience = 60;
/** and what is of an earlier text or step is marked. */
const patienceWithText = 250;

const folded = new Set<Section>();
const opened = new Map<string, boolean>();
const current = new Map<string, string>();
const view = { folded, opened, current, isPinned: false, canGoBack: false };
let shown: (Shown & { count: number }) | undefined;
let sentence = 'Put the cursor on a signal, a row or a property of a circuit.';
/** The next frame, while an answer is awaited. */
let frameAsked = 0;
/** What is awaited is of another place than what is shown. */
let isMoved = false;
/** When it was first known that an answer is awaited. */
let since: number | undefined;
/** Where the picture is drawn: it stays while what is around it is folded. */
const frame = document.createElement('div');
const drawing = new Drawing(frame, (node, focus) => post({ type: 'node', of: shown?.count ?? 0, node, focus }));

addEventListener('message', ({ data }: MessageEvent<ToPage>) => receive(data));

function receive(message: ToPage): void {
  switch (message.type) {
    case 'state':
      folded.clear();
      message.folded.forEach((section) => folded.add(section));
      Object.assign(view, { isPinned: message.isPinned, canGoBack: message.canGoBack });
      return draw();
    case 'moved':
      wait(message.isSame);
      return;
    case 'answer':
      if (!isSamePlace(message)) forget();
      shown = message;
      arrived();
      return draw();
    case 'nothing':
      shown = undefined;
      ({ message: sentence } = message);
      forget();
      arrived();
      return draw();
    case 'look':
      folded.delete(message.section);
      draw();
      element(`${message.section}-title`)?.scrollIntoView({ block: 'nearest' });
  }
}

/** What is shown is not the newest any more. What is of another place is not drawn once the answer is late. */
function wait(isSame: boolean): void {
  cancelAnimationFrame(frameAsked);
  if (!isSame || since === undefined) since = performance.now();
  isMoved ||= !isSame;
  element('content').setAttribute('aria-busy', 'true');
  const end = since + (isMoved ? patience : patienceWithText);
  const look = (now: number) => {
    if (now < end) frameAsked = requestAnimationFrame(look);
    else document.body.classList.add(isMoved ? 'waiting' : 'old');
  };
  frameAsked = requestAnimationFrame(look);
}

function arrived(): void {
  isMoved = false;
  since = undefined;
  cancelAnimationFrame(frameAsked);
  element('content').removeAttribute('aria-busy');
  document.body.classList.remove('old', 'waiting');
}

function isSamePlace({ answer }: Shown): boolean {
  const before = shown?.answer;
  return before !== undefined && before.uri === answer.uri && before.title === answer.title && before.kind === answer.kind;
}

/** What was opened by hand belongs to one place. */
function forget(): void {
  opened.clear();
  current.clear();
  scrollTo({ top: 0 });
}

function draw(): void {
  patch(element('bar'), bar(shown, view));
  const all: Child[] = shown === undefined ? [{ tag: 'p', attributes: { class: 'body faint' }, children: [sentence] }] : content(shown, view);
  patch(element('content'), all);
  document.body.dataset['place'] = shown === undefined ? '' : `${shown.answer.uri}#${shown.answer.range.start.line}:${shown.answer.range.start.character}`;
  void drawPicture();
}

async function drawPicture(): Promise<void> {
  const place = document.getElementById('picture');
  if (place === null || shown?.picture === undefined) return;
  if (frame.parentElement !== place) place.append(frame);
  const { picture } = shown;
  await drawing.show(picture, () => shown?.picture === picture);
}

function post(message: FromPage): void {
  api.postMessage(message);
}

document.addEventListener('click', (event) => {
  const at = (event.target as Element).closest<HTMLElement>('[data-fold],[data-do],[data-run],[data-step],[data-change],[data-grow],[data-path],[role="treeitem"]');
  if (at === null || (at as HTMLButtonElement).disabled) return;
  if ((event.target as Element).closest('.twistie') !== null && at.getAttribute('role') === 'treeitem' && at.ariaExpanded !== null) return toggle(at);
  act(at, false);
});

function act(at: HTMLElement, focus: boolean): void {
  const { fold, do: what, run, step, change, grow, by, path } = at.dataset;
  const of = shown?.count ?? 0;
  if (fold !== undefined) {
    const section = fold as Section;
    const isFolded = !folded.delete(section);
    if (isFolded) folded.add(section);
    post({ type: 'fold', section, isFolded });
    draw();
  } else if (what === 'pin' || what === 'back') post({ type: what });
  else if (what === 'proof' || what === 'schematic') post({ type: what, of });
  else if (run !== undefined) post({ type: 'run', of, path: run });
  else if (step !== undefined) post({ type: 'step', of, to: step });
  else if (change !== undefined) post({ type: 'change', of, what: change as Question });
  else if (grow === 'formula' || grow === 'cone') post({ type: 'grow', of, what: grow, by: Number(by) });
  else if (path !== undefined) post({ type: 'go', of, path, focus });
  else if (at.getAttribute('role') === 'treeitem') toggle(at);
}

/** Opens or closes an entry of a tree. What it holds may have to be asked for. */
function toggle(at: HTMLElement): void {
  const { key = '', ask } = at.dataset;
  const tree = at.closest('[role="tree"]')?.id ?? '';
  opened.set(`${tree} ${key}`, at.ariaExpanded !== 'true');
  current.set(tree, key);
  if (ask === undefined) draw();
  else post({ type: 'causes', of: shown?.count ?? 0, path: ask });
}

document.addEventListener('keydown', (event) => {
  const at = (event.target as Element).closest<HTMLElement>('[role="treeitem"]');
  const tree = at?.closest<HTMLElement>('[role="tree"]');
  if (at == null || tree == null || event.ctrlKey || event.metaKey || event.altKey) return;
  const items = [...tree.querySelectorAll<HTMLElement>('[role="treeitem"]')];
  const rows = items.map((item) => ({ level: Number(item.ariaLevel), isOpen: item.ariaExpanded === null ? undefined : item.ariaExpanded === 'true' }));
  const move = moveOf(rows, items.indexOf(at), event.key);
  if (move === undefined) return;
  event.preventDefault();
  if ('focus' in move) items[move.focus]!.focus();
  else if ('toggle' in move) toggle(at);
  else act(at, true);
});

document.addEventListener('focusin', ({ target }) => {
  const at = (target as Element).closest<HTMLElement>('[role="treeitem"]');
  const tree = at?.closest('[role="tree"]')?.id;
  if (at == null || tree === undefined || current.get(tree) === at.dataset['key']) return;
  current.set(tree, at.dataset['key'] ?? '');
  draw();
});

document.addEventListener('change', ({ target }) => {
  const { dataset: { choose, radix }, value: chosen } = target as HTMLSelectElement;
  if (radix !== undefined) post({ type: 'radix', of: shown?.count ?? 0, radix: chosen as Radix });
  if (choose !== undefined) post({ type: 'choose', of: shown?.count ?? 0, what: choose as Choice, chosen });
});

draw();
post({ type: 'ready' });
