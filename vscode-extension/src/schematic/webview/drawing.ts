/// <reference lib="dom" />
// A picture in an element of a page: Graphviz lays out what the server has said, in the page and
// without a connection. Then values, causes, steps and what is at the cursor are classes on the boxes.
import type { PageMark, PageNode, PagePicture } from '../messages';

/** Of graphviz.ts, whose script stands before that of the page. */
declare const graphviz: typeof import('./graphviz');

/** The scale below which words cannot be read: a larger picture is scrolled, unless all of it is asked for. */
const smallest = 0.5;

/** What Graphviz leaves around a picture, in its units. */
const margin = 4;

export class Drawing {
  private drawn: { dot: string; nodes: PageNode[]; groups: (SVGGElement | null)[] } | undefined;
  private natural = { width: 1, height: 1 }; // of the picture, in CSS pixels
  private laidOut = { width: 1, height: 1 }; // of its boxes and wires, in the units of Graphviz
  private scale: number | undefined; // undefined: all of it is shown
  /** The box after which the picture is to go on, where it is, and the scale: both stay as they are. */
  private held: { id: string; name: string; left: number; top: number; scale: number; focused: boolean } | undefined;
  /** The scale at which the picture went on; undefined for one that did not. */
  private heldScale: number | undefined;
  /** The elements that a mark has given classes to, with these. */
  private marked: [Element, string[]][] = [];

