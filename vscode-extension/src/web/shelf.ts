// Verdicts from one visit to the next, in IndexedDB. The program tests each entry that it takes from
// here: what stands there need not be true.

/** What all entries may take, in bytes. */
const limit = 64 << 20;
/** After how many new entries all are counted again: other tabs add to them as well. */
const countEvery = 32;

interface Age {
  used: number;
  size: number;
}

/** The program calls it by these names. */
export class Shelf {
  private uncounted = 0;

  private constructor(private readonly data: IDBDatabase) {}

  /** Opens the database; where the browser refuses it, says why and returns undefined. */
  static async open(refused: (why: string) => void): Promise<Shelf | undefined> {
    try {
      return new Shelf(await opened());
    } catch (error) {
      refused(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  /** Gives an entry, or null. */
  get(name: string, give: (bytes: Uint8Array | null) => void): void {
    this.change((entries, ages) => {
      const asked = entries.get(name);
      asked.onsuccess = () => {
        const bytes: unknown = asked.result;
        if (bytes instanceof Uint8Array) ages.put({ used: Date.now(), size: bytes.length } satisfies Age, name);
        give(bytes instanceof Uint8Array ? bytes : null);
      };
      asked.onerror = () => give(null);
    }, () => give(null));
  }

  put(name: string, bytes: Uint8Array): void {
    if (bytes.length > limit / 8) return;
    this.change((entries, ages) => {
      entries.put(bytes, name);
      ages.put({ used: Date.now(), size: bytes.length } satisfies Age, name);
    });
    if (this.uncounted-- > 0) return;
    this.uncounted = countEvery;
    this.trim();
  }

  remove(name: string): void {
    this.change((entries, ages) => {
      entries.delete(name);
      ages.delete(name);
    });
  }

  /** Removes those that were used least recently, where all take more than they may. */
  private trim(): void {
    this.change((entries, ages) => {
      const names = ages.getAllKeys();
      const all = ages.getAll();
      all.onsuccess = () => {
        const list = (all.result as Age[]).map((age, i) => ({ ...age, name: names.result[i]! }));
        let total = list.reduce((sum, { size }) => sum + size, 0);
        if (total <= limit) return;
        for (const { name, size } of list.sort((a, b) => a.used - b.used)) {
          if (total <= 0.9 * limit) return;
          entries.delete(name);
          ages.delete(name);
          total -= size;
        }
      };
    });
  }

  private change(how: (entries: IDBObjectStore, ages: IDBObjectStore) => void, failed: () => void = () => {}): void {
    try {
      const change = this.data.transaction(['entries', 'ages'], 'readwrite');
      how(change.objectStore('entries'), change.objectStore('ages'));
    } catch {
      failed(); // the browser has closed the database
    }
  }
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open('aiglens', 1);
    asked.onupgradeneeded = () => ['entries', 'ages'].forEach((name) => asked.result.createObjectStore(name));
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error('IndexedDB'));
    asked.onblocked = () => reject(new Error('another version of it is open'));
  });
}
