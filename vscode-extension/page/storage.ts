/// <reference lib="dom" />
// Files in the IndexedDB of the browser.
import type { Storage } from './files';

const name = 'aiglens-page';
const store = 'files';

export function browserStorage(): Storage {
  const open = () => new Promise<IDBDatabase>((resolve, reject) => {
    const asked = indexedDB.open(name, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(store);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error('the browser refuses to store anything'));
  });
  let database: Promise<IDBDatabase> | undefined;
  const run = async <Result>(mode: IDBTransactionMode, ask: (files: IDBObjectStore) => IDBRequest<Result>): Promise<Result> => {
    const files = (await (database ??= open())).transaction(store, mode).objectStore(store);
    return await new Promise((resolve, reject) => {
      const asked = ask(files);
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error ?? new Error('the browser stores nothing more'));
    });
  };
  return {
    async all() {
      const [paths, bytes] = await Promise.all([run('readonly', (files) => files.getAllKeys()), run('readonly', (files) => files.getAll() as IDBRequest<Uint8Array[]>)]);
      return paths.map((path, index) => [String(path), bytes[index]!]);
    },
    put: async (path, bytes) => void (await run('readwrite', (files) => files.put(bytes, path))),
    remove: async (path) => void (await run('readwrite', (files) => files.delete(path))),
  };
}
