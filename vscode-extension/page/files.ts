// The files of the page: examples, what the user has opened and written. They are kept in the storage of the browser;
// nothing is sent anywhere. Where the browser refuses to store anything they last as long as the page.

export interface Files {
  /** Their paths, in order. */
  readonly paths: string[];
  has(path: string): boolean;
  read(path: string): Promise<Uint8Array>;
  write(path: string, bytes: Uint8Array): Promise<void>;
  remove(path: string): Promise<void>;
  onDidChange(listener: (path: string, kind: 'created' | 'changed' | 'removed') => void): { dispose(): void };
}

/** Where bytes are kept between visits. */
export interface Storage {
  all(): Promise<[path: string, bytes: Uint8Array][]>;
  put(path: string, bytes: Uint8Array): Promise<void>;
  remove(path: string): Promise<void>;
}

export type OwnFiles = Files & {
  /** The user has written it. */
  isOwn(path: string): boolean;
};

/**
 * @param given files that are there from the start, by their paths, and are stored only once they are changed
 * @param refused is told once why the storage takes nothing
 */
export async function filesIn(storage: Storage, given: ReadonlyMap<string, () => Promise<Uint8Array>>, refused: (reason: string) => void): Promise<OwnFiles> {
  const own = new Map<string, Uint8Array>();
  const listeners = new Set<Parameters<Files['onDidChange']>[0]>();
  let works = true;
  const stored = async (run: () => Promise<unknown>) => {
    if (!works) return;
    await run().catch((error: unknown) => {
      works = false;
      refused(error instanceof Error ? error.message : String(error));
    });
  };
  await stored(async () => (await storage.all()).forEach(([path, bytes]) => own.set(path, bytes)));
  const tell = (path: string, kind: 'created' | 'changed' | 'removed') => listeners.forEach((listener) => listener(path, kind));
  const has = (path: string) => own.has(path) || given.has(path);
  return {
    has,
    get paths() {
      return [...new Set([...own.keys(), ...given.keys()])].sort();
    },
    isOwn: (path) => own.has(path),
    async read(path) {
      const bytes = own.get(path) ?? (await given.get(path)?.());
      if (bytes === undefined) throw new Error(`there is no file ${path.slice(1)}`);
      return bytes;
    },
    async write(path, bytes) {
      const kind = has(path) ? 'changed' : 'created';
      own.set(path, bytes);
      await stored(() => storage.put(path, bytes));
      tell(path, kind);
    },
    async remove(path) {
      own.delete(path);
      await stored(() => storage.remove(path));
      tell(path, given.has(path) ? 'changed' : 'removed');
    },
    onDidChange(listener) {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
  };
}