  /** @param act a box was clicked, or chosen by a key */
  constructor(
    private readonly view: HTMLElement,
    private readonly act: (node: number, focus: boolean) => void,
  ) {
    view.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.zoom(event.deltaY < 0 ? 1.1 : 1 / 1.1);
      },
      { passive: false },
    );
    addEventListener('resize', () => this.rescale());
  }

  /**
   * Draws a picture. One that is laid out already is drawn at once, and keeps its boxes.
   *
   * @param isWanted whether it still is, once it is laid out
   */
  async show(picture: Pick<PagePicture, 'dot' | 'nodes' | 'marks' | 'look' | 'first'>, isWanted = () => true): Promise<void> {
    const { dot, nodes, marks } = picture;
    const isNew = dot !== this.drawn?.dot;
    if (isNew) {
      const svg = (await graphviz.loaded).layout(dot, 'svg', 'dot');
      if (!isWanted()) return;
      this.layOut(picture, svg);
    } else {
      this.drawn = { ...this.drawn!, nodes };
    }
    this.showMarks(marks);
    const look = picture.look ?? (isNew && !this.hold() ? picture.first : undefined);
    const group = look === undefined ? null : this.drawn?.groups[look];
    if (group != null) this.bringIntoView(group);
  }

  clear(): void {
    this.drawn = undefined;
    this.view.replaceChildren();
  }

  select(nodes: number[]): void {
    this.drawn?.groups.forEach((group, index) => group?.classList.toggle('selected', nodes.includes(index)));
    const first = nodes[0] === undefined ? null : this.drawn?.groups[nodes[0]];
    if (first != null) this.bringIntoView(first);
  }

  /** Without a factor all of the picture is shown. */
  zoom(by: number | undefined): void {
    this.scale = by === undefined ? this.fitting() : Math.min(4, Math.max(0.05, this.by * by));
    this.rescale();
  }

  private holdAt(group: SVGGElement, node: PageNode): void {
    const { left, top } = group.getBoundingClientRect();
    this.held = { id: node.id, name: nameOf(node), left, top, scale: this.by, focused: document.activeElement === group };
  }

  /** Has the box that was clicked stay where it was; false where there is none. */
  private hold(): boolean {
    const { held, drawn } = this;
    this.held = this.heldScale = undefined;
    const same = (node: PageNode) => nameOf(node) === held?.name;
    const node = drawn?.nodes.find((one) => same(one) && one.id === held?.id) ?? drawn?.nodes.find(same);
    const group = node === undefined ? undefined : drawn?.groups[drawn.nodes.indexOf(node)];
    this.heldScale = group == null ? undefined : held?.scale;
    this.rescale();
    if (held === undefined || group == null) return false;
    const { left, top } = group.getBoundingClientRect();
    this.view.scrollBy(left - held.left, top - held.top);
    if (held.focused) group.focus({ preventScroll: true });
    return true;
  }

  private layOut({ dot, nodes }: Pick<PagePicture, 'dot' | 'nodes'>, svg: string): void {
    const { view } = this;
    const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
    for (const title of parsed.querySelectorAll('title')) title.remove(); // the ids of Graphviz
    const { left, top } = { left: view.scrollLeft, top: view.scrollTop };
    view.replaceChildren(document.adoptNode(parsed));
    const groups = nodes.map(({ id }) => view.querySelector<SVGGElement>(`g[id="${id}"]`));
    const box = parsed.getAttribute('viewBox')?.split(/[ ,]+/).map(Number) ?? [];
    this.laidOut = { width: box[2] ?? 1, height: box[3] ?? 1 };
    this.drawn = { dot, nodes, groups };
    groups.forEach((group, index) => group !== null && this.prepare(group, nodes[index]!, index));
    this.makeRoom(0);
    view.scrollTo(left, top);
  }

  /** Has the picture reach to where its last value ends: Graphviz knows of boxes and wires only. */
  private makeRoom(right: number): void {
    const { width, height } = this.laidOut;
    const wide = Math.max(width, right + 2 * margin);
    this.natural = { width: (wide * 4) / 3, height: (height * 4) / 3 };
    this.view.querySelector('svg')?.setAttribute('viewBox', `0 0 ${wide} ${height}`);
    this.rescale();
  }

  private prepare(group: SVGGElement, node: PageNode, index: number): void {
    group.setAttribute('tabindex', '0');
    group.setAttribute('role', 'button');
    if (node.open !== undefined) group.setAttribute('aria-expanded', String(node.open));
    if (node.tip !== undefined) {
      const tip = document.createElementNS('http://www.w3.org/2000/svg', 'title');
      tip.textContent = node.tip;
      group.prepend(tip);
    }
    const act = (focus: boolean) => {
      this.select([index]);
      if (node.cut || node.open !== undefined) this.holdAt(group, node);
      this.act(index, focus);
    };
    // The second click of two may meet what has come in the place of an instance that the first has opened.
    group.addEventListener('click', (event) => event.detail <= 1 && act(false));
    group.addEventListener('dblclick', () => node.open === undefined && act(true));
    group.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      act(event.key === 'Enter');
    });
  }

  private showMarks(marks: PageMark[]): void {
    const { view, drawn } = this;
    for (const badge of view.querySelectorAll('.value')) badge.remove();
    for (const [one, classes] of this.marked) one.classList.remove(...classes);
    this.marked = [];
    const give = (one: Element, classes: string[]) => {
      one.classList.add(...classes);
      this.marked.push([one, classes]);
    };
    drawn?.groups.forEach((group, index) => {
      if (group === null) return;
      const mark = marks[index];
      const node = drawn.nodes[index]!;
      group.classList.toggle('placed', node.placed || node.open !== undefined);
      group.setAttribute('aria-label', [node.words, mark?.words].filter(Boolean).join(', '));
      if (mark === undefined) return;
      give(group, mark.classes.filter(Boolean));
      if (mark.wire !== '') for (const wire of view.querySelectorAll(`.from-${node.id}`)) give(wire, [mark.wire]);
      for (const [pin, state] of mark.pins ?? []) for (const wire of view.querySelectorAll(`.leaves-${pin}`)) give(wire, [state]);
      if (mark.badge !== '') group.append(badge(group, mark.badge));
    });
    const ends = [...view.querySelectorAll<SVGTextElement>('.value')].map((text) => text.getBBox()).map(({ x, width }) => x + width);
    this.makeRoom(ends.reduce((a, b) => Math.max(a, b), 0));
  }

  private bringIntoView(group: SVGGElement): void {
    const { view } = this;
    const [box, frame] = [group.getBoundingClientRect(), view.getBoundingClientRect()];
    if (box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom) {
      view.scrollBy((box.left + box.right - frame.left - frame.right) / 2, (box.top + box.bottom - frame.top - frame.bottom) / 2);
    }
  }

  /** The scale at which all of it is shown, with words of no more than their size elsewhere. */
  private fitting(): number {
    return Math.min(1, (this.view.clientWidth - 8) / this.natural.width, (this.height - 8) / this.natural.height);
  }

  /** What there is of room from above to below, also where the view is as high as what it shows. */
  private get height(): number {
    const most = Number.parseFloat(getComputedStyle(this.view).maxHeight);
    return Number.isNaN(most) ? this.view.clientHeight : most;
  }

  private get by(): number {
    return this.scale ?? this.heldScale ?? Math.max(smallest, this.fitting());
  }

  private rescale(): void {
    const svg = this.view.querySelector('svg');
    if (svg === null) return;
    svg.setAttribute('width', `${this.natural.width * this.by}`);
    svg.setAttribute('height', `${this.natural.height * this.by}`);
  }
}

const nameOf = ({ name, words }: PageNode) => name ?? words;

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
