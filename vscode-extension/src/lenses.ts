// When VS Code asks for lenses again. It does so a quarter of a second after it was told
// last that they have changed, so that one who tells it more often is never asked. And an
// editor that loses the focus in between forgets to ask: then it is told again.
import type { CodeLensMiddleware } from 'vscode-languageclient/node';

/** Milliseconds within which VS Code asks once it was told; more after each time that it did not. */
export const answered = 400;
/** How often VS Code is told before it is given up: it may show no lenses. */
export const attempts = 3;

export class LensRefresher {
  /** Lenses have changed since VS Code asked last. */
  private wanted = false;
  /** How often VS Code was told since it asked last. */
  private told = 0;
  /** Runs from each time that VS Code is told until it should have asked. */
  private timer: NodeJS.Timeout | undefined;

  /** @param tell has VS Code ask for the lenses, in a while */
  constructor(private readonly tell: () => void) {}

  /** Has VS Code ask for lenses, now or once it has had time to ask. */
  refresh(): void {
    this.wanted = true;
    if (this.timer === undefined) this.proceed();
  }

  readonly middleware: CodeLensMiddleware = {
    provideCodeLenses: (document, token, next) => {
      this.wanted = false;
      this.told = 0;
      return next(document, token);
    },
  };

  /** The server stopped: there is nothing to ask for. */
  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.wanted = false;
    this.told = 0;
  }

  private proceed(): void {
    if (!this.wanted || this.told === attempts) return this.clear();
    this.tell();
    this.timer = setTimeout(() => this.proceed(), answered * 2 ** this.told);
    this.told++;
  }
}
