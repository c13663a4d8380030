/// <reference lib="dom" />
// The places beside and below the text. Each shows one of its panels, and has a tab for each.

export interface Pane {
  readonly element: HTMLElement;
  title: string;
  /** It can be closed by the user. */
  closed?(): void;
  /** It has come into view, or gone out of it. */
  shown?(isVisible: boolean): void;
  focus?(): void;
}

export class Panes {
  private readonly all: Pane[] = [];
  private current: Pane | undefined;
  private readonly tabs = document.createElement('div');
  private readonly content = document.createElement('div');

  /** @param changed is called when there is something to show, or nothing any more */
  constructor(
    readonly place: HTMLElement,
    label: string,
    private readonly changed: () => void,
  ) {
    this.tabs.className = 'tabs';
    this.tabs.setAttribute('role', 'tablist');
    this.tabs.setAttribute('aria-label', label);
    this.content.className = 'content';
    place.append(this.tabs, this.content);
    this.tabs.addEventListener('keydown', (event) => this.key(event));
  }

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  has(pane: Pane): boolean {
    return this.all.includes(pane);
  }

  isVisible(pane: Pane): boolean {
    return this.current === pane;
  }

  show(pane: Pane, focus: boolean): void {
    if (!this.has(pane)) {
      this.all.push(pane);
      pane.element.hidden = true;
      pane.element.setAttribute('role', 'tabpanel');
      this.content.append(pane.element);
    }
    this.choose(pane);
    this.changed();
    if (!focus) return;
    pane.focus?.();
    this.place.scrollIntoView({ block: 'nearest' }); // where it stands below the text of a phone
  }

  remove(pane: Pane): void {
    const at = this.all.indexOf(pane);
    if (at < 0) return;
    this.all.splice(at, 1);
    pane.element.remove();
    if (this.current === pane) {
      this.current = undefined;
      const next = this.all[Math.min(at, this.all.length - 1)];
      if (next !== undefined) this.choose(next);
    }
    this.draw();
    this.changed();
  }

  focus(): void {
    this.current?.focus?.();
  }

  /** Titles have changed. */
  draw(): void {
    this.tabs.replaceChildren(...this.all.map((pane) => this.tab(pane)));
  }

  private choose(pane: Pane): void {
    const before = this.current;
    if (before !== pane) {
      this.current = pane;
      if (before !== undefined) before.element.hidden = true;
      pane.element.hidden = false;
      before?.shown?.(false);
      pane.shown?.(true);
    }
    this.draw();
  }

  private tab(pane: Pane): HTMLElement {
    const isCurrent = pane === this.current;
    const holder = document.createElement('span');
    holder.className = 'tab';
    holder.setAttribute('role', 'presentation');
    const tab = document.createElement('button');
    tab.textContent = pane.title;
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-selected', `${isCurrent}`);
    tab.tabIndex = isCurrent ? 0 : -1;
    tab.addEventListener('click', () => this.choose(pane));
    holder.append(tab);
    if (pane.closed !== undefined) {
      const close = document.createElement('button');
      close.className = 'close';
      close.textContent = '×';
      close.title = `Close ${pane.title}`;
      close.setAttribute('aria-label', close.title);
      close.addEventListener('click', () => pane.closed?.());
      holder.append(close);
    }
    return holder;
  }

  private key(event: KeyboardEvent): void {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined || this.current === undefined) return;
    const next = this.all[(this.all.indexOf(this.current) + by + this.all.length) % this.all.length]!;
    this.choose(next);
    (this.tabs.querySelector('[aria-selected=true]') as HTMLElement | null)?.focus();
    event.preventDefault();
  }
}
