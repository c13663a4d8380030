// Whether a picture that takes time to lay out is one of the present text.

/** Counts the changes of the text that the page is told of. */
export class Changes {
  private count = 0;

  happened(): void {
    this.count++;
  }

  /** Says, whenever it is asked, whether the text has changed since now. */
  sinceNow(): () => boolean {
    const before = this.count;
    return () => this.count !== before;
  }
}
