// Searches that buttons of the trace panel begin. While one runs its button is disabled, and
// the page says what is looked for.
import type { SearchButton } from './messages';

/** Searches among the runs of a property wait for each other: what one finds changes what the next one asks. */
const amongRuns: readonly SearchButton[] = ['another', 'shortest', 'first'];

export class Searches {
  /** What is looked for now, in words, by the button that began it. */
  private readonly running = new Map<SearchButton, string>();

  /** @param show tells the page which buttons have to wait, and what for */
  constructor(private readonly show: (buttons: SearchButton[], words: string) => void) {}

  /** Runs a search unless its button has to wait. The button waits until the end, whatever comes of it. */
  async run(button: SearchButton, words: string, search: () => Promise<unknown>): Promise<void> {
    if (this.waiting().includes(button)) return;
    this.running.set(button, words);
    this.tell();
    try {
      await search();
    } finally {
      this.running.delete(button);
      this.tell();
    }
  }

  /** Informs a page that was loaded again. */
  showAgain(): void {
    if (this.running.size > 0) this.tell();
  }

  private waiting(): SearchButton[] {
    const buttons = [...this.running.keys()];
    return buttons.some((button) => amongRuns.includes(button)) ? [...new Set([...buttons, ...amongRuns])] : buttons;
  }

  private tell(): void {
    this.show(this.waiting(), [...this.running.values()].join(' '));
  }
}
