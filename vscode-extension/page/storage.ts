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
  /** Ends with its transaction: a storage that is full says so only then. */
  const run = async <Result>(mode: IDBTransactionMode, ask: (files: IDBObjectStore) => () => Result): Promise<Result> => {
    const transaction = (await (database ??= open())).transaction(store, mode);
    return await new Promise((resolve, reject) => {
      const result = ask(transaction.objectStore(store));
      transaction.oncomplete = () => resolve(result());
      transaction.onabort = () => reject(transaction.error ?? new Error('the browser stores nothing more'));
    });
  };
  return {
    async all() {
      return run('readonly', (files) => {
        const [paths, bytes] = [files.getAllKeys(), files.getAll() as IDBRequest<Uint8Array[]>];
        return () => paths.result.map((path, index) => [String(path), bytes.result[index]!]);
      });
    },
    put: (path, bytes) => run('readwrite', (files) => (files.put(bytes, path), () => undefined)),
    remove: (path) => run('readwrite', (files) => (files.delete(path), () => undefined)),
  };
}
