// When VS Code asks for lenses again. It does so a quarter of a second after it was told
// last that they have changed, so that a provider that tells it more often is never asked. And an
// editor that loses the focus in between forgets to ask: then it is told again.
import { type CodeLens, EventEmitter, type TextDocument } from 'vscode';
import type { CodeLensMiddleware } from 'vscode-languageclient';

/** Milliseconds within which VS Code asks once it was told; more after each time that it did not. */
export const answered = 400;
/** How often VS Code is told before it is given up: it may show no lenses. */
export const attempts = 3;

/** The lenses of a document are asked for. */
export interface LensQuestion {
  document: TextDocument;
  answer: Promise<CodeLens[] | null | undefined>;
}

export class LensRefresher {
  private readonly questions = new EventEmitter<LensQuestion>();
  /** When the question is put. */
  readonly onDidAsk = this.questions.event;
  /** The documents whose lenses have changed since VS Code asked for them last, and how often it was told since. */
  private readonly told = new Map<string, number>();
  /** When VS Code was told. */
  private last = 0;
  /** Runs until it is to be told again. */
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param inView the documents that show lenses; of others VS Code asks when it shows them
   * @param tell has VS Code ask for the lenses of these, in a while
   */
  constructor(
    private readonly inView: () => Iterable<string>,
    private readonly tell: () => void,
  ) {}

  /** Has VS Code ask for lenses, now or once it has had time to ask. */
  refresh(): void {
    for (const document of this.inView()) this.told.set(document, this.told.get(document) ?? 0);
    this.schedule();
  }

  readonly middleware: CodeLensMiddleware = {
    provideCodeLenses: (document, token, next) => {
      this.told.delete(document.uri.toString());
      const answer = Promise.resolve(next(document, token));
      this.questions.fire({ document, answer });
      return answer;
    },
  };

  /** The server stopped: there is nothing to ask for. */
  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.told.clear();
  }

  /** One that has not asked is waited for longer each time, but nothing new of another waits with it. */
  private schedule(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.told.size === 0) return;
    const times = Math.min(...this.told.values());
    const wait = this.last + answered * 2 ** Math.max(0, times - 1) - Date.now();
    if (wait > 0) this.timer = setTimeout(() => this.proceed(), wait);
    else this.proceed();
  }

  private proceed(): void {
    for (const [document, times] of [...this.told]) if (times === attempts) this.told.delete(document);
    if (this.told.size > 0) {
      this.last = Date.now();
      for (const [document, times] of this.told) this.told.set(document, times + 1);
      this.tell();
    }
    this.schedule();
  }
}
