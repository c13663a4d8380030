/// <reference lib="dom" />
// One row of controls: what there is no room for is in a menu, under its name and with what it does.

export class Overflow {
  private readonly items: HTMLElement[];
  /** The room, and what is to be in it, when it was last filled. */
  private filled = '';

  constructor(
    private readonly bar: HTMLElement,
    private readonly more: HTMLElement,
    private readonly menu: HTMLElement,
    /** Takes the keyboard from what is hidden. */
    private readonly leave: () => void,
  ) {
    this.items = [...bar.children].filter((one): one is HTMLElement => one !== more && one instanceof HTMLElement);
    more.addEventListener('click', () => (menu.hidden ? this.open() : this.close(true)));
    menu.addEventListener('keydown', (event) => this.press(event));
    // A click on a button is all that is wanted; in a field or a list one goes on.
    menu.addEventListener('click', ({ target }) => target instanceof Element && target.closest('button') !== null && this.close(false));
    document.addEventListener('pointerdown', ({ target }) => {
      if (target instanceof Node && !menu.contains(target) && !more.contains(target)) this.close(false);
    });
  }

  /** Puts into the row what there is room for, those with the lowest rank first. */
  fill(): void {
    const { bar, menu, more, items } = this;
    const filled = `${bar.clientWidth} ${items.map((item) => [item, ...item.children].map((one) => Number(one instanceof HTMLElement && one.hidden)).join('')).join(' ')} ${document.body.className}`;
    if (filled === this.filled) return;
    this.filled = filled;
    const focused = document.activeElement;
    for (const item of items) bar.insertBefore(item, more);
    more.hidden = true;
    const byRank = items.filter(isShown).sort((a, b) => rankOf(b) - rankOf(a));
    const out = new Set<HTMLElement>();
    while (bar.scrollWidth > bar.clientWidth) {
      const item = byRank.shift();
      if (item === undefined || rankOf(item) === 0) break;
      more.hidden = false;
      menu.append(item);
      out.add(item);
    }
    menu.append(...items.filter((item) => out.has(item))); // in their order
    if (more.hidden) this.close(false);
    if (!(focused instanceof HTMLElement) || focused === document.activeElement) return;
    if (bar.contains(focused) || !menu.hidden) focused.focus({ preventScroll: true });
    else if (menu.contains(focused)) this.leave();
  }

  /** Has a control in view, in the menu if need be, before it takes the keyboard. */
  reveal(control: HTMLElement): void {
    if (this.menu.contains(control)) this.open();
  }

  /** @param back the keyboard goes to the button that has opened it */
  close(back: boolean): void {
    if (this.menu.hidden) return;
    const had = this.menu.contains(document.activeElement);
    this.menu.hidden = true;
    this.more.setAttribute('aria-expanded', 'false');
    if (back) this.more.focus();
    else if (had) this.leave();
  }

  private open(): void {
    this.menu.hidden = false;
    this.more.setAttribute('aria-expanded', 'true');
    this.controls[0]?.focus();
  }

  private get controls(): HTMLElement[] {
    return [...this.menu.querySelectorAll<HTMLElement>('button, select, input')].filter(isShown);
  }

  private press(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      this.close(true);
      return;
    }
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (way === undefined || event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    const { controls } = this;
    const at = controls.findIndex((one) => one === document.activeElement);
    controls.at((at + way) % controls.length)?.focus();
  }
}

function isShown(item: HTMLElement): boolean {
  return item.offsetParent !== null && item.offsetWidth > 0;
}

function rankOf(item: HTMLElement): number {
  return Number(item.dataset['rank']);
}
