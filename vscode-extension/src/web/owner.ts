import type { FileAnswer, FileRequest, ToOwner, ToWorker } from './messages';

/** What a folder of VS Code says of a file: bits, of which a link has both. */
export const isFolder = 2;

export interface Stat {
  type: number;
  size: number;
  mtime: number;
}

/** Why there is no answer. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly missing: boolean,
  ) {
    super(message);
  }
}

/** Asks the owner of this worker for files. */
export class Owner {
  private number = 0;
  private readonly waiting = new Map<number, (answer: FileAnswer) => void>();

  constructor(private readonly tell: (message: ToOwner) => void) {
    globalThis.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
      if (data.kind !== 'answer') return;
      this.waiting.get(data.number)?.(data);
      this.waiting.delete(data.number);
    });
  }

  stat(path: string): Promise<Stat> {
    return this.ask('stat', path);
  }

  read(path: string): Promise<Uint8Array> {
    return this.ask('read', path);
  }

  list(path: string): Promise<[string, number][]> {
    return this.ask('list', path);
  }

  private ask<Value>(call: FileRequest['call'], path: string): Promise<Value> {
    const number = ++this.number;
    return new Promise((resolve, reject) => {
      this.waiting.set(number, (answer) => {
        if ('error' in answer) reject(new Refused(answer.error, answer.missing === true));
        else resolve(answer.value as Value);
      });
      this.tell({ kind: 'file', number, call, uri: uriOf(path) });
    });
  }
}

/** The URI of a path of the program. Those of virtual files begin with a scheme and an authority: /vscode-vfs:github/owner/repo/x.blif. */
export function uriOf(path: string): string {
  const [, scheme = 'file', authority = '', rest = path] = /^\/([a-z][a-z0-9+.-]+):([^/]*)(.*)$/i.exec(path) ?? [];
  const start = scheme === 'file' || authority !== '' ? `${scheme}://${authority}` : `${scheme}:`;
  return start + rest.replace(/^\/+/, '/').split('/').map(encodeURIComponent).join('/');
}
